package launcher

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// hider says which names of a tree an agent must not see. Most globs are of the
// form **/NAME, and are matched against the last element alone, which is what
// makes a walk of a large tree cheap.
type hider struct {
	hide, except, keyed, own globs
}

// globs are doublestar globs by how they can be matched.
type globs struct {
	exact    map[string]bool // **/NAME without a wildcard
	suffixes []string        // **/*SUFFIX
	names    []string        // **/GLOB without a slash in GLOB
	paths    []string        // all others, against the path from the top
}

func newGlobs(list []string) (globs, error) {
	g := globs{exact: map[string]bool{}}
	for _, s := range list {
		if !doublestar.ValidatePattern(s) {
			return globs{}, fmt.Errorf("read glob %q: not a valid glob", s)
		}
		name, deep := strings.CutPrefix(s, "**/")
		suffix, star := strings.CutPrefix(name, "*")
		switch {
		case !deep || strings.Contains(name, "/"):
			g.paths = append(g.paths, s)
		case !strings.ContainsAny(name, `*?[{\`):
			g.exact[name] = true
		case star && !strings.ContainsAny(suffix, `*?[{\`):
			g.suffixes = append(g.suffixes, suffix)
		default:
			g.names = append(g.names, name)
		}
	}
	return g, nil
}

// match says whether p, slash-separated from the top, is one of g.
func (g globs) match(p string) bool {
	name := path.Base(p)
	if g.exact[name] {
		return true
	}
	has := func(suffix string) bool { return strings.HasSuffix(name, suffix) }
	return slices.ContainsFunc(g.suffixes, has) || matches(g.names, name) || matches(g.paths, p)
}

func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool { return doublestar.MatchUnvalidated(g, name) })
}
