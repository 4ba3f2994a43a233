package hcl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
)

func TestSplitPath(t *testing.T) {
	for written, want := range map[string][]string{
		"go":                          {"go"},
		"openssl.dev":                 {"openssl", "dev"},
		`nodePackages."@angular/cli"`: {"nodePackages", "@angular/cli"},
		`nodePackages.@angular`:       {"nodePackages", "@angular"},
		`a."b.c".d`:                   {"a", "b.c", "d"},
		`"a#b"`:                       {"a#b"},
		"python3Packages.numpy":       {"python3Packages", "numpy"},
		"gtk+3.x'":                    {"gtk+3", "x'"},
		`"${x}"`:                      {"${x}"},
		"":                            nil, ".": nil, "a.": nil, ".a": nil, "a..b": nil, `a."`: nil, `a."b`: nil, `""`: nil, `"a"b`: nil, `a"b"`: nil, "a b": nil, "a/b": nil, "a\n": nil, "a^dev": nil, "ä": nil,
	} {
		got, err := splitPath(written)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%q: %v\n%s", written, err, diff)
		}
	}
}

// FuzzSplitPath holds that what is taken is a path that can be written again.
func FuzzSplitPath(f *testing.F) {
	for _, s := range []string{"go", `a."b.c".d`, "a..b", `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, err := splitPath(s)
		if err != nil {
			return
		}
		var quoted []string
		for _, part := range path {
			quoted = append(quoted, `"`+part+`"`)
		}
		again, err := splitPath(strings.Join(quoted, "."))
		if diff := cmp.Diff(path, again); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", s, err, diff)
		}
	})
}

func TestPackageHints(t *testing.T) {
	for written, want := range map[string]string{
		"openssl^dev":         `write "openssl.dev"`,
		"openssl^dev,bin":     `write "openssl.dev", "openssl.bin"`,
		"tools#x^dev":         `write "tools#x.dev"`,
		"openssl^*":           `write "openssl", and one entry for each output, such as "openssl.dev"`,
		"github:o/my-tools#x": `add input "my-tools" { url = "github:o/my-tools" } and write "my-tools#x"`,
		"nixpkgs/unstable#jq": `add input "unstable" { url = "github:NixOS/nixpkgs/unstable" } and write "unstable#jq"`,
		"#go":                 `write "go"`,
	} {
		d := &decoder{}
		if _, ok := d.packageName(written, hcl.Range{}); ok {
			t.Errorf("%q was taken", written)
			continue
		}
		if got := string(d.diags[0].Extra.(suggestion)); got != want {
			t.Errorf("%q: %s, want %s", written, got, want)
		}
	}
}
