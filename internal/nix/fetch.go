package nix

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// Fetched is a source tree that Nix has fetched into its store.
type Fetched struct {
	Path     string // its store path
	Revision string // of its repository; "" for an archive
}

// fetchExpression has the reference as data: in text it could be more than that.
const fetchExpression = `
let tree = builtins.fetchTree (builtins.fromJSON (builtins.getEnv "` + fetchVariable + `"));
in { path = tree.outPath; revision = tree.rev or ""; }`

const fetchVariable = "AGENTENV_REFERENCE"

// Fetch fetches the tree that ref names now, whatever was fetched before. Nothing
// of the tree is evaluated. Nix 2.8's flake prefetch does not tell the revision,
// so the builtin that it uses is called. dir is where nix runs, a directory that
// no agent may write.
func (c CLI) Fetch(ctx context.Context, dir string, ref workspace.Reference) (Fetched, error) {
	data, err := json.Marshal(ref)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	c.Env = append(append([]string{}, c.Env...), fetchVariable+"="+string(data))
	args := append([]string{"eval"}, flags...)
	out, err := c.run(ctx, dir, append(args, "--impure", "--refresh", "--json", "--expr", fetchExpression)...)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	var f Fetched
	if err := json.Unmarshal(out, &f); err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: read what nix printed: %w", err)
	}
	if f.Path, err = ParseStorePath(strings.TrimSpace(f.Path)); err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	return f, nil
}
