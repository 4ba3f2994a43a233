package nix

import (
	"strings"
	"testing"
)

const digest = "s66mzxpvicwk07gjbjfw9izjfa797vsw"

func TestParseStorePath(t *testing.T) {
	for s, valid := range map[string]bool{
		"/nix/store/" + digest + "-hello-2.12.1":                true,
		"/nix/store/" + digest + "-a+b._?=-C":                   true,
		"/nix/store/" + digest + "-.hidden":                     true,
		"/nix/store/" + digest + "-..x":                         true,
		"/nix/store/" + digest + "-" + strings.Repeat("a", 211): true,
		"/nix/store/" + digest + "-" + strings.Repeat("a", 212): false,
		"/nix/store/" + digest + "-":                            false,
		"/nix/store/" + digest:                                  false,
		"/nix/store/" + digest + "-.":                           false,
		"/nix/store/" + digest + "-..":                          false,
		"/nix/store/" + digest + "-.-x":                         false,
		"/nix/store/" + digest + "-..-x":                        false,
		"/nix/store/" + digest + "xhello":                       false,
		"/nix/store/" + digest + "-hello/bin":                   false,
		"/nix/store/" + digest + "-hello/":                      false,
		"/nix/store/" + digest + "-a/../../store/" + digest:     false,
		"/nix/store/" + digest + "-a b":                         false,
		"/nix/store/" + digest + "-a\n":                         false,
		"/nix/store/" + digest + "-ö":                           false,
		"/nix/store//" + digest + "-hello":                      false,
		"/abc/store/" + digest + "-hello":                       false,
		"/nix/stare/" + digest + "-hello":                       false,
		"nix/store/" + digest + "-hello":                        false,
		digest + "-hello":                                       false,
		"/nix/store/" + strings.Repeat("e", 32) + "-hello":      false, // e, o, t and u are no digits of Nix's base 32
		"/nix/store/" + strings.ToUpper(digest) + "-hello":      false,
		"/nix/store/.links":                                     false,
		"":                                                      false,
	} {
		got, err := ParseStorePath(s)
		if valid && (err != nil || got != s) {
			t.Errorf("%q: got %q, %v", s, got, err)
		}
		if !valid && err == nil {
			t.Errorf("%q is accepted", s)
		}
	}
}

// FuzzParseStorePath: what is accepted is what Nix's rules describe, written in
// another way.
func FuzzParseStorePath(f *testing.F) {
	f.Add("/nix/store/" + digest + "-hello")
	f.Add("/nix/store/" + digest + "xhello")
	f.Add("/nix/store/" + digest + "-a/../b")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := ParseStorePath(s); err != nil {
			return
		}
		rest, inStore := strings.CutPrefix(s, "/nix/store/")
		hash, name, dash := strings.Cut(rest, "-")
		if !inStore || !dash || len(hash) != 32 || strings.Trim(hash, "0123456789abcdfghijklmnpqrsvwxyz") != "" {
			t.Fatalf("%q is accepted", s)
		}
		for _, c := range name {
			if !strings.ContainsRune("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-._?=", c) {
				t.Fatalf("%q is accepted with %q in its name", s, c)
			}
		}
		if len(name) == 0 || len(name) > 211 {
			t.Fatalf("%q is accepted with a name of %d bytes", s, len(name))
		}
	})
}

func TestParseInside(t *testing.T) {
	object := "/nix/store/" + digest + "-glibc"
	for s, want := range map[string]string{
		object:                  object,
		object + "/lib/ld.so":   object,
		object + "/":            "",
		object + "//lib":        "",
		object + "/../x":        "",
		object + "/lib/.":       "",
		object + "/a\x00b":      "",
		"/nix/store":            "",
		"/nix/store/lib/ld.so":  "",
		"/etc/passwd":           "",
		"/nix/storex/" + digest: "",
		"":                      "",
	} {
		got, err := parseInside(s)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", s, got, err, want)
		}
	}
}
