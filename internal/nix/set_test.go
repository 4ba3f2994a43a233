package nix_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/workspace"
)

// overlays is a flake that has overlays in all places where flakes keep them.
func (b bench) overlays() workspace.Input {
	b.t.Helper()
	dir := filepath.Join(b.dir, "overlays")
	writeFile(b.t, filepath.Join(dir, "flake.nix"), `{
  outputs =
    { self }:
    let
      script = prev: pname: prev.same-one.overrideAttrs (_: { inherit pname; });
    in
    {
      overlays.default = final: prev: { from-default = script prev "from-default"; };
      overlays.second = final: prev: {
        from-second = final.from-default.overrideAttrs (_: { pname = "from-second"; });
        same-one = throw "the overlay took it away";
      };
      old.style = final: prev: { from-old = script prev "from-old"; };
      overlays.text = "x";
      overlays.aborts = final: prev: abort "the overlay gave up";
    };
}
`)
	return workspace.Input{Name: "more", Reference: path(dir), Flake: true}
}

// TestPackageSet builds what only a configured package set has.
func TestPackageSet(t *testing.T) {
	b := newBench(t)
	for name, test := range map[string]struct {
		change func(*workspace.Nix)
		want   []string
	}{
		"insecure": {
			func(n *workspace.Nix) {
				n.Packages = packages("insecure-package")
				n.Nixpkgs.Insecure = []string{"insecure-package-1.0"}
			},
			[]string{"bin/insecure-package"},
		},
		"overlays, each upon the one before": {
			func(n *workspace.Nix) {
				n.Inputs = []workspace.Input{b.overlays()}
				n.Packages = packages("from-default", "from-second", "from-old")
				n.Nixpkgs.Overlays = []workspace.Overlay{
					{ID: "more", Input: "more"},
					{ID: "more#old.style", Input: "more", Path: []string{"old", "style"}},
					{ID: "more#second", Input: "more", Path: []string{"second"}},
				}
			},
			[]string{"bin/same"},
		},
		"the default by its full name": {
			func(n *workspace.Nix) {
				n.Inputs = []workspace.Input{b.overlays()}
				n.Packages = packages("from-default")
				n.Nixpkgs.Overlays = []workspace.Overlay{{ID: "more", Input: "more", Path: []string{"overlays", "default"}}}
			},
			[]string{"bin/same"},
		},
		"with": {
			func(n *workspace.Nix) {
				n.Packages = []workspace.Package{
					{ID: "package.python3", Path: []string{"python3"}, With: []string{"dotted.name", "nested.deep", "numpy"}},
					{ID: "package.ghc", Path: []string{"ghcSet"}, With: []string{"requests"}},
				}
			},
			[]string{"bin/dotted", "bin/deep", "bin/numpy", "bin/requests"},
		},
		"with, of a set within the package": {
			func(n *workspace.Nix) {
				n.Packages = []workspace.Package{{ID: "package.emacs", Path: []string{"emacs"}, With: []string{"numpy"}}}
			},
			[]string{"bin/numpy"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			env := b.mustBuild(b.workspace(test.change))
			for _, file := range test.want {
				if _, err := os.Stat(filepath.Join(env.Path, file)); err != nil {
					t.Errorf("%v; the environment has %q", err, below(t, env.Path))
				}
			}
		})
	}
}

// TestLibraryVars: headers and libraries of what a library propagates are there
// too, the programs of a library are not.
func TestLibraryVars(t *testing.T) {
	b := newBench(t)
	env := b.mustBuild(b.workspace(func(n *workspace.Nix) { n.Libraries = packages("libgreet", "same-one") }))
	tree := env.Vars["CMAKE_PREFIX_PATH"]
	want := map[string]string{
		"C_INCLUDE_PATH": tree + "/include", "CPLUS_INCLUDE_PATH": tree + "/include",
		"LIBRARY_PATH": tree + "/lib", "LD_RUN_PATH": tree + "/lib",
		"PKG_CONFIG_PATH":   tree + "/lib/pkgconfig:" + tree + "/share/pkgconfig",
		"CMAKE_PREFIX_PATH": tree,
	}
	if diff := cmp.Diff(want, env.Vars); diff != "" {
		t.Errorf("variables (-want +got)\n%s", diff)
	}
	if !slices.Contains(env.Closure, tree) {
		t.Errorf("%s is not in the closure", tree)
	}
	files := below(t, tree)
	for _, file := range []string{"/include/greet.h", "/include/hour.h", "/lib/libgreet.so", "/lib/libgreet.so.0", "/lib/pkgconfig/libgreet.pc", "/share/pkgconfig/libhour.pc"} {
		if !slices.Contains(files, file) {
			t.Errorf("the libraries lack %s; they have %q", file, files)
		}
	}
	if slices.Contains(files, "/bin") {
		t.Errorf("the libraries have programs: %q", files)
	}
}

// TestSetFindings: what can be wrong with the set and with what is put into a
// package.
func TestSetFindings(t *testing.T) {
	b := newBench(t)
	overlay := func(id string, path ...string) func(*workspace.Nix) {
		return func(n *workspace.Nix) {
			n.Inputs = []workspace.Input{b.overlays()}
			n.Nixpkgs.Overlays = []workspace.Overlay{{ID: id, Input: "more", Path: path}}
			n.Packages = packages("only-with-the-overlay")
		}
	}
	with := func(path string, names ...string) func(*workspace.Nix) {
		return func(n *workspace.Nix) {
			n.Packages = []workspace.Package{{ID: "package.it", Path: []string{path}, With: names}}
		}
	}
	for name, test := range map[string]struct {
		change func(*workspace.Nix)
		want   []nix.Finding
	}{
		"overlay, near":  {overlay("o", "secund"), []nix.Finding{{"o", nix.KindMissing, `more has no overlay "secund"; near: second`}}},
		"overlay, far":   {overlay("o", "zzz"), []nix.Finding{{"o", nix.KindMissing, `more has no overlay "zzz"; it has: aborts, default, second, text`}}},
		"no overlay":     {overlay("o", "text"), []nix.Finding{{"o", nix.KindEntry, `more has a string at "text", not an overlay`}}},
		"overlay aborts": {overlay("o", "aborts"), []nix.Finding{{"o", nix.KindOther, "the overlay gave up"}}},
		"with, all names": {with("python3", "nump", "numpy", "zzz", "nested.dep"), []nix.Finding{
			{"package.it", nix.KindMissing, `nixpkgs#python3 has no "nump" to put into it; near: numpy`},
			{"package.it", nix.KindMissing, `nixpkgs#python3 has no "zzz" to put into it`},
			{"package.it", nix.KindMissing, `nixpkgs#python3 has no "nested.dep" to put into it; near: deep`},
		}},
		"with, unfree": {with("python3", "unfree"), []nix.Finding{{"package.it", nix.KindUnfree, "Package ‘unfree-package-1.0’ has an unfree license, refusing to evaluate."}}},
		"no with":      {with("ripgrep", "numpy"), []nix.Finding{{"package.it", nix.KindEntry, "nixpkgs#ripgrep has no withPackages: nothing can be put into it"}}},
		"library": {
			func(n *workspace.Nix) { n.Libraries = packages("libgret", "unfree-package") },
			[]nix.Finding{{"libgret", nix.KindMissing, `nixpkgs has no "libgret" on ` + system + `; near: libgreet`}},
		},
		"library, unfree": {
			func(n *workspace.Nix) { n.Libraries = packages("unfree-package") },
			[]nix.Finding{{"unfree-package", nix.KindUnfree, "Package ‘unfree-package-1.0’ has an unfree license, refusing to evaluate."}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.wantFindings(test.change, test.want)
		})
	}
}
