package nix

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	for _, d := range []string{"good", "agents", "plain", "directory/nix", "empty", "linked"} {
		if err := os.MkdirAll(at(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, mode := range map[string]os.FileMode{"good/nix": 0o755, "agents/nix": 0o755, "plain/nix": 0o644} {
		if err := os.WriteFile(at(name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"linked/nix": "agents/nix", "indirect": "good"} {
		if err := os.Symlink(at(target), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(at("good"))
	refuse := func(d string) bool { return d == at("agents") }

	for name, test := range map[string]struct {
		path []string
		want string // "" for an error
	}{
		"plain":                 {[]string{at("good")}, at("good/nix")},
		"through a link":        {[]string{at("indirect")}, at("good/nix")},
		"not there":             {[]string{at("empty"), at("absent"), at("good")}, at("good/nix")},
		"not executable":        {[]string{at("plain"), at("good")}, at("good/nix")},
		"a directory":           {[]string{at("directory"), at("good")}, at("good/nix")},
		"refused":               {[]string{at("agents")}, ""},
		"refused, then good":    {[]string{at("agents"), at("good")}, at("good/nix")},
		"a link into a refused": {[]string{at("linked")}, ""},
		"relative":              {[]string{"."}, ""},
		"relative, by name":     {[]string{"../good"}, ""},
		"empty":                 {[]string{""}, ""},
		"nothing":               {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Find(strings.Join(test.path, string(filepath.ListSeparator)), refuse)
			if got != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			if test.want == "" && !errors.Is(err, ErrNotFound) {
				t.Errorf("got error %v, want %v", err, ErrNotFound)
			}
		})
	}
}
