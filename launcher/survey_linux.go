package launcher

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/agentenv/agentenv/workspace"
)

// Survey looks for what needs care in the tree at root: what the default hides
// and own, a spec's globs, match (only the defaults have exceptions), sockets and
// FIFOs, repositories, directories that cannot be listed, and what a tool of the
// human's runs or obeys. Another name of the same file (a hard link) needs the
// same care. It follows no link, and does not look into what is hidden.
func Survey(root string, own []string) ([]Found, error) {
	d := workspace.DefaultHides()
	var w walker
	var err [4]error
	w.hide, err[0] = newGlobs(d.Hide)
	w.except, err[1] = newGlobs(d.Except)
	w.keyed, err[2] = newGlobs(d.Keyed)
	w.own, err[3] = newGlobs(own)
	if err := errors.Join(err[:]...); err != nil {
		return nil, err
	}
	dir, err2 := os.OpenRoot(root)
	if err2 != nil {
		return nil, err2
	}
	defer dir.Close()
	w.dir = dir
	if err := fs.WalkDir(dir.FS(), ".", w.visit); err != nil {
		return nil, err
	}
	if len(w.linked) > 0 {
		if err := fs.WalkDir(dir.FS(), ".", w.twin); err != nil {
			return nil, err
		}
	}
	return w.found, nil
}

// walker is one survey.
type walker struct {
	hider
	dir    *os.Root
	found  []Found
	linked map[Identity]Found // files with further names, by what they are
}

func (w *walker) visit(p string, d fs.DirEntry, err error) error {
	switch {
	case p == ".":
		return err
	case errors.Is(err, fs.ErrPermission) && d != nil && d.IsDir():
		// It cannot be looked into from here, but an agent that knows a name in
		// it, or took the rights away itself, can open that.
		w.found = append(w.found, Found{Path: p, Dir: true, Hide: true})
		return fs.SkipDir
	case err != nil:
		return err
	}
	f, err := w.judge(p, d)
	if err != nil {
		return err
	}
	if !f.Hide && !f.Runs {
		return w.within(p, d)
	}
	if !utf8.ValidString(p) {
		return fmt.Errorf("%q must be hidden or protected, and its name is not UTF-8: rename it", p)
	}
	w.found = append(w.found, f)
	if err := w.remember(f, d); err != nil {
		return err
	}
	if f.Dir && (f.Hide || f.Git) {
		return fs.SkipDir
	}
	return nil
}

// judge says what care one name needs.
func (w *walker) judge(p string, d fs.DirEntry) (Found, error) {
	f := Found{Path: p, Dir: d.IsDir(), Link: d.Type()&fs.ModeSymlink != 0, Runs: runs(p)}
	f.Git = f.Dir && d.Name() == ".git"
	hide, err := w.hides(w.dir, p, d)
	f.Hide = hide
	return f, err
}

// runs says whether a tool of the human's runs or obeys the name.
func runs(p string) bool {
	if name := path.Base(p); slices.Contains(deepNames(), name) {
		return true
	}
	return !strings.Contains(p, "/") && slices.Contains(ProtectedNames(), p)
}

// within looks after files in a directory that is protected: they are protected
// with it, but a further name elsewhere is not.
func (w *walker) within(p string, d fs.DirEntry) error {
	for _, f := range slices.Backward(w.found) {
		if f.Dir && f.Runs && strings.HasPrefix(p, f.Path+"/") {
			return w.remember(Found{Runs: true}, d)
		}
	}
	return nil
}

// remember notes a file that has further names.
func (w *walker) remember(f Found, d fs.DirEntry) error {
	if !d.Type().IsRegular() {
		return nil
	}
	info, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if st := info.Sys().(*syscall.Stat_t); st.Nlink > 1 {
		if w.linked == nil {
			w.linked = map[Identity]Found{}
		}
		w.linked[Identity{Device: st.Dev, Inode: st.Ino}] = f
	}
	return nil
}

// twin finds the further names of remembered files.
func (w *walker) twin(p string, d fs.DirEntry, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission) && d != nil && d.IsDir():
		return fs.SkipDir
	case err != nil:
		return err
	case d.IsDir() && w.known(p):
		return fs.SkipDir
	case !d.Type().IsRegular() || w.known(p):
		return nil
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	st := info.Sys().(*syscall.Stat_t)
	if f, ok := w.linked[Identity{Device: st.Dev, Inode: st.Ino}]; ok {
		f.Path = p
		w.found = append(w.found, f)
	}
	return nil
}

func (w *walker) known(p string) bool {
	return slices.ContainsFunc(w.found, func(f Found) bool { return f.Path == p })
}

func (h hider) hides(dir *os.Root, p string, d fs.DirEntry) (bool, error) {
	switch {
	case d.Type()&(fs.ModeSocket|fs.ModeNamedPipe) != 0:
		return true, nil
	case d.IsDir() && d.Name() == ".git":
		return true, nil
	case d.IsDir() && d.Name() == "objects":
		return bare(dir, path.Dir(p)), nil
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

// bare says whether a directory is a repository by itself, whose blobs would undo
// every hide (git's own test is the same: HEAD, objects and refs).
func bare(dir *os.Root, p string) bool {
	for _, name := range []string{"HEAD", "refs"} {
		if _, err := dir.Lstat(path.Join(p, name)); err != nil {
			return false
		}
	}
	return true
}
