package nix_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/workspace"
)

// TestFindings builds workspaces that each have something wrong, and wants the
// entry, the kind and the message of it.
func TestFindings(t *testing.T) {
	b := newBench(t)
	for name, test := range map[string]struct {
		change func(*workspace.Nix)
		want   []nix.Finding
	}{
		"missing, all at once": {
			func(n *workspace.Nix) {
				n.Packages = packages("ripgrp", "ripgrep", "zzz", "nodePackages.@angular/cl1", "ripgrep.dev", "package-text.x")
				n.Sources = []workspace.Source{source("hello", "hello-d")}
			},
			[]nix.Finding{
				{"ripgrp", nix.KindMissing, `nixpkgs has no "ripgrp" on ` + system + `; near: ripgrep`},
				{"zzz", nix.KindMissing, `nixpkgs has no "zzz" on ` + system},
				{"nodePackages.@angular/cl1", nix.KindMissing, `nixpkgs#nodePackages has no "@angular/cl1" on ` + system + `; near: @angular/cli`},
				{"ripgrep.dev", nix.KindMissing, `nixpkgs#ripgrep has no "dev" on ` + system},
				{"package-text.x", nix.KindMissing, `nixpkgs#package-text has no "x" on ` + system},
				{"source.hello", nix.KindMissing, `nixpkgs has no "hello-d" on ` + system + `; near: hello-c`},
			},
		},
		"output": {
			func(n *workspace.Nix) {
				n.Packages = []workspace.Package{{ID: "libgreet^man", Path: []string{"libgreet"}, Output: "man"}}
			},
			[]nix.Finding{{"libgreet^man", nix.KindMissing, `nixpkgs#libgreet has no output "man"; it has: out, dev`}},
		},
		"no packages": {
			func(n *workspace.Nix) { n.Packages = packages("package-set", "package-function", "package-text") },
			[]nix.Finding{
				{"package-set", nix.KindEntry, "nixpkgs#package-set is a set, not a package"},
				{"package-function", nix.KindEntry, "nixpkgs#package-function is a lambda, not a package"},
				{"package-text", nix.KindEntry, "nixpkgs#package-text is a string, not a package"},
			},
		},
		"no sources": {
			func(n *workspace.Nix) {
				n.Sources = []workspace.Source{source("a", "source-none"), source("b", "source-null"), source("../b", "hello-c"), source("index.json", "hello-c")}
			},
			[]nix.Finding{
				{"source.a", nix.KindNoSource, "source-none-1.0 has no source of its own: it is made by a build command"},
				{"source.b", nix.KindNoSource, "source-null-1.0 has no source of its own: it is made by a build command"},
				{"source.../b", nix.KindEntry, `"../b" cannot be the name of a source tree`},
				{"source.index.json", nix.KindEntry, `"index.json" cannot be the name of a source tree`},
			},
		},
		"attributes": {
			func(n *workspace.Nix) {
				n.Sources = []workspace.Source{source("a", "vendoring"), source("b", "tinyjson"), source("c", "hello-c"), source("d", "source-throws")}
				for i, attribute := range [][]string{{"goModule"}, {"goModules"}, {"meta", "license"}, {"pname"}} {
					n.Sources[i].Attribute = attribute
				}
			},
			[]nix.Finding{
				{"source.a", nix.KindMissing, `vendoring-1.0 has no attribute "goModule"; near: goModules`},
				{"source.b", nix.KindNoSource, "tinyjson-0.9.0 has nothing at goModules: it is empty"},
				{"source.c", nix.KindNoSource, "hello-c-1.2 has a set at meta.license, not a source"},
				{"source.d", nix.KindNoSource, "source-throws-1.0 has a string at pname, not a source"},
			},
		},
		"an archive without a tool": {
			func(n *workspace.Nix) { n.Sources = []workspace.Source{source("x", "source-sevenz")} },
			[]nix.Finding{{"source.x", nix.KindSource, "x.7z is a 7z archive, and the package set has no tool for it"}},
		},
		"a patch that does not apply": {
			func(n *workspace.Nix) {
				n.Sources = []workspace.Source{source("x", "source-mispatched")}
				n.Sources[0].Patched = true
			},
			[]nix.Finding{{"source.x", nix.KindSource, "the patch hello-c-spanish.patch does not apply to the source as it was fetched"}},
		},
		"a name that dies": {
			func(n *workspace.Nix) { n.Sources = []workspace.Source{source("x", "source-nameless")} },
			[]nix.Finding{{"source.x", nix.KindOther, "this package has no name"}},
		},
		"metadata that dies": {
			func(n *workspace.Nix) { n.Sources = []workspace.Source{source("x", "source-meta")} },
			[]nix.Finding{{"source.x", nix.KindOther, "this package has no home"}},
		},
		"no input": {
			func(n *workspace.Nix) {
				n.Packages = []workspace.Package{{ID: "tools#x", Input: "tools", Path: []string{"x"}}}
				n.Sources = []workspace.Source{{ID: "source.rfcs", Name: "rfcs", Input: "rfcs"}}
			},
			[]nix.Finding{
				{"tools#x", nix.KindMissing, `the flake has no input "tools"`},
				{"source.rfcs", nix.KindMissing, `the flake has no input "rfcs"`},
			},
		},
		"unfree": {
			func(n *workspace.Nix) { n.Packages = packages("ripgrep", "unfree-package") },
			[]nix.Finding{{"unfree-package", nix.KindUnfree, "Package ‘unfree-package-1.0’ has an unfree license, refusing to evaluate."}},
		},
		"insecure": {
			func(n *workspace.Nix) { n.Packages = packages("insecure-package") },
			[]nix.Finding{{"insecure-package", nix.KindRefused, "Package ‘insecure-package-1.0’ is marked as insecure, refusing to evaluate."}},
		},
		"removed": {
			func(n *workspace.Nix) { n.Packages = packages("removed-package") },
			[]nix.Finding{{"removed-package", nix.KindOther, "removed-package has been removed, use hello-c instead"}},
		},
		"abort": {
			func(n *workspace.Nix) { n.Packages = packages("aborting-package") },
			[]nix.Finding{{"aborting-package", nix.KindOther, "aborting-package gave up"}},
		},
		"missing argument": {
			func(n *workspace.Nix) { n.Sources = []workspace.Source{source("x", "argument-package")} },
			[]nix.Finding{{"source.x", nix.KindOther, "anonymous function at FILE called without required argument 'missing'"}},
		},
		"endless": {
			func(n *workspace.Nix) { n.Packages = packages("endless-package") },
			[]nix.Finding{{"endless-package", nix.KindOther, "infinite recursion encountered"}},
		},
		"an id in need of quotes": {
			func(n *workspace.Nix) {
				n.Packages = []workspace.Package{{ID: "a\"b\\c\n${d}", Path: []string{"zzz"}}}
			},
			[]nix.Finding{{"a\"b\\c\n${d}", nix.KindMissing, `nixpkgs has no "zzz" on ` + system}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.wantFindings(test.change, test.want)
		})
	}
}

// wantFindings builds a workspace and wants it to fail with these findings. The
// places in messages of Nix are left out.
func (b bench) wantFindings(change func(*workspace.Nix), want []nix.Finding) {
	t := b.t
	t.Helper()
	_, err := b.build(b.workspace(change))
	failure, ok := errors.AsType[*nix.Error](err)
	if !ok {
		t.Fatalf("got %v, want a failure of nix", err)
	}
	for i, f := range failure.Findings {
		if before, after, found := strings.Cut(f.Message, " at /nix/store/"); found {
			_, after, _ = strings.Cut(after, " ")
			failure.Findings[i].Message = before + " at FILE " + after
		}
		// As newer versions of Nix have it.
		failure.Findings[i].Message = strings.Replace(failure.Findings[i].Message, "function 'anonymous lambda' called", "anonymous function at FILE called", 1)
	}
	if diff := cmp.Diff(want, failure.Findings); diff != "" {
		t.Errorf("findings (-want +got)\n%s\n%s", diff, failure.Detail)
	}
}
