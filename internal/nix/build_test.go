package nix_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
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
	return newBenchIn(t, t.TempDir())
}

func newBenchIn(t *testing.T, dir string) bench {
	t.Helper()
	fixture.Need(t)
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
  outputs =
    { self, nixpkgs }:
    let
      launcher = system: derivation {
        name = "agentenv";
        inherit system;
        builder = "/bin/sh";
        args = [
          "-c"
          "PATH=/bin:/usr/bin; mkdir -p $out/bin; printf '#!/bin/sh\\nprintf \"<%%s>\" \"$@\"\\n' > $out/bin/agentenv; chmod +x $out/bin/agentenv; :"
        ];
      };
    in
    {
      lib = import ./lib { agentenv = self; };
      packages.x86_64-linux.default = launcher "x86_64-linux";
      packages.aarch64-linux.default = launcher "aarch64-linux";
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

// TestBuildSmallest: without a base and a loader nothing is there but what the
// spec names.
func TestBuildSmallest(t *testing.T) {
	b := newBench(t)
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) { n.Packages = packages("hello-c") }))
	got := []any{env.Base, env.Loader, env.Shell, env.Env, env.Vars, env.MissingBase}
	want := []any{"", "", "", "", map[string]string{}, []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("base, loader, shell, env, vars, missing (-want +got)\n%s", diff)
	}
	var names []string
	for _, object := range env.Closure {
		names = append(names, object[len(nix.StoreDir)+34:])
	}
	slices.Sort(names)
	wantNames := []string{"agentenv-environment", "agentenv-manifest", "agentenv-sources", "glibc", "hello-c-1.2"}
	for i, name := range names {
		if strings.HasPrefix(name, "glibc-") {
			names[i] = "glibc"
		}
	}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Errorf("closure (-want +got)\n%s", diff)
	}
}

// TestBuildOutputs: what is installed of a package is what nix build installs,
// unless an output is chosen, in either way of writing.
func TestBuildOutputs(t *testing.T) {
	b := newBench(t)
	for name, test := range map[string]struct {
		packages []workspace.Package
		want     []string
	}{
		"default":      {packages("libgreet"), []string{"lib/libgreet.so.0"}},
		"as attribute": {packages("libgreet.dev"), []string{"include/greet.h", "lib/libgreet.so"}},
		"as output":    {[]workspace.Package{{ID: "x", Path: []string{"libgreet"}, Output: "dev"}}, []string{"include/greet.h", "lib/libgreet.so"}},
		"both":         {packages("libgreet", "libgreet.dev"), []string{"include/greet.h", "lib/libgreet.so", "lib/libgreet.so.0"}},
		"quoted name":  {[]workspace.Package{{ID: "x", Path: []string{"nodePackages", "@angular/cli"}}}, []string{"bin/angular-cli"}},
	} {
		t.Run(name, func(t *testing.T) {
			env := b.mustBuild(b.workspace(func(n *workspace.Nix) { n.Packages = test.packages }))
			got := below(t, env.Path)
			for _, file := range test.want {
				if !slices.Contains(got, "/"+file) {
					t.Errorf("the environment lacks %s; it has %q", file, got)
				}
			}
			if name == "default" && slices.Contains(got, "/include/greet.h") {
				t.Error("the environment has the output dev")
			}
		})
	}
}

// TestBuildCollision: of two packages with the same file the first one gives it.
func TestBuildCollision(t *testing.T) {
	b := newBench(t)
	for want, list := range map[string][]workspace.Package{
		"one\n": packages("same-one", "same-two"),
		"two\n": packages("same-two", "same-one"),
	} {
		env := b.mustBuild(b.workspace(func(n *workspace.Nix) { n.Packages = list }))
		text, err := os.ReadFile(filepath.Join(env.Path, "bin", "same"))
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}

// TestBuildBaseLoses: a package's file wins over the base's.
func TestBuildBaseLoses(t *testing.T) {
	b := newBench(t)
	tools := filepath.Join(b.dir, "tools")
	writeFile(t, filepath.Join(tools, "flake.nix"), `{
  inputs.nixpkgs.follows = "";
  outputs = { self, nixpkgs }: {
    packages.`+system+`.ls = derivation {
      name = "ls";
      system = "`+system+`";
      builder = "/bin/sh";
      args = [ "-c" "PATH=/bin:/usr/bin; mkdir -p $out/bin; echo mine > $out/bin/ls; :" ];
    };
  };
}
`)
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
		n.Base = true
		n.Inputs = []workspace.Input{{Name: "tools", Reference: path(tools), Flake: true}}
		n.Packages = []workspace.Package{{ID: "tools#ls", Input: "tools", Path: []string{"ls"}}}
	}))
	text, err := os.ReadFile(filepath.Join(env.Path, "bin", "ls"))
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != "mine\n" {
		t.Error("bin/ls is the base's")
	}
}

// TestBuildOneSystem: a package that another system lacks is no error on this
// one, and a finding on the other.
func TestBuildOneSystem(t *testing.T) {
	b := newBench(t)
	tools := filepath.Join(b.dir, "tools")
	writeFile(t, filepath.Join(tools, "flake.nix"), `{
  outputs = _: { packages.`+system+`.x = derivation {
    name = "x"; system = "`+system+`"; builder = "/bin/sh"; args = [ "-c" "/bin/mkdir $out; :" ];
  }; };
}
`)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Inputs = []workspace.Input{{Name: "tools", Reference: path(tools), Flake: true}}
		n.Packages = []workspace.Package{{ID: "tools#x", Input: "tools", Path: []string{"x"}}}
	})
	b.mustBuild(ws)
	other := map[string]string{"x86_64-linux": "aarch64-linux", "aarch64-linux": "x86_64-linux"}[system]
	_, err := b.cli.Build(t.Context(), b.stage(ws), "packages."+other+".manifest", filepath.Join(b.dir, "root"))
	failure, ok := errors.AsType[*nix.Error](err)
	if !ok {
		t.Fatalf("got %v, want a failure of nix", err)
	}
	want := []nix.Finding{{Entry: "tools#x", Kind: nix.KindMissing, Message: `tools has no "x" on ` + other}}
	if diff := cmp.Diff(want, failure.Findings); diff != "" {
		t.Errorf("findings (-want +got)\n%s", diff)
	}
}

func TestBuildUnfree(t *testing.T) {
	b := newBench(t)
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
		n.Packages = packages("unfree-package")
		n.Nixpkgs.Unfree = []string{"unfree-package"}
	}))
	if _, err := os.Stat(filepath.Join(env.Path, "bin", "unfree-package")); err != nil {
		t.Error(err)
	}
}

// TestBuildKeepsPolicyOut: what is allowed at launch reaches no derivation.
func TestBuildKeepsPolicyOut(t *testing.T) {
	b := newBench(t)
	ws := b.workspace(nil)
	before := b.mustBuild(ws)
	ws.Policy.Text = map[string]any{"network": map[string]any{"allow": []any{"example.org"}}}
	if after := b.mustBuild(ws); after.Manifest != before.Manifest {
		t.Errorf("the manifest was %s and is %s", before.Manifest, after.Manifest)
	}
}

// TestBuildInOddDirectory: Nix 2.8 does not decode a flake reference, so the
// name of a directory must not get into one.
func TestBuildInOddDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b%20c?d#e=$x'\"ö")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	newBenchIn(t, dir).mustBuild(newBenchIn(t, t.TempDir()).workspace(nil))
}

// TestLock: Lock pins what is not pinned, and Build takes it from there.
func TestLock(t *testing.T) {
	b := newBench(t)
	tree, err := nixgen.Generate(b.workspace(nil), "0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	first, err := nix.Stage(tree, nil, b.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cli.Lock(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(filepath.Join(first, nix.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	second, err := nix.Stage(tree, lock, b.dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.cli.Build(t.Context(), second, "packages."+system+".manifest", filepath.Join(b.dir, "root")); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(second, nix.LockFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(lock), string(after)); diff != "" {
		t.Errorf("the lock changed (-before +after)\n%s", diff)
	}
}

// TestBuildEnds: a build that is given up ends, with its builders.
func TestBuildEnds(t *testing.T) {
	b := newBench(t)
	tools := filepath.Join(b.dir, "tools")
	fifo := filepath.Join(b.dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(tools, "flake.nix"), `{
  outputs = _: { packages.`+system+`.slow = derivation {
    name = "slow"; system = "`+system+`"; builder = "/bin/sh";
    args = [ "-c" "echo $$ > `+fifo+`; exec /bin/sleep 1000" ];
  }; };
}
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var builder string
	b.cli.Progress = func(line string) {
		if strings.HasPrefix(line, "building ") && strings.Contains(line, "-slow.drv") {
			text, err := os.ReadFile(fifo) // waits for the builder
			if err != nil {
				t.Error(err)
			}
			builder = strings.TrimSpace(string(text))
			cancel()
		}
	}
	stage := b.stage(b.workspace(func(n *workspace.Nix) {
		n.Inputs = []workspace.Input{{Name: "tools", Reference: path(tools), Flake: true}}
		n.Packages = []workspace.Package{{ID: "tools#slow", Input: "tools", Path: []string{"slow"}}}
	}))
	if _, err := b.cli.Build(ctx, stage, "packages."+system+".manifest", filepath.Join(b.dir, "root")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if builder == "" {
		t.Fatal("the builder did not start")
	}
	if command, err := os.ReadFile("/proc/" + builder + "/cmdline"); err == nil && len(command) != 0 {
		t.Errorf("the builder still runs: %q", command)
	}
}

// TestOutputs has nix check and run the generated flake, as a human would.
func TestOutputs(t *testing.T) {
	b := newBench(t)
	stage := b.stage(b.workspace(func(n *workspace.Nix) {
		n.Base, n.Loader = true, true
		n.Packages = packages("ripgrep")
		n.Sources = []workspace.Source{source("hello", "hello-c")}
		n.Agents = []string{"claude", "o'brien"}
	}))
	b.nix(stage, "flake", "check", "path:.")
	b.nix(stage, "build", "--no-link", "path:.#sources.hello", "path:.#env", "path:.#default", "path:.#devShells."+system+".default")
	for app, want := range map[string]string{
		"agent":   "<launch><M><--><a><b c><--shell>",
		"default": "<launch><M><--><a><b c><--shell>",
		"claude":  "<launch><M><--agent><claude><--><a><b c><--shell>",
		"o'brien": "<launch><M><--agent><o'brien><--><a><b c><--shell>",
		"shell":   "<launch><M><--shell><--><a><b c><--shell>",
	} {
		out := b.nix(stage, "run", "path:.#\""+app+"\"", "--", "a", "b c", "--shell")
		if _, rest, found := strings.Cut(out, "<launch><"+nix.StoreDir); found {
			_, rest, _ = strings.Cut(rest, ">")
			out = "<launch><M>" + rest
		}
		if out != want {
			t.Errorf("%s: got %s, want %s", app, out, want)
		}
	}
}

func (b bench) nix(dir string, args ...string) string {
	b.t.Helper()
	cmd := exec.Command(b.cli.Program, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, b.cli.Env, b.t.Output()
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("nix %q: %v", args, err)
	}
	return string(out)
}

// TestForeignFlake: a flake of the human's own calls the library with a package
// set that it configured itself, for every system or for one.
func TestForeignFlake(t *testing.T) {
	b := newBench(t)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Packages = packages("unfree-package", "from-overlay")
		n.Inputs = []workspace.Input{{Name: "more", Reference: path("/none"), Flake: true}}
		n.Nixpkgs.Overlays = []workspace.Overlay{{ID: "more", Input: "more"}}
	})
	tree, err := nixgen.Generate(ws, "0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	set := "import inputs.nixpkgs { system = %s; config.allowUnfree = true; }"
	for name, pkgs := range map[string]string{
		"function": "system: " + strings.Replace(set, "%s", "system", 1),
		"set":      strings.Replace(set, "%s", `"`+system+`"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			dir := filepath.Join(b.dir, name)
			writeFile(t, filepath.Join(dir, "agentenv.json"), string(tree["agentenv.json"]))
			writeFile(t, filepath.Join(dir, "flake.nix"), `{
  inputs.nixpkgs = { type = "path"; path = "`+b.nixpkgs["path"].(string)+`"; };
  inputs.agentenv = { type = "path"; path = "`+b.agentenv["path"].(string)+`"; };
  outputs = inputs: inputs.agentenv.lib.mkWorkspace {
    inputs = inputs // {
      more.overlays.default = final: prev: { from-overlay = prev.same-one; };
    };
    spec = ./agentenv.json;
    pkgs = `+pkgs+`;
  };
}
`)
			b.nix(dir, "build", "--no-link", "path:.#manifest")
			b.nix(dir, "flake", "check", "--no-build", "path:.")
		})
	}
}

// TestSchema: the library says so when agentenv.json is of another release's form,
// instead of failing somewhere in it.
func TestSchema(t *testing.T) {
	b := newBench(t)
	tree, err := nixgen.Generate(b.workspace(func(*workspace.Nix) {}), "0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	tree["agentenv.json"] = bytes.Replace(tree["agentenv.json"], []byte(`"schema": 1`), []byte(`"schema": 2`), 1)
	stage, err := nix.Stage(tree, nil, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.cli.Build(t.Context(), stage, "packages."+system+".manifest", filepath.Join(t.TempDir(), "out"))
	if err == nil || !strings.Contains(err.Error(), "agentenv.json has form 2") {
		t.Errorf("error %v does not say it", err)
	}
}

// TestSurvey finds every entry that is wrong, each in its own way, by leaving
// out what was found.
func TestSurvey(t *testing.T) {
	b := newBench(t)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Packages = packages("aborting-package", "argument-package", "endless-package", "hello-c", "removed-package", "ripgrp", "unfree-package")
		n.Sources = []workspace.Source{source("abort", "aborting-package"), source("hello", "hello-c")}
	})
	var found []string
	for more := true; more; {
		_, err := b.build(ws)
		failure, ok := errors.AsType[*nix.Error](err)
		if !ok {
			break
		}
		var entries []string
		for _, f := range failure.Findings {
			entries = append(entries, f.Entry)
		}
		found = append(found, entries...)
		ws, more = nixgen.Without(ws, entries)
	}
	slices.Sort(found)
	want := []string{"aborting-package", "argument-package", "endless-package", "removed-package", "ripgrp", "source.abort", "unfree-package"}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("entries (-want +got)\n%s", diff)
	}
	b.mustBuild(ws)
}

// evaluate has Nix evaluate a file and decodes the result.
func (b bench) evaluate(file string, result any) {
	b.t.Helper()
	cmd := exec.Command("nix-instantiate", "--store", "dummy://", "--eval", "--strict", "--json", file)
	cmd.Env, cmd.Stderr = b.cli.Env, b.t.Output()
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := json.Unmarshal(out, result); err != nil {
		b.t.Fatal(err)
	}
}

// TestSurveyBase: an item of the base that aborts is left out, and named.
func TestSurveyBase(t *testing.T) {
	b := newBench(t)
	overlay := filepath.Join(b.dir, "overlay")
	writeFile(t, filepath.Join(overlay, "flake.nix"), `{
  outputs = _: { overlays.default = final: prev: { procps = abort "no procps here"; less = throw "no less here"; }; };
}
`)
	ws := b.workspace(func(n *workspace.Nix) {
		n.Base = true
		n.Inputs = []workspace.Input{{Name: "more", Reference: path(overlay), Flake: true}}
		n.Nixpkgs.Overlays = []workspace.Overlay{{ID: "more", Input: "more"}}
	})
	var missing []string
	found, err := nixgen.Survey(ws, func(ws *workspace.Workspace) ([]nix.Finding, error) {
		env, err := b.build(ws)
		if err == nil {
			missing = env.MissingBase
		}
		return findingsOf(env, err)
	}, func(f nix.Finding) string { return f.Entry })
	want := []nix.Finding{{Entry: "environment.base:procps", Kind: nix.KindOther, Message: "no procps here"}}
	if diff := cmp.Diff(want, found); diff != "" || err != nil || !nixgen.Optional(found[0].Entry) {
		t.Errorf("findings (-want +got)\n%s%v", diff, err)
	}
	if diff := cmp.Diff([]string{"less", "procps"}, missing); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
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
