package nixgen

import (
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// Optional tells whether id is that of something that no line of the spec names
// and that may be missing: a tree of a source set ("source_set:" and its name) or
// an item of the base ("environment.base:" and its name). A finding about one is
// worth a note, not an error.
func Optional(id string) bool {
	return strings.HasPrefix(id, "source_set:") || strings.HasPrefix(id, "environment.base:")
}

// Without returns ws without the packages, libraries, overlays, sources and
// what is Optional that have one of the ids, and tells whether that made a
// difference.
//
// Nix ends at the first package that aborts, and no expression can catch that.
// To find all that are wrong, leave out the ones found and evaluate again, until
// nothing is wrong or nothing can be left out: Survey does that.
func Without(ws *workspace.Workspace, ids []string) (*workspace.Workspace, bool) {
	rest, changed := *ws, false
	n := &rest.Nix
	n.Packages = without(n.Packages, func(p workspace.Package) string { return p.ID }, ids, &changed)
	n.Libraries = without(n.Libraries, func(p workspace.Package) string { return p.ID }, ids, &changed)
	n.Sources = without(n.Sources, func(s workspace.Source) string { return s.ID }, ids, &changed)
	n.Found.Without = slices.Clone(n.Found.Without)
	for _, id := range ids {
		if Optional(id) && !slices.Contains(n.Found.Without, id) {
			n.Found.Without, changed = append(n.Found.Without, id), true
		}
	}
	slices.Sort(n.Found.Without)
	n.Nixpkgs.Overlays = without(n.Nixpkgs.Overlays, func(o workspace.Overlay) string { return o.ID }, ids, &changed)
	return &rest, changed
}

func without[E any](entries []E, id func(E) string, ids []string, changed *bool) []E {
	rest := slices.DeleteFunc(slices.Clone(entries), func(e E) bool { return slices.Contains(ids, id(e)) })
	*changed = *changed || len(rest) != len(entries)
	return rest
}

// Survey returns all that is wrong with ws: what evaluate finds, then what it
// finds without the entries that were wrong, until it finds nothing more or
// nothing can be left out. entry gives the id of a finding. An error of evaluate
// ends it, with the findings so far.
func Survey[F any](ws *workspace.Workspace, evaluate func(*workspace.Workspace) ([]F, error), entry func(F) string) ([]F, error) {
	var all []F
	for more := true; more; {
		found, err := evaluate(ws)
		if err != nil {
			return all, err
		}
		all = append(all, found...)
		ids := make([]string, len(found))
		for i, f := range found {
			ids[i] = entry(f)
		}
		ws, more = Without(ws, ids)
	}
	return all, nil
}
