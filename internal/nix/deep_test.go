package nix_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// TestDeepSourceSets finds the sources behind an environment in its derivations,
// and builds their trees in a second step.
func TestDeepSourceSets(t *testing.T) {
	b := newBench(t)
	for _, test := range []struct {
		set  workspace.SourceSet
		want []string
	}{
		{workspace.SourcesOfRuntime, []string{"hello-c-1.2", "libgreet-0.3.1", "structured-1.0"}},
		{workspace.SourcesOfBuild, []string{"hello-c-1.2", "libgreet-0.3.1", "structured-1.0", "tool.txt"}},
	} {
		t.Run(string(test.set), func(t *testing.T) {
			b.t = t
			ws := b.workspace(func(n *workspace.Nix) {
				n.Packages = packages("hello-c", "libgreet", "source-structured", "source-tooled")
				n.SourceSets = []workspace.SourceSet{test.set}
			})
			env := b.mustBuild(ws)
			trees, err := nix.SourcesOf(env, test.set, []string{"taken"})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tree := range trees {
				names = append(names, tree.Name)
			}
			if diff := cmp.Diff(test.want, names); diff != "" {
				t.Fatalf("sources (-want +got)\n%s", diff)
			}
			want := workspace.FixedTree{
				Name: "hello-c-1.2", Output: "out", URLs: []string{"https://example.org/hello-c/hello-c-1.2.tar.gz"},
				Hash: "sha256-ZKRVtX76bB7gCQXDBsoErkyURN+m+5zyoBHifqq/7ic=", Derivation: trees[0].Derivation, Path: trees[0].Path,
			}
			if diff := cmp.Diff(want, trees[0]); diff != "" {
				t.Errorf("tree (-want +got)\n%s", diff)
			}
			cost, err := b.cli.Cost(t.Context(), trees)
			if err != nil || cost.Trees != len(trees) || cost.Here+cost.Cached > cost.Trees {
				t.Errorf("cost %+v, %v", cost, err)
			}

			digest := nixgen.Digest(ws.Nix)
			ws.Nix.Found.Trees = trees
			after := b.mustBuild(ws)
			if after.Digest != digest || after.Path != env.Path {
				t.Error("what building found out changed the environment")
			}
			for _, file := range []string{"hello-c-1.2/main.c", "libgreet-0.3.1/greet.c"} {
				if _, err := os.Stat(filepath.Join(after.Sources, file)); err != nil {
					t.Error(err)
				}
			}
			index, err := nix.ReadIndex(after.Sources)
			if err != nil {
				t.Fatal(err)
			}
			if got := index.Sources[0]; got.Name != "hello-c-1.2" || got.Hash != want.Hash || !slices.Contains(after.Closure, got.Path) {
				t.Errorf("index has %+v", got)
			}
		})
	}
}

// TestDeepSourceSetSurvives: a source that is not to be had is left out.
func TestDeepSourceSetSurvives(t *testing.T) {
	b := newBench(t)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Packages = packages("hello-c")
		n.SourceSets = []workspace.SourceSet{workspace.SourcesOfBuild}
	})
	env := b.mustBuild(ws)
	trees, err := nix.SourcesOf(env, workspace.SourcesOfBuild, nil)
	if err != nil {
		t.Fatal(err)
	}
	// The environment may come from a cache that lacks its sources.
	gone := strings.TrimSpace(b.nix(b.dir, "eval", "--raw", "path:"+b.nixpkgs["path"].(string)+"#gone-source.drvPath"))
	ws.Nix.Found.Trees = append(trees, workspace.FixedTree{
		Name: "gone.txt", Derivation: gone, Output: "out",
		Path: b.nix(b.dir, "eval", "--raw", "path:"+b.nixpkgs["path"].(string)+"#gone-source.outPath"),
	})
	found, err := nixgen.Survey(ws, func(ws *workspace.Workspace) ([]nix.Finding, error) {
		return findingsOf(b.build(ws))
	}, func(f nix.Finding) string { return f.Entry })
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Entry != "source_set:gone.txt" || found[0].Kind != nix.KindHash {
		t.Errorf("found %+v", found)
	}
}

func findingsOf(_ *workspace.Environment, err error) ([]nix.Finding, error) {
	failure, ok := errors.AsType[*nix.Error](err)
	switch {
	case err == nil:
		return nil, nil
	case !ok || len(failure.Findings) == 0:
		return nil, err
	}
	return failure.Findings, nil
}

// TestCheck: evaluating finds what a build would find before it builds, and
// builds nothing.
func TestCheck(t *testing.T) {
	b := newBench(t)
	attribute := "packages." + system + ".manifest"
	for path, want := range map[string]string{"failing-package": "", "ripgrp": "missing", "unfree-package": "unfree"} {
		stage := b.stage(b.workspace(func(n *workspace.Nix) { n.Packages = packages(path) }))
		b.cli.Progress = func(line string) {
			if strings.HasPrefix(line, "building ") {
				t.Errorf("%s: %s", path, line)
			}
		}
		err := b.cli.Check(context.Background(), stage, attribute)
		failure, _ := errors.AsType[*nix.Error](err)
		if got := kindOf(failure); got != want || (err == nil) != (want == "") {
			t.Errorf("%s: got %q, %v; want %q", path, got, err, want)
		}
	}
}

func kindOf(e *nix.Error) string {
	if e == nil {
		return ""
	}
	return string(e.Kind)
}

// TestUpdate: one input moves on and the other stays, then both move.
func TestUpdate(t *testing.T) {
	b := newBench(t)
	var inputs []workspace.Input
	for _, name := range []string{"one", "two"} {
		dir := filepath.Join(b.dir, name)
		writeFile(t, filepath.Join(dir, "text"), "before")
		inputs = append(inputs, workspace.Input{Name: name, Reference: path(dir)})
	}
	stage := b.stage(b.workspace(func(n *workspace.Nix) {
		n.Inputs = inputs
		for _, in := range inputs {
			n.Sources = append(n.Sources, workspace.Source{ID: "source." + in.Name, Name: in.Name, Input: in.Name})
		}
	}))
	if err := b.cli.Lock(t.Context(), stage); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		b.nix(stage, "build", "--out-link", filepath.Join(b.dir, "sources"), "path:.#sources")
		var all string
		for _, in := range inputs {
			text, err := os.ReadFile(filepath.Join(b.dir, "sources", in.Name, "text"))
			if err != nil {
				t.Fatal(err)
			}
			all += string(text) + " "
		}
		return all
	}
	for i, in := range inputs {
		writeFile(t, filepath.Join(b.dir, in.Name, "text"), "after")
		if i == 0 {
			continue
		}
		if got, want := read(), "before before "; got != want {
			t.Errorf("locked: got %q, want %q", got, want)
		}
		if err := b.cli.Update(t.Context(), stage, in.Name); err != nil {
			t.Fatal(err)
		}
		if got, want := read(), "before after "; got != want {
			t.Errorf("updated %s: got %q, want %q", in.Name, got, want)
		}
	}
	if err := b.cli.Update(t.Context(), stage); err != nil {
		t.Fatal(err)
	}
	if got, want := read(), "after after "; got != want {
		t.Errorf("updated all: got %q, want %q", got, want)
	}
	if err := b.cli.Update(t.Context(), stage, "three"); err == nil {
		t.Error("an input that is not there was updated")
	}
}
