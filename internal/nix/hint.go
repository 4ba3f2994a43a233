package nix

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Hint returns what to do about a finding of e, or about e itself where it has
// none (Finding{Kind: e.Kind, Message: e.Message}): a sentence without a full
// stop, which has the line for the spec where there is one. It is "" where the
// message says all that is known.
func (e *Error) Hint(f Finding) string {
	if hint, known := hints[f.Kind]; known {
		return hint(f.Message, e.Detail)
	}
	return ""
}

// hints are by kind; each gets the message of a finding and all that nix said.
var hints = map[Kind]func(message, detail string) string{
	KindUnfree:  hintUnfree,
	KindRefused: hintRefused,
	KindHash:    hintHash,
	KindTooOld:  hintTooOld,
	KindOffline: func(string, string) string {
		return "what is locked and built already needs no network; a proxy or an access token of Nix may be missing"
	},
	KindGone: func(string, string) string {
		return "check owner, repository and branch; a private repository needs access-tokens in nix.conf"
	},
	KindLimit: func(string, string) string {
		return "GitHub allows few requests an hour without a token: wait, or set access-tokens in nix.conf"
	},
	KindSpace:  func(string, string) string { return "free some: nix store gc removes what nothing refers to" },
	KindDaemon: func(string, string) string { return "start the Nix daemon: systemctl start nix-daemon" },
}

// texts find facts in the messages of Nix and Nixpkgs.
var texts = sync.OnceValue(func() (t struct{ refused, version, minimum, fixed, nar *regexp.Regexp }) {
	// Nixpkgs, pkgs/stdenv/generic/check-meta.nix; a place may follow the name.
	t.refused = regexp.MustCompile(`Package ‘([^’]+)’`)
	t.version = regexp.MustCompile(`-[^a-zA-Z].*$`)
	// Nixpkgs, default.nix, and lib/minfeatures.nix of 2025.
	t.minimum = regexp.MustCompile(`(?:requires Nix >= |reports at least ` + "`?)" + `([0-9][0-9.]*[0-9])`)
	t.fixed = regexp.MustCompile(`specified:\s+(\S+)\s+got:\s+(\S+)`)
	t.nar = regexp.MustCompile(`expected '([^']+)',? (?:but )?got '([^']+)'`)
	return t
})

func hintUnfree(message, _ string) string {
	match := texts().refused.FindStringSubmatch(message)
	if match == nil {
		return "allow its licence by name: nixpkgs { unfree = [\"NAME\"] }"
	}
	// As builtins.parseDrvName: a version starts at a dash before what is no letter.
	name := texts().version.ReplaceAllString(match[1], "")
	return fmt.Sprintf("allow its licence by name: nixpkgs { unfree = [%q] }", name)
}

func hintRefused(message, _ string) string {
	match := texts().refused.FindStringSubmatch(message)
	switch {
	case strings.Contains(message, "insecure") && match != nil:
		return fmt.Sprintf("allow this version in spite of what is known of it: nixpkgs { insecure = [%q] }", match[1])
	case strings.Contains(message, "hostPlatform") || strings.Contains(message, "is not supported on"):
		return "it is not for this system; workspace.systems says for which ones the environment is"
	case strings.Contains(message, "broken"):
		return "another revision of nixpkgs may have it in order"
	}
	return ""
}

func hintHash(_, detail string) string {
	for _, pattern := range []*regexp.Regexp{texts().fixed, texts().nar} {
		if match := pattern.FindStringSubmatch(detail); match != nil {
			return fmt.Sprintf("expected %s, got %s: what was published has changed, or somebody is in between", match[1], match[2])
		}
	}
	return "what was published has changed, or somebody is in between"
}

func hintTooOld(message, detail string) string {
	if match := texts().minimum.FindStringSubmatch(message + "\n" + detail); match != nil {
		return fmt.Sprintf("this Nixpkgs needs Nix %s or newer: upgrade Nix, or take an older nixpkgs.url", match[1])
	}
	return "upgrade Nix"
}
