package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShown(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "workspace.hcl"):      "workspace.hcl",
		filepath.Join(dir, "sub", "x.hcl"):       "sub/x.hcl",
		dir:                                      ".",
		filepath.Dir(dir):                        filepath.Dir(dir),
		dir + "-other/x":                         dir + "-other/x",
		"../x":                                   "../x",
		filepath.Join(dir, "a\nb\x1b[31m\u202e"): `a\nb\u{1b}[31m\u{202e}`,
	} {
		if got := shown(path); got != want {
			t.Errorf("shown(%q) is %q, want %q", path, got, want)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := visible("a\tb\nä\x1b[2J\r\x07\xff"), "a\tb\nä\\u{1b}[2J\\u{d}\\u{7}�"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
