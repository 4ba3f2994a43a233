// Package examples_test holds that the examples are specs.
package examples_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

// specs are the specs of all examples.
func specs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*/workspace.hcl")
	if err != nil || len(files) < 4 {
		t.Fatalf("found %q: %v", files, err)
	}
	return files
}

// load loads a spec with what it includes, on a machine that has all paths.
func load(t *testing.T, file string) *workspace.Workspace {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ws, report := hcl.Load(src, filepath.Join("/home/u/src/shop", filepath.Base(file)), hcl.Options{
		Home: "/home/u", Release: "github:agentenv/agentenv/v0.1.0",
		Read: func(tree, path string) ([]byte, error) { return root.ReadFile(filepath.Join(tree, path)) },
		HashTree: func(tree string) (string, error) {
			sub, err := root.OpenRoot(tree)
			if err != nil {
				return "", err
			}
			defer sub.Close()
			return nix.HashTree(sub)
		},
	})
	if report.HasErrors() {
		var text strings.Builder
		report.Write(&text, false)
		t.Fatal(&text)
	}
	return ws
}

func TestExamplesGenerate(t *testing.T) {
	for _, file := range specs(t) {
		t.Run(filepath.Dir(file), func(t *testing.T) {
			ws := load(t, file)
			tree, err := nixgen.Generate(ws, "0.1.0")
			if err != nil {
				t.Fatal(err)
			}
			var data map[string]any
			if err := json.Unmarshal(tree[nixgen.DataFile], &data); err != nil || len(tree[nixgen.FlakeFile]) == 0 {
				t.Errorf("%v: %s", err, tree[nixgen.FlakeFile])
			}
			if ws.Name != filepath.Dir(file) {
				t.Errorf("the workspace is called %s", ws.Name)
			}
		})
	}
}

// TestExamplesAreFormatted holds that they are as agentenv fmt writes them.
func TestExamplesAreFormatted(t *testing.T) {
	for _, file := range specs(t) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		formatted, report := hcl.Format(src, "/"+file)
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		if diff := cmp.Diff(string(formatted), string(src)); diff != "" {
			t.Errorf("%s (-formatted +written)\n%s", file, diff)
		}
	}
}

// TestExamplesAreListed holds that the page has each of them.
func TestExamplesAreListed(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range specs(t) {
		if !strings.Contains(string(page), "]("+file+")") {
			t.Errorf("README.md does not list %s", file)
		}
	}
}
