package nix_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/templates"
	"github.com/agentenv/agentenv/workspace"
)

func TestMain(m *testing.M) { os.Exit(fixture.Main(m.Run)) }

// system is the one that these tests build for.
var system = map[string]string{"amd64": "x86_64-linux", "arm64": "aarch64-linux"}[runtime.GOARCH]

// bench is what a test builds with: a nix command and the flakes that a
// generated one refers to.
type bench struct {
	t        *testing.T
	dir      string
	cli      nix.CLI
	nixpkgs  workspace.Reference
	agentenv workspace.Reference
}

func newBench(t *testing.T) bench {
	t.Helper()
	fixture.Need(t)
	dir := t.TempDir()
	program, err := nix.Find(os.Getenv("PATH"), func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	set, err := fixture.Nixpkgs(filepath.Join(dir, "nixpkgs"), "")
	if err != nil {
		t.Fatal(err)
	}
	return bench{
		t:        t,
		dir:      dir,
		cli:      nix.CLI{Program: program, Env: fixture.Environ(dir), Stderr: t.Output()},
		nixpkgs:  path(set),
		agentenv: path(launcherFlake(t, filepath.Join(dir, "agentenv"))),
	}
}

func path(dir string) workspace.Reference {
	return workspace.Reference{"type": "path", "path": dir}
}

// launcherFlake makes dir a flake like agentenv's own: its Nix library, and a
// launcher that only prints how it was called.
func launcherFlake(t *testing.T, dir string) string {
	t.Helper()
	if err := os.CopyFS(dir, templates.Library); err != nil {
		t.Fatal(err)
	}
	text := `{
  inputs.nixpkgs.follows = "";
  outputs = { self, nixpkgs }: {
    lib = import ./lib { agentenv = self; };
    packages.` + system + `.default = derivation {
      name = "agentenv";
      system = "` + system + `";
      builder = "/bin/sh";
      args = [ "-c" "PATH=/bin:/usr/bin; mkdir -p $out/bin; printf '#!/bin/sh\\nprintf \"<%%s>\" \"$@\"\\n' > $out/bin/agentenv; chmod +x $out/bin/agentenv" ];
    };
  };
}
`
	writeFile(t, filepath.Join(dir, "flake.nix"), text)
	return dir
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// workspace returns a workspace of the fixture's package set.
func (b bench) workspace(change func(*workspace.Nix)) *workspace.Workspace {
	n := workspace.Nix{
		Name:     "test",
		Systems:  []string{"aarch64-linux", "x86_64-linux"},
		Out:      ".",
		Agentenv: b.agentenv,
		Nixpkgs:  workspace.Nixpkgs{Reference: b.nixpkgs},
		From:     workspace.FromNix,
	}
	if change != nil {
		change(&n)
	}
	return &workspace.Workspace{Name: n.Name, Nix: n}
}

func (b bench) stage(ws *workspace.Workspace) string {
	b.t.Helper()
	tree, err := nixgen.Generate(ws, "0.0.0")
	if err != nil {
		b.t.Fatal(err)
	}
	stage, err := nix.Stage(tree, nil, b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	return stage
}

// build builds the manifest of ws and reads it.
func (b bench) build(ws *workspace.Workspace) (*workspace.Environment, error) {
	b.t.Helper()
	manifest, err := b.cli.Build(context.Background(), b.stage(ws), "packages."+system+".manifest", filepath.Join(b.dir, "root"))
	if err != nil {
		return nil, err
	}
	return nix.ReadManifest(manifest)
}

func (b bench) mustBuild(ws *workspace.Workspace) *workspace.Environment {
	b.t.Helper()
	env, err := b.build(ws)
	if err != nil {
		b.t.Fatal(err)
	}
	return env
}

func packages(paths ...string) []workspace.Package {
	var list []workspace.Package
	for _, p := range paths {
		list = append(list, workspace.Package{ID: p, Path: strings.Split(p, ".")})
	}
	return list
}

func source(name string, path ...string) workspace.Source {
	return workspace.Source{ID: "source." + name, Name: name, Package: strings.Join(path, "."), Path: path}
}

func TestBuild(t *testing.T) {
	b := newBench(t)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Base, n.Loader = true, true
		n.Packages = packages("ripgrep")
		n.Agents = []string{"claude"}
	})
	env := b.mustBuild(ws)

	want := workspace.Environment{
		Workspace: "test",
		Digest:    nixgen.Digest(ws.Nix),
		System:    system,
	}
	got := workspace.Environment{Workspace: env.Workspace, Digest: env.Digest, System: env.System}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment (-want +got)\n%s", diff)
	}
	for _, name := range []string{"rg", "bash", "ls", "git"} {
		out, err := exec.Command(filepath.Join(env.Path, "bin", name), "--version").CombinedOutput()
		if err != nil {
			t.Errorf("run %s of the environment: %v\n%s", name, err, out)
		}
	}
	for _, file := range []string{env.Loader, env.Shell, env.Env, env.Base, env.Vars["SSL_CERT_FILE"], env.Vars["TZDIR"]} {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("a file that the manifest names: %v", err)
		}
	}
	if diff := cmp.Diff(requisites(t, b, env.Manifest), env.Closure); diff != "" {
		t.Errorf("closure (-nix-store +ours)\n%s", diff)
	}
}

// requisites asks Nix for the closure of a path.
func requisites(t *testing.T, b bench, path string) []string {
	t.Helper()
	cmd := exec.Command("nix-store", "-qR", path)
	cmd.Env = b.cli.Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.Fields(string(out))
	slices.Sort(paths)
	return paths
}
