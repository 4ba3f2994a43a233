package hcl

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzLayout holds that a layout is always found: Format would leave the text as
// it is without one.
func FuzzLayout(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.hcl")
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
	for _, src := range []string{"a = 1 .b\n", "a = b. c\n", "a=-  -1", "a=! !b", "a = b [ 0 ] . c\n", "a=b.0.1\n", "a = b.*.c\n", "a=x::y( )\n", "a = <<-E\n b\n E\n", "a = \"${\"${b}\"}\"\n"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		src = withoutReturns(src)
		if _, diags := parse(src, "/w/workspace.hcl"); !diags.HasErrors() && layout(src) == nil {
			t.Errorf("no layout of %q", src)
		}
	})
}
