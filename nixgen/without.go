package nixgen

import (
	"slices"

	"github.com/agentenv/agentenv/workspace"
)

// Without returns ws without the packages and sources that have one of the ids,
// and tells whether that made a difference.
//
// Nix ends at the first package that aborts, and no expression can catch that.
// To find all that are wrong, leave out the ones found and evaluate again, until
// nothing is wrong or nothing can be left out.
func Without(ws *workspace.Workspace, ids []string) (*workspace.Workspace, bool) {
	rest := *ws
	rest.Nix.Packages = slices.DeleteFunc(slices.Clone(ws.Nix.Packages), func(p workspace.Package) bool {
		return slices.Contains(ids, p.ID)
	})
	rest.Nix.Sources = slices.DeleteFunc(slices.Clone(ws.Nix.Sources), func(s workspace.Source) bool {
		return slices.Contains(ids, s.ID)
	})
	before := len(ws.Nix.Packages) + len(ws.Nix.Sources)
	return &rest, len(rest.Nix.Packages)+len(rest.Nix.Sources) != before
}
