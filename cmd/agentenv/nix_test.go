package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/templates"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestNixScripts runs testdata/nix: commands that have a real Nix evaluate and
// build. In specs, @nixpkgs@ is the package set, @agentenv@ a flake with the
// library and a launcher that does nothing, and @work@ the script's directory.
func TestNixScripts(t *testing.T) {
	fixture.Need(t)
	dir := t.TempDir()
	set, err := fixture.Nixpkgs(filepath.Join(dir, "nixpkgs"), "")
	if err != nil {
		t.Fatal(err)
	}
	launcher := launcherFlake(t, filepath.Join(dir, "agentenv"))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/nix",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": cmdStatus},
		Setup: func(e *testscript.Env) error {
			if err := ownHome(e); err != nil {
				return err
			}
			path := e.Getenv("PATH")
			for _, kv := range fixture.Environ(e.WorkDir) {
				name, value, _ := strings.Cut(kv, "=")
				e.Setenv(name, value)
			}
			e.Setenv("PATH", path)
			return fill(e.WorkDir, "@nixpkgs@", set, "@agentenv@", launcher, "@work@", e.WorkDir)
		},
	})
}

// launcherFlake makes dir a flake like agentenv's own.
func launcherFlake(t *testing.T, dir string) string {
	t.Helper()
	if err := os.CopyFS(dir, templates.Library); err != nil {
		t.Fatal(err)
	}
	text := `{
  inputs.nixpkgs.follows = "";
  outputs =
    { self, nixpkgs }:
    {
      lib = import ./lib { agentenv = self; };
      packages = builtins.listToAttrs (
        map (system: {
          name = system;
          value.default = derivation {
            name = "agentenv";
            inherit system;
            builder = "/bin/sh";
            args = [ "-c" "PATH=/bin:/usr/bin; mkdir -p $out/bin; : >$out/bin/agentenv" ];
          };
        }) [ "x86_64-linux" "aarch64-linux" ]
      );
    };
}
`
	if err := os.WriteFile(filepath.Join(dir, "flake.nix"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fill replaces words in every file of a script.
func fill(dir string, words ...string) error {
	r := strings.NewReplacer(words...)
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(r.Replace(string(text))), 0o644)
	})
}
