package launcher

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"
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

// FindHidden looks for what an agent must not see in the tree at root: the
// default hides, what the spec's own globs match (these have no exception),
// repositories, sockets and FIFOs.
func FindHidden(root string, own []string) ([]Hidden, error) {
	d := workspace.DefaultHides()
	var h hider
	var err [4]error
	h.hide, err[0] = newGlobs(d.Hide)
	h.except, err[1] = newGlobs(d.Except)
	h.keyed, err[2] = newGlobs(d.Keyed)
	h.own, err[3] = newGlobs(own)
	if err := errors.Join(err[:]...); err != nil {
		return nil, err
	}
	return h.find(root)
}

// find walks the tree at root without following a link and returns what must
// not be seen, in the order of the walk: names that match, and sockets and
// FIFOs, since connecting to a socket works on a read-only mount. It does not
// descend into what is hidden.
func (h hider) find(root string) ([]Hidden, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var out []Hidden
	err = fs.WalkDir(dir.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == "." {
			return unreadable(err, d)
		}
		hidden, err := h.hides(dir, p, d)
		if err != nil || !hidden {
			return err
		}
		out = append(out, Hidden{Path: p, Dir: d.IsDir(), Link: d.Type()&fs.ModeSymlink != 0, Git: d.IsDir() && d.Name() == ".git"})
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return out, err
}

// unreadable passes over a directory that the human cannot list: the agent, who
// has their uid, cannot either.
func unreadable(err error, d fs.DirEntry) error {
	if os.IsPermission(err) && d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return err
}

func (h hider) hides(dir *os.Root, p string, d fs.DirEntry) (bool, error) {
	switch {
	case d.Type()&(fs.ModeSocket|fs.ModeNamedPipe) != 0:
		return true, nil
	case d.IsDir() && d.Name() == ".git":
		return true, nil
	case h.own.match(p):
		return true, nil
	case h.except.match(p):
		return false, nil
	case h.hide.match(p):
		return true, nil
	case d.Type().IsRegular() && h.keyed.match(p):
		return holdsKey(dir, p)
	}
	return false, nil
}

// holdsKey says whether a file has a PEM private key in its first 64 KiB. One
// that cannot be read is hidden: the agent could not read it either, or it is
// changing just now.
func holdsKey(dir *os.Root, p string) (bool, error) {
	f, err := dir.OpenFile(p, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return true, nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return true, nil
	}
	return bytes.Contains(text, []byte("PRIVATE KEY-----")) || strings.HasPrefix(string(text), "PuTTY-User-Key-File"), nil
}
