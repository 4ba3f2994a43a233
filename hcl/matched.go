package hcl

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// matched judges a glob of checkouts by names: where it starts, and which of the
// places it matches or reaches. What it matches on the disk the launcher judges,
// one by one.
func (c *checker) matched(g grant, closed []place, guard *guarded) {
	start := g
	start.path.Value = globStart(g.path.Value)
	if p, r := guard.find(start.path.Value, func(place) bool { return true }); r == inside || r == equal && p.inside {
		c.report(g.path.Range, string(p.class), r.sentence("directory", start.path.Value, p), "")
		return
	}
	for _, p := range closed {
		tree, r := reach(g.path.Value, p)
		switch {
		case r == apart || matches(g.except, tree) || r == holding && p.class.hideable() && hides(g, tree, p.path):
		case c.disk.stat != nil && c.disk.chain(p.path) == nil: // it matches what is there
		default:
			c.report(g.path.Range, string(p.class), fmt.Sprintf("The glob matches %s, which %s %s.", tree, r, p.what), fmt.Sprintf("write a glob that does not, or except = [%q]", tree))
			return
		}
	}
	c.present(start)
}

// globStart is the directory that a glob starts from: what is before its first
// component that is a glob.
func globStart(glob string) string {
	base, _ := doublestar.SplitPattern(glob)
	return unescaped(base)
}

// unescaped is the text of a glob that matches one name alone.
func unescaped(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) {
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}

// reach says how a tree that a glob matches stands to a place, and which tree
// that is. Of a glob that matches a tree inside a place, it is the place.
func reach(glob string, p place) (tree string, r relation) {
	pattern, name := strings.Split(glob, "/"), strings.Split(p.path, "/")
	n := min(len(pattern), len(name))
	for i := range n {
		if !doublestar.MatchUnvalidated(pattern[i], name[i]) || strings.HasPrefix(name[i], ".") && !strings.HasPrefix(strings.TrimPrefix(pattern[i], `\`), ".") {
			return "", apart
		}
	}
	tree = path.Clean("/" + strings.Join(name[:n], "/"))
	switch {
	case len(pattern) == len(name):
		return tree, equal
	case len(pattern) < len(name):
		return tree, holding
	case p.inside:
		return tree, inside
	}
	return "", apart
}
