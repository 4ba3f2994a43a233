package nix_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/workspace"
)

// TestFailures has builds and downloads fail, and wants the kind and, where the
// trace or the chain of builds leads to one, the entry.
func TestFailures(t *testing.T) {
	b := newBench(t)
	for i, variable := range b.cli.Env {
		if strings.HasPrefix(variable, "NIX_CONFIG=") {
			b.cli.Env[i] += "download-attempts = 1\n"
		}
	}
	tools := filepath.Join(b.dir, "tools")
	writeFile(t, filepath.Join(tools, "flake.nix"), `{
  outputs =
    _:
    let
      fixed = attrs: derivation ({
        name = "x.txt";
        system = "`+system+`";
        outputHash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        outputHashMode = "flat";
      } // attrs);
      package = src: derivation {
        name = "package";
        system = "`+system+`";
        builder = "/bin/sh";
        args = [ "-c" "/bin/mkdir $out; :" ];
      } // { inherit src; };
    in
    {
      packages.`+system+` = {
        changed = package (fixed { builder = "/bin/sh"; args = [ "-c" "echo x > $out" ]; });
        gone = package (fixed { builder = "builtin:fetchurl"; url = "http://127.0.0.1:1/x.txt"; });
        broken = package (derivation { name = "x"; system = "`+system+`"; builder = "/bin/sh"; args = [ "-c" "exit 3" ]; });
      };
    };
}
`)
	flake := workspace.Input{Name: "tools", Reference: path(tools), Flake: true}
	for name, test := range map[string]struct {
		input workspace.Input
		path  string
		kind  nix.Kind
		entry string
	}{
		"hash":    {flake, "changed", nix.KindHash, "source.it"},
		"offline": {flake, "gone", nix.KindOffline, "source.it"},
		"build":   {flake, "broken", nix.KindBuild, "source.it"},
		"offline input": {
			workspace.Input{Name: "tools", Reference: workspace.Reference{"type": "tarball", "url": "http://127.0.0.1:1/x.tar.gz"}},
			"x", nix.KindOffline, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.build(b.workspace(func(n *workspace.Nix) {
				n.Inputs = []workspace.Input{test.input}
				n.Sources = []workspace.Source{{ID: "source.it", Name: "it", Input: "tools", Path: []string{test.path}}}
			}))
			failure, ok := errors.AsType[*nix.Error](err)
			if !ok {
				t.Fatalf("got %v, want a failure of nix", err)
			}
			entry := ""
			if len(failure.Findings) != 0 {
				entry = failure.Findings[0].Entry
			}
			if failure.Kind != test.kind || entry != test.entry || len(failure.Findings) > 1 {
				t.Errorf("got %s of %q, want %s of %q\n%s", failure.Kind, entry, test.kind, test.entry, failure.Detail)
			}
		})
	}
}
