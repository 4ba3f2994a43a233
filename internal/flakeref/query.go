package flakeref

import (
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentenv/agentenv/workspace"
)

// parseQuery adds the parameters of query to ref. Each may come once.
func parseQuery(ref workspace.Reference, k kind, scheme, query string) error {
	if query == "" {
		return nil
	}
	seen := map[string]bool{}
	for _, pair := range strings.Split(query, "&") {
		name, raw, ok := strings.Cut(pair, "=")
		if !slices.Contains(k.params, name) {
			return refuse("", "%s references have no parameter %q; they have %s", scheme, name, strings.Join(k.params, ", "))
		}
		if !ok || raw == "" {
			return refuse("", "the parameter %s has no value", name)
		}
		if seen[name] {
			return refuse("", "the parameter %s is given twice", name)
		}
		seen[name] = true
		value, err := decode(raw)
		if err != nil {
			return err
		}
		if err := params[name](ref, value); err != nil {
			return err
		}
	}
	return nil
}

// params says how the value of each parameter is checked and kept.
var params = map[string]func(ref workspace.Reference, value string) error{
	"ref":        setRef,
	"rev":        setRev,
	"dir":        setDir,
	"host":       setHost,
	"narHash":    setNARHash,
	"allRefs":    setFlag("allRefs"),
	"shallow":    setFlag("shallow"),
	"submodules": setFlag("submodules"),
}

func setRev(ref workspace.Reference, value string) error {
	if _, ok := ref["rev"]; ok {
		return refuse("", "it has two revs")
	}
	if !revRE().MatchString(value) {
		return refuse("", "the rev %q is not 40 hex digits", value)
	}
	ref["rev"] = strings.ToLower(value)
	return nil
}

// badRefRE matches what git check-ref-format(1) refuses, and a leading dash or
// slash.
var badRefRE = lazily(`^[-/.]|//|/\.|\.\.|[\x00-\x20\x7f~^:?*\[\\]|@\{|\.lock(/|$)|[/.]$|^@$`)

func setRef(ref workspace.Reference, value string) error {
	if _, ok := ref["ref"]; ok {
		return refuse("", "it has two refs")
	}
	if revRE().MatchString(value) {
		return refuse("rev="+value, "40 hex digits are a rev")
	}
	if value == "" || badRefRE().MatchString(value) {
		return refuse("", "git has no branch or tag of the name %q", value)
	}
	ref["ref"] = value
	return nil
}

func setDir(ref workspace.Reference, value string) error {
	if path.IsAbs(value) || value[0] == '-' || path.Clean(value) != value || value == "." || value == ".." || strings.HasPrefix(value, "../") {
		return refuse("", "the dir %q is not a plain path inside the tree", value)
	}
	ref["dir"] = value
	return nil
}

func setHost(ref workspace.Reference, value string) error {
	if !hostRE().MatchString(value) {
		return refuse("", "the host %q is not a host name", value)
	}
	ref["host"] = value
	return nil
}

func setNARHash(ref workspace.Reference, value string) error {
	sum, ok := strings.CutPrefix(value, "sha256-")
	raw, err := base64.StdEncoding.Strict().DecodeString(sum)
	if !ok || err != nil || len(raw) != 32 {
		return refuse("", "the narHash %q is not sha256- and the base64 of 32 bytes", value)
	}
	ref["narHash"] = value
	return nil
}

// setFlag keeps a flag of git. Nix takes every value but 1 for false; here the
// others are errors.
func setFlag(name string) func(workspace.Reference, string) error {
	return func(ref workspace.Reference, value string) error {
		if value != "0" && value != "1" {
			return refuse(name+"=1", "the value of %s is 0 or 1", name)
		}
		ref[name] = value == "1"
		return nil
	}
}

// decode undoes percent-encoding once, as Nix does: a plus sign stays one.
func decode(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) || unhex(s[i+1]) < 0 || unhex(s[i+2]) < 0 {
			return "", refuse("", "a percent sign is not followed by two hex digits")
		}
		b.WriteByte(byte(unhex(s[i+1])<<4 | unhex(s[i+2])))
		i += 2
	}
	out := b.String()
	if !utf8.ValidString(out) {
		return "", refuse("", "it is not valid UTF-8 when decoded")
	}
	if strings.ContainsFunc(out, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return "", refuse("", "it has a control character when decoded")
	}
	return out, nil
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// encode percent-encodes a path for a file URL.
func encode(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		c := p[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
