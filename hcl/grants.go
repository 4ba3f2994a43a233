package hcl

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/agentenv/agentenv/workspace"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
)

// grant is a path that the spec opens to the agent.
type grant struct {
	kind  string // how it is named to the user
	path  field[string]
	dir   bool // must be a directory
	write bool
	live  bool // what the agent writes is there at once, not after a review
	hide  []field[string]

	glob   bool // path is one, and each directory that it matches is granted
	except []field[string]
}

func (c *config) grants() []grant {
	var all []grant
	add := func(g grant) {
		if g.path.OK {
			all = append(all, g)
		}
	}
	add(grant{kind: "project", path: c.project.path, dir: true, live: c.project.mode.Value == workspace.ModeDirect})
	for _, co := range c.checkouts {
		add(grant{kind: "checkout", path: co.path, dir: true, hide: co.hide, glob: isGlob(co.path.Value), except: co.except})
	}
	for _, p := range c.filesystem.read {
		add(grant{kind: "path", path: p})
	}
	for _, p := range c.filesystem.write {
		add(grant{kind: "path", path: p, write: true, live: true})
	}
	return all
}

// grants refuses paths that open more than a spec may, and those that are not
// there. The launcher decides again, on canonical paths, what it mounts.
func (c *checker) grants() {
	closed := slices.Concat(reservedPlaces(c.cfg.home), secretPlaces(c.cfg.home), forbiddenPlaces(c.cfg.forbid.read))
	others := c.disk.guard(closed)
	ours := sync.OnceValue(func() *guarded { return c.disk.guard(ownPlaces(c.cfg)) })
	run := sync.OnceValue(func() *guarded {
		return c.disk.guard(append(runPlaces(c.cfg.home), forbiddenPlaces(c.cfg.forbid.write)...))
	})
	for _, g := range c.cfg.grants() {
		switch {
		case g.glob:
			c.matched(g, closed, others)
		case c.refused(g, others) || g.write && c.refused(g, ours()) || g.live && c.refused(g, run()):
		default:
			c.present(g)
		}
	}
}

// refused reports a grant that a place stands in the way of. A checkout may
// hold a place of secrets that it hides.
func (c *checker) refused(g grant, guard *guarded) bool {
	p, relation := guard.find(g.path.Value, func(p place) bool { return p.class.hideable() && hides(g, g.path.Value, p.path) })
	if relation == apart {
		return false
	}
	detail, hint := relation.sentence(g.kind, g.path.Value, p), ""
	switch {
	case p.class == own:
		detail += " The agent could change its own rules."
	case p.class == runs:
		detail += " What the agent writes there runs as you, outside of the sandbox."
		hint = "give the agent a directory of its own, and name it to its programs with environment.set"
	case p.class == reserved:
		hint = "name the directories that the agent needs"
	case relation == holding && g.kind == "checkout":
		hint = "hide it, or name the directories that the agent needs"
	case relation == holding:
		hint = "name the directories that the agent needs"
	}
	c.report(c.where(g), string(p.class), detail, hint)
	return true
}

// where is the range of a grant. The default path of the project has none.
func (c *checker) where(g grant) hcl.Range {
	switch {
	case g.path.Set:
		return g.path.Range
	case c.cfg.workspace.name.Set:
		return c.cfg.workspace.name.Range
	}
	return c.cfg.top
}

// hides tells whether the hides of a checkout take a path below its tree away, or
// a directory that the path lies in.
func hides(g grant, tree, secret string) bool {
	rel, err := filepath.Rel(tree, secret)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	for p := rel; p != "."; p = path.Dir(p) {
		if matches(g.hide, p) {
			return true
		}
	}
	return false
}

func matches(globs []field[string], name string) bool {
	return slices.ContainsFunc(globs, func(g field[string]) bool { return doublestar.MatchUnvalidated(g.Value, name) })
}

// present reports a grant that is not there, or is not a tree or a file. A
// socket or a device is a way out, not data.
func (c *checker) present(g grant) {
	if c.disk.stat == nil {
		return
	}
	info, err := c.disk.look(g.path.Value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.report(c.where(g), "Path not found", fmt.Sprintf("The %s %s does not exist.", g.kind, g.path.Value), "")
	case err != nil:
		c.report(c.where(g), "Path not found", fmt.Sprintf("The %s %s cannot be looked at: %v.", g.kind, g.path.Value, err), "")
	case g.dir && !info.IsDir():
		c.report(c.where(g), "Not a directory", fmt.Sprintf("The %s %s is not a directory.", g.kind, g.path.Value), "")
	case !info.IsDir() && !info.Mode().IsRegular():
		c.report(c.where(g), "Not a file or directory", fmt.Sprintf("The %s %s is neither a regular file nor a directory.", g.kind, g.path.Value), "")
	}
}
