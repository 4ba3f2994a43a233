// Package team_test holds what the example says of itself.
package team_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

// colleague is somebody who has the repository.
type colleague struct {
	home string
	user string // their user.hcl, if any
	vars []hcl.Given
}

// load loads the spec of the repository in root, as a colleague has it.
func (c colleague) load(t *testing.T, repository string) (*workspace.Workspace, *hcl.Report) {
	t.Helper()
	root, err := os.OpenRoot(repository)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	src, err := root.ReadFile("workspace.hcl")
	if err != nil {
		t.Fatal(err)
	}
	return hcl.Load(src, c.home+"/src/shop/workspace.hcl", hcl.Options{
		Home: c.home, Release: "github:agentenv/agentenv/v0.1.0", Vars: c.vars,
		Read: func(tree, file string) ([]byte, error) { return root.ReadFile(path.Join(tree, file)) },
		HashTree: func(tree string) (string, error) {
			vendored, err := root.OpenRoot(tree)
			if err != nil {
				return "", err
			}
			defer vendored.Close()
			return nix.HashTree(vendored)
		},
		User: func(name string) (hcl.Source, error) {
			if name != "user" || c.user == "" {
				return hcl.Source{}, nil
			}
			return hcl.Source{Name: c.home + "/.config/agentenv/user.hcl", Src: []byte(c.user)}, nil
		},
	})
}

func TestTeam(t *testing.T) {
	user, err := os.ReadFile("user/user.hcl")
	if err != nil {
		t.Fatal(err)
	}
	ws, report := colleague{home: "/home/ann", user: string(user)}.load(t, ".")
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	p := ws.Policy
	var got []string
	add := func(what string, at workspace.Position) {
		rel, err := filepath.Rel("/home/ann", at.File)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, what+" by "+filepath.Base(filepath.Dir(rel))+"/"+filepath.Base(rel))
	}
	for _, pkg := range ws.Nix.Packages {
		add(pkg.ID, ws.Nix.Positions[pkg.ID])
	}
	for _, c := range p.Checkouts {
		add(c.Path, c.At)
	}
	for _, e := range p.Network.Allow {
		add(e.Host, e.At)
	}
	for _, f := range p.Forbidden.Read {
		add("not "+f.Path, f.At)
	}
	add(p.Agents[0].Program+" "+strings.Join(p.Agents[0].Args, " "), p.Agents[0].At)
	add("limit", p.Limits.Processes.At)
	want := []string{
		"claude-code by hcl/go.hcl", "go_1_25 by hcl/go.hcl", "gopls by hcl/go.hcl", "sqlite by shop/workspace.hcl",
		"/home/ann/src/contracts by shop/workspace.hcl", "/home/ann/notes by agentenv/user.hcl",
		"api.anthropic.com by hcl/hosts.hcl", "goproxy.example.org by hcl/hosts.hcl", "db.example.org by shop/workspace.hcl",
		"not /home/ann/clients by agentenv/user.hcl",
		"claude --dangerously-skip-permissions by hcl/go.hcl",
		"limit by agentenv/user.hcl",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is granted, and by which file (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"GOPROXY": "https://goproxy.example.org", "PAGER": "less"}, p.Set); diff != "" {
		t.Error(diff)
	}
}

// TestSameFilesForEverybody: two people with different homes, user files and
// values of variables generate the same bytes.
func TestSameFilesForEverybody(t *testing.T) {
	user, err := os.ReadFile("user/user.hcl")
	if err != nil {
		t.Fatal(err)
	}
	generate := func(c colleague) nixgen.Tree {
		ws, report := c.load(t, ".")
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		tree, err := nixgen.Generate(ws, "0.1.0")
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	ann := generate(colleague{home: "/home/ann", user: string(user)})
	for name, other := range map[string]colleague{
		"nothing of their own": {home: "/Users/bob"},
		"a variable":           {home: "/home/cid", vars: []hcl.Given{{Name: "go", Value: "1_99", From: "--var"}}},
		"an agent, and less": {home: "/home/dee", user: "agent \"mine\" {\n program = \"mine\"\n}\n" +
			"remove {\n network {\n allow = [\"db.example.org:5432\"]\n }\n checkout \"contracts\" {}\n}\nlocals {\n proxy = home\n}\n"},
	} {
		theirs := generate(other)
		if diff := cmp.Diff(ann, theirs); diff != "" {
			t.Errorf("%s: (-ann +theirs)\n%s", name, diff)
		}
	}
	for name, text := range maps.All(ann) {
		if strings.Contains(string(text), "/home/") || strings.Contains(string(text), "notes") {
			t.Errorf("%s has something of one colleague's:\n%s", name, text)
		}
	}
}

// TestForbidden: what a colleague forbids, the team's next spec cannot open.
func TestForbidden(t *testing.T) {
	_, report := colleague{home: "/home/ann", user: "forbid {\n read = [\"~/src/contracts\"]\n}\n"}.load(t, ".")
	if ds := report.Diagnostics(); len(ds) != 1 || ds[0].Summary != "Forbidden path" || filepath.Base(ds[0].Subject.Filename) != "workspace.hcl" {
		t.Errorf("%v", report.Err())
	}
}

// TestChangedCopy: a change of the copy shows.
func TestChangedCopy(t *testing.T) {
	for name, change := range map[string]func(dir string) error{
		"a host more": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "hcl/hosts.hcl"), []byte("network {\n allow = [\"evil.example.org:443\"]\n}\n"), 0o644)
		},
		"a file more": func(dir string) error { return os.WriteFile(filepath.Join(dir, "more"), nil, 0o644) },
		"a link": func(dir string) error {
			file := filepath.Join(dir, "hcl/hosts.hcl")
			if err := os.Rename(file, filepath.Join(dir, "moved")); err != nil {
				return err
			}
			return os.Symlink("../moved", file)
		},
	} {
		repository := t.TempDir()
		if err := os.CopyFS(repository, os.DirFS(".")); err != nil {
			t.Fatal(err)
		}
		if _, report := (colleague{home: "/home/ann"}).load(t, repository); report.HasErrors() {
			t.Fatalf("an unchanged copy: %v", report.Err())
		}
		if err := change(filepath.Join(repository, "agentenv.d/platform")); err != nil {
			t.Fatal(err)
		}
		_, report := colleague{home: "/home/ann"}.load(t, repository)
		if ds := report.Diagnostics(); len(ds) != 1 || ds[0].Summary != "Include changed" {
			t.Errorf("%s: %v", name, report.Err())
		}
	}
}
