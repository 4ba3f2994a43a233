package nix

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/agentenv/agentenv/workspace"
)

// Fetched is a tree that was fetched into the store.
type Fetched struct {
	Path     string    // store path
	Revision string    // the commit; "" where there are none
	Modified time.Time // in UTC; zero where it is not known
}

// fetchExpression takes the reference from the environment, where nothing has to
// be quoted.
const fetchExpression = `
let
  tree = builtins.fetchTree (builtins.fromJSON (builtins.getEnv "AGENTENV_REFERENCE"));
in
{
  path = tree.outPath;
  revision = tree.rev or "";
  modified = tree.lastModified or 0;
}
`

// Fetch fetches the tree that a reference means now: what was fetched for it
// before is not asked. dir is some directory that no agent writes.
func (c CLI) Fetch(ctx context.Context, dir string, reference workspace.Reference) (Fetched, error) {
	text, err := json.Marshal(reference)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	c.Env = append(c.Env[:len(c.Env):len(c.Env)], "AGENTENV_REFERENCE="+string(text))
	args := append([]string{"eval", "--json", "--impure", "--refresh"}, flags...)
	out, err := c.run(ctx, dir, append(args, "--expr", fetchExpression)...)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	var got struct {
		Path, Revision string
		Modified       int64
	}
	if err := json.Unmarshal(out, &got); err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	f := Fetched{Revision: got.Revision}
	if got.Modified > 0 {
		f.Modified = time.Unix(got.Modified, 0).UTC()
	}
	if f.Path, err = ParseStorePath(got.Path); err != nil {
		return Fetched{}, fmt.Errorf("fetch tree: %w", err)
	}
	return f, nil
}
