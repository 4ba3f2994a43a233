package nix_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

var texts = flag.Int("texts", 4000, "how many random texts TestInjection puts through Nix")

// fragments are what random texts are made of: all that means something to Nix,
// to JSON, to a shell, to git or to a URL, and letters.
var fragments = []string{
	"$", "${", "}", "\"", "\\", "''", "'", "\n", "\r", "\t", " ", "\x00", "\x01", "\x7f", "\xff", "\xed\xa0\x80", "\u2028", "\ufeff", "ö", "😀",
	"a", "b", "Z", "0", "9", "-", "_", ".", "..", "/", "//", "#", "?", "&", "=", "%", "%00", "%2F", "^", "@", ":", ";", "(", ")", "[", "]", "{", "*", "~", "!", "|", "<", ">", "`",
	"import", "builtins", "or", "inherit", "__functor", "outPath", "type", "rev=", "?dir=", "--upload-pack=", "ext::", "$(id)", "\\u0000", "/*", "*/", "EOF",
}

func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(6) {
		b.WriteString(fragments[random.IntN(len(fragments))])
	}
	return b.String()
}

// TestInjection puts random texts into every place of a workspace that holds
// text, and has Nix read the generated files back: each text either arrives as it
// was, or was refused before anything was written.
func TestInjection(t *testing.T) {
	b := newBench(t)
	random := rand.New(rand.NewPCG(3, 4))
	const batch = 2000
	refused := 0
	for done := 0; done < *texts; done += batch {
		var want []string
		ws := b.workspace(nil)
		for range min(batch, *texts-done) {
			text := randomText(random)
			next := withText(*ws, len(want), text)
			if _, err := nixgen.Generate(onlyLast(next), "0.0.0"); err != nil {
				refused++
				continue
			}
			ws, want = next, append(want, text)
		}
		tree, err := nixgen.Generate(ws, "0.0.0")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, b.readBack(tree)); diff != "" {
			t.Fatalf("texts (-Go +Nix)\n%s", diff)
		}
	}
	if refused == 0 || refused > *texts/2 {
		t.Errorf("%d of %d texts were refused", refused, *texts)
	}
}

// withText returns ws with text in the place whose turn it is.
func withText(ws workspace.Workspace, number int, text string) *workspace.Workspace {
	n := &ws.Nix
	name := fmt.Sprintf("i%06d", number)
	switch number % 4 {
	case 0:
		n.Inputs = append(n.Inputs, workspace.Input{Name: name, Reference: workspace.Reference{"type": "git", "url": "https://example.org", "ref": text}})
	case 1:
		n.Inputs = append(n.Inputs, workspace.Input{Name: name, Reference: workspace.Reference{"type": "path", "path": text}, Follows: map[string]string{text: text}})
	case 2:
		n.Packages = append(n.Packages, workspace.Package{ID: text, Path: []string{text, text}, With: []string{text}})
	case 3:
		n.Sources = append(n.Sources, workspace.Source{ID: text, Name: text, Package: text, Path: []string{text}, Attribute: []string{text}})
	}
	return &ws
}

// onlyLast keeps of ws what was added last: generating all of it for each text
// would take long.
func onlyLast(ws *workspace.Workspace) *workspace.Workspace {
	last := *ws
	last.Nix.Inputs = last.Nix.Inputs[max(0, len(last.Nix.Inputs)-1):]
	last.Nix.Packages = last.Nix.Packages[max(0, len(last.Nix.Packages)-1):]
	last.Nix.Sources = last.Nix.Sources[max(0, len(last.Nix.Sources)-1):]
	return &last
}

// readBack returns the texts that withText put into ws, in that order, as Nix
// reads them. A text that stands in several places is returned once, if it is the
// same in all of them.
func (b bench) readBack(tree nixgen.Tree) []string {
	b.t.Helper()
	dir := b.t.TempDir()
	for name, text := range tree {
		writeFile(b.t, filepath.Join(dir, name), string(text))
	}
	writeFile(b.t, filepath.Join(dir, "read.nix"), `let
  inputs = removeAttrs (import ./flake.nix).inputs [ "agentenv" "nixpkgs" ];
  nix = (builtins.fromJSON (builtins.readFile ./agentenv.json)).nix;
  one = texts: if builtins.all (text: text == builtins.head texts) texts then builtins.head texts else throw (builtins.toJSON texts);
  ofInput = name: input: {
    inherit name;
    value = one (
      if input ? ref then [ input.ref ]
      else [ input.path ] ++ builtins.attrNames input.inputs ++ map (i: i.follows) (builtins.attrValues input.inputs)
    );
  };
in {
  inputs = builtins.attrValues (builtins.mapAttrs ofInput inputs);
  packages = map (p: one ([ p.id ] ++ p.path ++ p."with")) nix.packages;
  sources = map (s: one ([ s.id s.name s.package ] ++ s.path ++ s.attribute)) nix.sources;
}
`)
	var read struct {
		Inputs []struct {
			Name, Value string
		}
		Packages, Sources []string
	}
	b.evaluate(filepath.Join(dir, "read.nix"), &read)
	var texts []string
	inputs := read.Inputs
	for number := 0; len(inputs)+len(read.Packages)+len(read.Sources) > 0; number++ {
		switch number % 4 {
		case 0, 1:
			texts, inputs = append(texts, inputs[0].Value), inputs[1:]
		case 2:
			texts, read.Packages = append(texts, read.Packages[0]), read.Packages[1:]
		case 3:
			texts, read.Sources = append(texts, read.Sources[0]), read.Sources[1:]
		}
	}
	return texts
}

// TestNothingOfTheProjectIsCopied generates beside files that must stay where
// they are, builds, and looks for them in the store, in a git tree and outside.
func TestNothingOfTheProjectIsCopied(t *testing.T) {
	b := newBench(t)
	for _, git := range []bool{true, false} {
		t.Run(fmt.Sprintf("git %t", git), func(t *testing.T) {
			b.t = t
			project := t.TempDir()
			secret := fmt.Sprintf("SECRET-%s-%d", filepath.Base(filepath.Dir(b.dir)), rand.Uint64())
			writeFile(t, filepath.Join(project, ".env"), secret)
			if git {
				for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} {
					cmd := exec.Command("git", append([]string{"-C", project}, args...)...)
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Fatalf("git %q: %v\n%s", args, err, out)
					}
				}
			}
			tree, err := nixgen.Generate(b.workspace(func(n *workspace.Nix) { n.Packages = packages("same-one") }), "0.0.0")
			if err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(project)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			if _, err := tree.Write(root); err != nil {
				t.Fatal(err)
			}
			before := stored(t)
			stage, err := nix.Stage(tree, nil, b.dir)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.cli.Build(t.Context(), stage, "packages."+system+".manifest", filepath.Join(b.dir, "root")); err != nil {
				t.Fatal(err)
			}
			for _, object := range stored(t) {
				if slices.Contains(before, object) {
					continue
				}
				out, err := exec.Command("grep", "-rlF", secret, filepath.Join(nix.StoreDir, object)).Output()
				if len(out) > 0 || err == nil {
					t.Errorf("the store has it: %s", out)
				}
			}
		})
	}
}

func stored(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(nix.StoreDir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestPolicyChangesNothing: whatever changes on the launch side, the bytes of the
// environment side and the digest stay.
func TestPolicyChangesNothing(t *testing.T) {
	base := func() *workspace.Workspace {
		return &workspace.Workspace{Nix: workspace.Nix{
			Name: "x", Systems: []string{system}, Agentenv: workspace.Reference{"type": "path", "path": "/a"},
			Nixpkgs: workspace.Nixpkgs{Reference: workspace.Reference{"type": "path", "path": "/n"}},
		}}
	}
	part := func(ws *workspace.Workspace) string {
		tree, err := nixgen.Generate(ws, "0.0.0")
		if err != nil {
			t.Fatal(err)
		}
		before, _, found := strings.Cut(string(tree["agentenv.json"]), `"policy"`)
		if !found {
			t.Fatal("agentenv.json has no policy")
		}
		return before + string(tree["flake.nix"])
	}
	want := part(base())
	random := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		ws := base()
		ws.Dir, ws.File = randomText(random), randomText(random)
		ws.Nix.Positions = map[string]workspace.Position{randomText(random): {Line: random.IntN(9)}}
		ws.Policy.Set = map[string]string{randomText(random): randomText(random)}
		ws.Policy.Checkouts = []workspace.Checkout{{Name: randomText(random), Path: randomText(random)}}
		ws.Policy.Project.Path = randomText(random)
		clean := strings.ToValidUTF8(strings.ReplaceAll(randomText(random), "\x00", ""), "")
		ws.Policy.Text = map[string]any{"network": map[string]any{"allow": []any{clean}}, "checkout": map[string]any{clean: clean}}
		if got := part(ws); got != want {
			t.Fatalf("(-want +got)\n%s", cmp.Diff(want, got))
		}
	}
}
