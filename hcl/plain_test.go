package hcl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// TestPlain holds that what people write is plain, and that what plain does not
// understand is not.
func TestPlain(t *testing.T) {
	for src, want := range map[string]bool{
		"":                     true,
		"workspace \"a\" {}\n": true,
		"a = [\"${local.src}/x\", \"${home}\", 1.5, -2]\n":                     true,
		"# one \" {\n// two }\nb {\n  c = x == y ? \"a\\\"\" : f(1, [2])\n}\n": true,
		"a-1e9 = b.c[0].1\n": true,
		"a = \"100 %\"\n":    true,
		"a = \"é\"\n":        true,
		"a = 1e5\n":          false, "a = 1E5\n": false,
		"a = <<EOT\nEOT\n": false, "/* { */\n": false, "a = \"$${x}\"\n": false, "a = \"%{ if true }%{ endif }\"\n": false,
		"a = \"${x ~}\"\n": false, "é = 1\n": false, "a = [}\n": false, "a = \"\n\"\n": false, "a = {\n": false, "a = 'x'\n": false,
		strings.Repeat("(", limits.depth) + strings.Repeat(")", limits.depth):     true,
		strings.Repeat("(", limits.depth+1) + strings.Repeat(")", limits.depth+1): false,
		"a = " + strings.Repeat("!", limits.operators+1) + "true":                 false,
		"a = x" + strings.Repeat(".0", limits.operators+1):                        false,
		"a = " + strings.Repeat("9", 31):                                          false,
	} {
		if got := plain([]byte(src), limits); got != want {
			t.Errorf("%.80q is plain: %t, want %t", src, got, want)
		}
	}
}

// FuzzPlain holds that what is plain keeps the bounds.
func FuzzPlain(f *testing.F) {
	for _, pattern := range []string{"testdata/valid-files/*.hcl", "testdata/error-files/*.hcl"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	for _, s := range []string{`a = "${"${"${x}"}"}"`, `a = "$${"`, `a = "\${"`, "a = \"$%{\"", "a = {b=\"}\"}", "a = x.0.1.2[3].e5", "a=1.2.3e400", "a = \"\\", "a = \"$"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if checkBytes(src, "a.hcl") != nil {
			return
		}
		tokens, _ := hclsyntax.LexConfig(src, "a.hcl", hcl.InitialPos)
		for _, most := range []bounds{{1, 0}, {2, 1}, {3, 3}, {6, 10}, limits} { // small ones are broken by small inputs
			if d := checkTokens(tokens, most); d != nil && plain(src, most) {
				t.Fatalf("%q is plain within %+v, and yet: %s", src, most, d.Summary)
			}
		}
	})
}
