package nix_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/nix"
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
		"patched": false, "notes": []any{}, "bytes": 6252.0, "files": 5.0, "outward_links": 0.0,
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

// TestSourceAttributes: an attribute that is named is the source, and patches are
// applied where the package's build applies them.
func TestSourceAttributes(t *testing.T) {
	b := newBench(t)
	with := func(s workspace.Source, patched bool, attribute ...string) workspace.Source {
		s.Patched, s.Attribute = patched, attribute
		return s
	}
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
		n.Sources = []workspace.Source{
			with(source("modules", "vendoring"), false, "goModules"),
			with(source("wrapped", "source-wrapper"), false),
			with(source("twice", "source-wrapped-twice"), false),
			with(source("inner", "source-wrapper"), false, "unwrapped", "src"),
			with(source("spanish", "hello-c"), true),
			with(source("below", "source-below"), true),
			with(source("several", "source-several-patched"), true),
			with(source("plain", "hello-c"), false),
			with(source("binary", "source-binary"), false),
			with(source("outward", "source-outward"), false),
			with(source("numpy", "python3", "pkgs", "numpy"), false),
		}
	}))
	for file, want := range map[string]string{
		"modules/modules.txt": "vendored", "wrapped/main.c": "", "twice/main.c": "", "inner/main.c": "",
		"spanish/greeting.c": `"es"`, "below/inner/greeting.c": `"es"`, "several/hello-c-1.2/greeting.c": `"es"`, "numpy/greet.c": "",
	} {
		text, err := os.ReadFile(filepath.Join(env.Sources, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v; want %q in it:\n%s", file, err, want, text)
		}
	}
	if text, err := os.ReadFile(filepath.Join(env.Sources, "plain/greeting.c")); err != nil || strings.Contains(string(text), `"es"`) {
		t.Errorf("the plain source has the patch in it, or %v", err)
	}
	index, err := nix.ReadIndex(env.Sources)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range index.Sources {
		got[s.Name] = s.Notes
	}
	for name, want := range map[string][]string{
		"binary":  {"not source: binaryNativeCode"},
		"outward": {"4 links lead out of it"},
		"below":   {"patches are applied, the rest of the package's patch phase is not"},
		"plain":   nil,
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("notes of %s (-want +got)\n%s", name, diff)
		}
	}
}

// TestSourceSetOfPackages: each package gives a tree, and one without a source a
// note.
func TestSourceSetOfPackages(t *testing.T) {
	b := newBench(t)
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
		n.Packages = append(packages("hello-c", "libgreet", "libgreet.dev", "nodePackages.@angular/cli", "same-one", "source-sevenz", "source-throws", "tinyjson"),
			workspace.Package{ID: "package.python3", Path: []string{"python3"}, With: []string{"numpy", "requests"}})
		n.Sources = []workspace.Source{source("hello", "hello-c"), source("tinyjson", "libgreet")}
		n.SourceSets = []workspace.SourceSet{workspace.SourcesOfPackages}
	}))
	index, err := nix.ReadIndex(env.Sources)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range index.Sources {
		got[s.Name] = s.Package
	}
	want := map[string]string{
		"hello": "hello-c", "tinyjson": "libgreet", "angular-cli": "nodePackages.@angular/cli", "tinyjson-2": "tinyjson",
		"source-sevenz": "source-sevenz", "numpy": "package.python3 with numpy", // requests is built from what angular-cli is built from
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("trees (-want +got)\n%s", diff)
	}
	wantMissing := []nix.Missing{
		{Name: "same-one", Note: "same-one-1.0 has no source of its own: it is made by a build command"},
		{Name: "source-throws", Note: "source-throws does not say what it is built from"},
		{Name: "python3", Note: "python3-1.0 has no source of its own: it is made by a build command"},
	}
	if diff := cmp.Diff(wantMissing, index.Missing); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
	}
}
