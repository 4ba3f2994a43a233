package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/workspace"
)

// strangers are the trees that agents of other workspaces may write.
func strangers(known []state.Trees, project string) []string {
	var out []string
	for _, t := range known {
		if t.Project != project {
			out = append(out, t.Writable...)
		}
	}
	return out
}

// refusePlanted ends a command whose spec was found in a project that an agent
// may write, and is not that project's own: the agent could have put it there to
// be the nearest.
func refusePlanted(file string, known []state.Trees) error {
	r, err := launcher.Resolve(file)
	if err != nil {
		return err
	}
	for _, t := range known {
		owned := func(path string) bool {
			return slices.ContainsFunc(t.Writable, func(w string) bool { return below(path, w) })
		}
		if r.Path != t.Spec && (owned(r.Path) || slices.ContainsFunc(r.Links, owned)) {
			return fmt.Errorf("find spec: %s lies in a tree that the agent of %s may write; name it with --spec if it is yours", file, t.Project)
		}
	}
	return nil
}

// below says whether path is dir or lies below it. Both are canonical.
func below(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// trees is what the agents of ws may write.
func trees(ws *workspace.Workspace) (state.Trees, error) {
	spec, err := launcher.Resolve(ws.File)
	if err != nil {
		return state.Trees{}, err
	}
	project, err := launcher.Resolve(ws.Policy.Project.Path)
	if err != nil {
		return state.Trees{}, err
	}
	t := state.Trees{Project: project.Path, Spec: spec.Path, Writable: []string{project.Path}}
	for _, g := range ws.Policy.Filesystem.Write {
		r, err := launcher.Resolve(g.Path)
		if err != nil {
			return state.Trees{}, err
		}
		t.Writable = append(t.Writable, r.Path)
	}
	return t, nil
}

// writableBy says which directories the agents of ws may write. When that cannot
// be told, all are.
func writableBy(ws *workspace.Workspace) func(dir string) bool {
	t, err := trees(ws)
	if err != nil {
		return func(string) bool { return true }
	}
	return lyingIn(t.Writable)
}

// lyingIn says which directories lie in one of the canonical trees, or behind a
// link that does. A directory that cannot be resolved counts as one.
func lyingIn(writable []string) func(dir string) bool {
	return func(dir string) bool {
		r, err := launcher.Resolve(dir)
		if err != nil {
			return true
		}
		return slices.ContainsFunc(writable, func(w string) bool {
			return below(r.Path, w) || slices.ContainsFunc(r.Links, func(l string) bool { return below(l, w) })
		})
	}
}

// untrusted says which directories the agents of ws or of any other workspace may
// write.
func untrusted(ws *workspace.Workspace, dirs state.Dirs) (func(dir string) bool, error) {
	known, err := dirs.Known()
	if err != nil {
		return nil, err
	}
	own, err := trees(ws)
	if err != nil {
		return nil, err
	}
	return lyingIn(slices.Concat(own.Writable, strangers(known, own.Project), []string{dirs.State})), nil
}

// safeEnviron is an environment whose PATH has only absolute directories that no
// agent may write: Nix starts git and others by name.
func safeEnviron(environ []string, refused func(dir string) bool) []string {
	out := slices.Clone(environ)
	for i, kv := range out {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			dirs := slices.DeleteFunc(filepath.SplitList(path), func(d string) bool { return !filepath.IsAbs(d) || refused(d) })
			out[i] = "PATH=" + strings.Join(dirs, ":")
		}
	}
	return out
}

// refuseSuspect ends a launch after a session in which a protected file lost its
// cover, until the human says that they have looked at it.
func (c *common) refuseSuspect(d state.Draft) error {
	path, err := d.Suspected()
	if err != nil || path == "" {
		return err
	}
	if c.seen {
		return d.Clear()
	}
	return coded(codeUsage, fmt.Errorf("start: %s was saved while the last session ran, which uncovered it for a moment: the agent may have read or changed it. Look at it, then start with --seen", path))
}

// noteLost marks the draft when a session ended because a mount was lost.
func noteLost(d state.Draft, err error) error {
	var lost *launcher.LostMountError
	if errors.As(err, &lost) {
		return errors.Join(err, d.Suspect(lost.Target))
	}
	return err
}
