package nix

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Kind is a reason for which nix fails that a user can do something about.
type Kind string

// The kinds of failure.
const (
	KindMissing  Kind = "missing"   // a name that a package set or input does not have
	KindNoSource Kind = "no-source" // a package without a source tree
	KindSource   Kind = "source"    // a source that cannot be unpacked or patched
	KindEntry    Kind = "entry"     // something else about an entry of the spec
	KindUnfree   Kind = "unfree"    // a licence that must be allowed by name
	KindRefused  Kind = "refused"   // broken, insecure or for another system
	KindHash     Kind = "hash"      // a download that is not what it was
	KindOffline  Kind = "offline"   // a host that does not answer
	KindGone     Kind = "gone"      // a host that answers and has no such thing
	KindLimit    Kind = "limit"     // a host that answers no more for now
	KindSpace    Kind = "space"     // a full disk
	KindDaemon   Kind = "daemon"    // a Nix daemon that does not run
	KindTooOld   Kind = "too-old"   // a nix that is older than needed
	KindBuild    Kind = "build"     // a builder that failed
	KindOther    Kind = "other"
)

// Finding is one thing that is wrong with one entry of the spec.
type Finding struct {
	Entry   string // its id
	Kind    Kind
	Message string // one line
}

// Error is a nix command that failed.
type Error struct {
	Command  string    // such as "build"
	Kind     Kind      // of the first finding, if there is one
	Findings []Finding // in the order in which nix told of them
	Message  string    // nix's own message, without its trace
	Detail   string    // all that it wrote to standard error, or the end of that
	Exit     string    // how it ended, such as "exit status 1"
}

// Error returns the command and what is wrong with each entry, or nix's message
// where that is all there is.
func (e *Error) Error() string {
	if len(e.Findings) == 0 {
		return fmt.Sprintf("nix %s: %s", e.Command, e.Message)
	}
	var found []string
	for _, f := range e.Findings {
		found = append(found, fmt.Sprintf("%s: %s", f.Entry, f.Message))
	}
	return fmt.Sprintf("nix %s: %s", e.Command, strings.Join(found, "; "))
}

// newError reads what a nix command wrote to standard error, as plain text.
func newError(command, exit, stderr string) *Error {
	e := &Error{Command: command, Exit: exit, Detail: stderr, Kind: kindOf(stderr)}
	e.Message = messageOf(stderr)
	if e.Message == "" {
		e.Message = exit
	}
	e.Findings = findings(stderr)
	if len(e.Findings) == 0 {
		for _, entry := range entriesWithin(stderr) {
			e.Findings = append(e.Findings, Finding{Entry: entry, Kind: e.Kind, Message: e.Message})
		}
	} else {
		e.Kind = e.Findings[0].Kind
	}
	return e
}

// patterns find what is known in the error output of nix.
var patterns = sync.OnceValue(func() (p struct{ colours, finding, within, overlay, sourceTree, message *regexp.Regexp }) {
	p.colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

	// What templates/lib/entry.nix writes: an id in JSON, and a code in a finding.
	p.finding = regexp.MustCompile(`agentenv: entry ("(?:[^"\\]|\\.)*"): ([a-z-]+): (.*)`)
	p.within = regexp.MustCompile(`agentenv: within entry ("(?:[^"\\]|\\.)*")`)
	p.overlay = regexp.MustCompile(`agentenv: within overlay ("(?:[^"\\]|\\.)*")`)

	// The derivations of templates/lib/tree.nix, named in the chain of a build
	// that failed below it.
	p.sourceTree = regexp.MustCompile(`-agentenv-(source|member)-([A-Za-z0-9_][A-Za-z0-9+._-]*)\.drv`)

	// Nix 2.8 starts its output with the message, and newer versions indent it
	// below the trace; their first line is an error without text.
	p.message = regexp.MustCompile(`(?m)^\s*error: (\S.*)$`)
	return p
})

// codes are the codes of templates/lib and what they mean here.
var codes = map[string]Kind{
	"missing":        KindMissing,
	"no-source":      KindNoSource,
	"not-a-package":  KindEntry,
	"not-an-overlay": KindEntry,
	"no-with":        KindEntry,
	"name":           KindEntry,
	"unpack":         KindSource,
	"patch":          KindSource,
}

func findings(stderr string) []Finding {
	var found []Finding
	for _, match := range patterns().finding.FindAllStringSubmatch(stderr, -1) {
		kind, known := codes[match[2]]
		if !known {
			continue
		}
		f := Finding{Entry: unquote(match[1]), Kind: kind, Message: match[3]}
		if !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	return found
}

// entriesWithin returns the entries that the trace names, or whose source tree
// was to be made of what failed. A package that dies in an overlay is not to
// blame.
func entriesWithin(stderr string) []string {
	if match := patterns().overlay.FindStringSubmatch(stderr); match != nil {
		return []string{unquote(match[1])}
	}
	var entries []string
	for _, match := range patterns().within.FindAllStringSubmatch(stderr, -1) {
		entries = append(entries, unquote(match[1]))
	}
	for _, match := range patterns().sourceTree.FindAllStringSubmatch(stderr, -1) {
		entries = append(entries, treeIDs[match[1]]+match[2])
	}
	slices.Sort(entries)
	return slices.Compact(entries)
}

// treeIDs are the starts of ids by what the derivation of a tree is called.
var treeIDs = map[string]string{"source": "source.", "member": "source_set:"}

func unquote(quoted string) string {
	var s string
	if json.Unmarshal([]byte(quoted), &s) != nil {
		return quoted
	}
	return s
}

// causes are texts of Nix and of Nixpkgs, from 2.8 on, by which a failure is
// known; the first that is found decides.
var causes = []struct {
	text string
	kind Kind
}{
	{"This version of Nixpkgs requires Nix >=", KindTooOld},
	{"This version of Nixpkgs requires an implementation of Nix", KindTooOld},
	{"unrecognised flag", KindTooOld},
	{"No space left on device", KindSpace},
	{"database or disk is full", KindSpace},
	{"cannot connect to socket at '/nix/var/nix/daemon-socket/socket'", KindDaemon},
	{"has an unfree license", KindUnfree},
	{"is marked as insecure", KindRefused},
	{"is marked as broken", KindRefused},
	{"is not supported on", KindRefused},
	{"is not available on the requested hostPlatform", KindRefused},
	{"is required to build", KindRefused}, // a 'aarch64-linux' with features {…}
	{"hash mismatch", KindHash},
	{"NAR hash mismatch", KindHash},
	{"rate limit exceeded", KindLimit},
	{"HTTP error 429", KindLimit},
	{"HTTP error 404", KindGone},
	{"Couldn't resolve host", KindOffline},
	{"Could not resolve host", KindOffline},
	{"Couldn't connect to server", KindOffline},
	{"Could not connect to server", KindOffline},
	{"Failed to connect to", KindOffline},
	{"Network is unreachable", KindOffline},
	{"Connection timed out", KindOffline},
	{"Timeout was reached", KindOffline},
	{"unable to download", KindOffline},
	{"failed with exit code", KindBuild},
}

func kindOf(stderr string) Kind {
	for _, cause := range causes {
		if strings.Contains(stderr, cause.text) {
			return cause.kind
		}
	}
	return KindOther
}

// messageOf returns the first message: that is the cause, and what follows, such
// as the derivations that needed the one that failed, is the consequence.
func messageOf(stderr string) string {
	match := patterns().message.FindStringSubmatchIndex(stderr)
	if match == nil {
		return ""
	}
	message, rest := stderr[match[2]:match[3]], stderr[match[3]:]
	said, aborted := strings.CutPrefix(message, "evaluation aborted with the following error message: '")
	if !aborted {
		return message
	}
	// What a package set says at length starts with an empty line.
	for line := range strings.Lines(said + rest) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.TrimSuffix(line, "'")
		}
	}
	return message
}
