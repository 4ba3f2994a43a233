package nix

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// SourcesOf returns what was downloaded to make an environment: the outputs with
// a fixed hash of the derivations behind it.
//
// For SourcesOfBuild these are all that the environment's derivation needs, back
// to the first compiler. For SourcesOfRuntime they are those that the derivations
// of the paths in env.Closure take directly, and what a source of theirs is made
// from where another derivation makes it.
//
// taken are names of trees that are there already. Names are those of what is
// built from a source ("ripgrep-14.1.1"), or of the download itself where nothing
// is built from it alone, as with a patch. Nothing is built, and the network is
// not used: the manifest keeps the derivations.
func SourcesOf(env *workspace.Environment, set workspace.SourceSet, taken []string) ([]workspace.FixedTree, error) {
	if env.Derivation == "" {
		return nil, fmt.Errorf("find the sources of %s: the manifest keeps no derivations", set)
	}
	graph, err := readDerivations(StoreDir, env.Derivation)
	if err != nil {
		return nil, fmt.Errorf("find the sources of %s: %w", set, err)
	}
	switch set {
	case workspace.SourcesOfBuild:
		return graph.trees(graph.all, taken), nil
	case workspace.SourcesOfRuntime:
		return graph.trees(graph.behind(env.Closure), taken), nil
	}
	return nil, fmt.Errorf("find the sources of %q: it is not found in derivations", set)
}

// derivations is a derivation and all that it needs.
type derivations struct {
	byPath map[string]*derivation
	maker  map[string]*derivation // store path of an output → its derivation
	all    map[string]bool        // the paths of all
}

func readDerivations(dir, root string) (*derivations, error) {
	g := &derivations{byPath: map[string]*derivation{}, maker: map[string]*derivation{}, all: map[string]bool{root: true}}
	for todo := []string{root}; len(todo) > 0; {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		d, err := readDerivation(dir, path)
		if err != nil {
			return nil, err
		}
		g.byPath[path] = d
		for _, output := range d.outputs {
			g.maker[output] = d
		}
		for _, input := range d.inputs {
			if !g.all[input] {
				g.all[input] = true
				todo = append(todo, input)
			}
		}
	}
	return g, nil
}

// behind returns the derivations with a fixed output that those of the closure's
// paths take.
func (g *derivations) behind(closure []string) map[string]bool {
	wanted := map[string]bool{}
	for _, object := range closure {
		d := g.maker[object]
		if d == nil {
			continue
		}
		g.want(d, wanted)
		for _, input := range d.inputs {
			if g.byPath[input].fixed() {
				wanted[input] = true
			}
		}
		for _, source := range d.sources {
			if maker := g.maker[source]; maker != nil {
				g.want(maker, wanted)
			}
		}
	}
	return wanted
}

// want adds d if its output is fixed, or else what its own sources and inputs
// have: a source that is made is made from downloads.
func (g *derivations) want(d *derivation, wanted map[string]bool) {
	if d.fixed() {
		wanted[d.path] = true
		return
	}
	for _, source := range d.sources {
		if maker := g.maker[source]; maker != nil && maker != d {
			g.want(maker, wanted)
		}
	}
}

// trees returns the derivations of wanted that have a fixed output, one for each
// output, named and sorted by name.
func (g *derivations) trees(wanted map[string]bool, taken []string) []workspace.FixedTree {
	names := map[string]bool{"index.json": true}
	for _, name := range taken {
		names[name] = true
	}
	users := g.users()
	seen := map[string]bool{}
	var trees []workspace.FixedTree
	for _, path := range slices.Sorted(maps.Keys(wanted)) {
		d := g.byPath[path]
		output := d.outputs["out"]
		if !d.fixed() || seen[output] {
			continue
		}
		seen[output] = true
		name := d.name
		if user := users[output]; user != "" {
			name = user
		}
		trees = append(trees, workspace.FixedTree{Name: free(tidy(name), names), Derivation: path, Output: "out", Path: output, URLs: d.urls, Hash: d.hash})
	}
	slices.SortFunc(trees, func(a, b workspace.FixedTree) int { return strings.Compare(a.Name, b.Name) })
	return trees
}

// users returns for each source the name of the first derivation, by path, that
// is built from it.
func (g *derivations) users() map[string]string {
	users := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(g.byPath)) {
		for _, source := range g.byPath[path].sources {
			if users[source] == "" {
				users[source] = g.byPath[path].name
			}
		}
	}
	return users
}

// tidy makes the name of a store object one of a source tree.
func tidy(name string) string {
	if c := name[0]; c == '.' || c == '-' || c == '+' || c == '?' || c == '=' {
		name = "_" + name
	}
	return strings.NewReplacer("?", "-", "=", "-").Replace(name)
}

// free returns name, or name and a number where it is taken, and takes it.
func free(name string, names map[string]bool) string {
	unique := name
	for number := 2; names[unique]; number++ {
		unique = name + "-" + strconv.Itoa(number)
	}
	names[unique] = true
	return unique
}
