package nix_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/workspace"
)

// TestSources builds source trees of every shape and looks at what lies in them.
func TestSources(t *testing.T) {
	b := newBench(t)
	tree := filepath.Join(b.dir, "rfcs")
	writeFile(t, filepath.Join(tree, "rfcs", "0001.md"), "one\n")
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
		n.Inputs = []workspace.Input{{Name: "rfcs", Reference: path(tree)}}
		n.Sources = []workspace.Source{
			source("archive", "hello-c"),
			source("directory", "libgreet"),
			source("made", "tinyjson"),
			source("path", "source-path"),
			source("text", "source-text"),
			source("several", "source-several"),
			source("script", "source-script"),
			source("unfree", "unfree-package"),
			source("scoped", "nodePackages", "@angular/cli"),
			{ID: "source.rfcs", Name: "rfcs", Input: "rfcs"},
		}
	}))
	for name, want := range map[string][]string{
		"archive":   {"Makefile", "main.c"},
		"directory": {"greet.c", "greet.h"},
		"made":      {"go.mod"},
		"path":      {"greet.c"},
		"text":      {"greet.c"},
		"several":   {"hello-c-1.2/main.c", "libgreet/greet.c"},
		"script":    {"setup.sh"},
		"unfree":    {"main.c"},
		"scoped":    {"go.mod"},
		"rfcs":      {"rfcs/0001.md"},
	} {
		for _, file := range want {
			if _, err := os.Stat(filepath.Join(env.Sources, name, file)); err != nil {
				t.Errorf("%s: %v; it has %q", name, err, below(t, filepath.Join(env.Sources, name)))
			}
		}
	}

	text, err := os.ReadFile(filepath.Join(env.Sources, "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Version int
		Sources []map[string]any
	}
	if err := json.Unmarshal(text, &index); err != nil {
		t.Fatal(err)
	}
	byName := map[string]map[string]any{}
	for _, s := range index.Sources {
		object, _ := s["path"].(string)
		if !slices.Contains(env.Closure, object) {
			t.Errorf("%s lies at %q, which is not in the closure", s["name"], object)
		}
		delete(s, "path")
		byName[s["name"].(string)] = s
	}
	want := map[string]any{
		"name": "archive", "package": "hello-c", "version": "1.2", "via": nil, "source": true,
		"urls": []any{"https://example.org/hello-c/hello-c-1.2.tar.gz"}, "revision": nil,
		"hash":     "sha256-ZKRVtX76bB7gCQXDBsoErkyURN+m+5zyoBHifqq/7ic=",
		"homepage": "https://example.org/hello-c", "licences": []any{"MIT"}, "patches": []any{"hello-c-spanish.patch"},
	}
	if diff := cmp.Diff(want, byName["archive"]); diff != "" {
		t.Errorf("index of archive (-want +got)\n%s", diff)
	}
	if got := byName["directory"]["revision"]; got != "v0.3.1" {
		t.Errorf("revision of directory: %v", got)
	}
	if names := slices.Sorted(maps.Keys(byName)); len(names) != 10 {
		t.Errorf("index has %q", names)
	}
}

// below lists what lies below dir, each with a slash in front. Links are
// followed, as programs in the environment do.
func below(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	var files []string
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		files = append(files, "/"+entry.Name())
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			for _, file := range below(t, name) {
				files = append(files, "/"+entry.Name()+file)
			}
		}
	}
	return files
}
