package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/workspace"
)

// refuseWritable ends a command that took a file of the user's own from a tree
// that an agent of this workspace or of another may write, by its place or by a
// link on the way to it: what such a file says, the agent may have written.
func refuseWritable(ws *workspace.Workspace, sources []hcl.Source) error {
	sources = slices.DeleteFunc(sources, func(s hcl.Source) bool { return s.Role != hcl.RoleUser && s.Role != hcl.RoleWorkspaceUser })
	if len(sources) == 0 {
		return nil
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return err
	}
	known, err := dirs.Known()
	if err != nil {
		return err
	}
	own, err := trees(ws)
	if err != nil {
		return err
	}
	for _, s := range sources {
		err = errors.Join(err, refuseIn(s.Name, append(known, own)))
	}
	return err
}

func refuseIn(file string, known []state.Trees) error {
	r, err := launcher.Resolve(file)
	if err != nil {
		return err
	}
	for _, t := range known {
		for _, path := range append(r.Links, r.Path) {
			if slices.ContainsFunc(t.Writable, func(w string) bool { return below(path, w) }) {
				return fmt.Errorf("read %s: it lies in a tree that the agent of %s may write (%s); put a copy in its place", shown(file), t.Project, path)
			}
		}
	}
	return nil
}
