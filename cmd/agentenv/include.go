package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/flakelock"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
)

// updateIncludes fetches those includes of the spec in file that are chosen, and
// those that the lock does not pin as the spec has them; copies each to agentenv.d
// and pins it in agentenv.lock. What is no longer included goes. The rest of the
// spec may be wrong: it cannot be right before what it includes is there.
func (c *common) updateIncludes(ctx context.Context, file string, chosen func(name string) bool) (changes []flakelock.Change, err error) {
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	known, err := dirs.Known()
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	refused := lyingIn(append(strangers(known, ""), dirs.State, gitTop(filepath.Dir(file))))
	err = c.bench(ctx, refused, func(ctx context.Context, w *workbench) error {
		changes, err = c.fetchIncludes(ctx, w, file, chosen)
		return err
	})
	return changes, err
}

// fetchIncludes goes on until nothing is left to fetch: what was fetched may
// include more. A copy that is wrong counts only then, or it could not be
// replaced by a better one.
func (c *common) fetchIncludes(ctx context.Context, w *workbench, file string, chosen func(name string) bool) ([]flakelock.Change, error) {
	dir := filepath.Dir(file)
	var changes []flakelock.Change
	for done := map[string]bool{}; ; {
		all, report, err := c.includes(file)
		if err != nil {
			return changes, err
		}
		lock, err := readIncludeLock(dir)
		if err != nil {
			return nil, coded(codeFailed, err)
		}
		n := slices.IndexFunc(all, func(i hcl.Include) bool {
			return !done[i.Name] && (chosen(i.Name) || lock[i.Name].URL != i.URL)
		})
		if n < 0 && report.HasErrors() {
			return changes, c.diagnose(report)
		}
		if n < 0 {
			return changes, coded(codeFailed, prune(dir, lock, all))
		}
		i := all[n]
		done[i.Name] = true
		pin, err := c.fetchInclude(ctx, w, dir, i)
		if err != nil {
			return nil, coded(codeFailed, fmt.Errorf("%s:%d:%d: update include %s: %w", shown(i.At.File), i.At.Line, i.At.Column, i.Name, err))
		}
		if was := lock[i.Name]; was.Hash != pin.Hash || was.Revision != pin.Revision {
			changes = append(changes, flakelock.Change{Input: i.Name, Old: pinned(was), New: pinned(pin)})
		}
	}
}

// pinned is the pin of an include as one of a lock of Nix; nil for none.
func pinned(p hcl.Pin) *flakelock.Pin {
	if p.Hash == "" {
		return nil
	}
	return &flakelock.Pin{Revision: p.Revision, Hash: p.Hash}
}

// includes are those of the spec that have a url, as far as they are there, and
// what is wrong with how they are written.
func (c *common) includes(file string) ([]hcl.Include, *hcl.Report, error) {
	src, err := read(file)
	if err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	o, err := c.options(file)
	if err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	all, report := hcl.Includes(src, file, o)
	return all, report, nil
}

func (c *common) fetchInclude(ctx context.Context, w *workbench, dir string, i hcl.Include) (hcl.Pin, error) {
	if i.Reference["dir"] != nil {
		return hcl.Pin{}, errors.New("its url has a dir; name the file by its path in the repository, without it")
	}
	tree, err := w.cli.Fetch(ctx, w.dir, i.Reference)
	var e *nix.Error
	if errors.As(err, &e) {
		return hcl.Pin{}, errors.New(c.words(e))
	}
	if err != nil {
		return hcl.Pin{}, err
	}
	return vendor(dir, i, tree)
}

// pruneAll is prune for a spec that includes nothing by a url.
func pruneAll(dir string) error {
	lock, err := readIncludeLock(dir)
	if err != nil {
		return err
	}
	return prune(dir, lock, nil)
}

// prune takes away what the spec no longer includes, from the lock and from
// agentenv.d.
func prune(dir string, lock hcl.Lock, all []hcl.Include) error {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer top.Close()
	kept := maps.Clone(lock)
	maps.DeleteFunc(kept, func(name string, _ hcl.Pin) bool {
		return !slices.ContainsFunc(all, func(i hcl.Include) bool { return i.Name == name })
	})
	if len(kept) == len(lock) {
		return nil
	}
	for name := range lock {
		if _, ok := kept[name]; !ok {
			err = errors.Join(err, top.RemoveAll(path.Join(hcl.VendorDir, name)))
		}
	}
	return errors.Join(err, nixgen.Replace(top, hcl.LockFile, kept.Bytes()))
}

// attributes keep git from changing a byte of the copies.
const attributes = "* -text -ident -filter -working-tree-encoding\n"

// vendor puts the copy of a tree in its place and pins it. The directory is one
// that an agent may have written, so no link leads out of it.
func vendor(dir string, i hcl.Include, fetched nix.Fetched) (hcl.Pin, error) {
	lock, err := readIncludeLock(dir)
	if err != nil {
		return hcl.Pin{}, err
	}
	top, err := os.OpenRoot(dir)
	if err != nil {
		return hcl.Pin{}, err
	}
	defer top.Close()
	if err := top.Mkdir(hcl.VendorDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return hcl.Pin{}, err
	}
	root, err := top.OpenRoot(hcl.VendorDir)
	if err != nil {
		return hcl.Pin{}, err
	}
	defer root.Close()
	hash, err := replaceTree(root, i.Name, fetched.Path)
	if err != nil {
		return hcl.Pin{}, fmt.Errorf("copy to %s: %w", i.Tree(), err)
	}
	if err := nixgen.Replace(root, ".gitattributes", []byte(attributes)); err != nil {
		return hcl.Pin{}, err
	}
	pin := hcl.Pin{URL: i.URL, Revision: fetched.Revision, Hash: hash}
	lock[i.Name] = pin
	return pin, nixgen.Replace(top, hcl.LockFile, lock.Bytes())
}

// readIncludeLock reads agentenv.lock; where there is none, it pins nothing.
func readIncludeLock(dir string) (hcl.Lock, error) {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	text, err := nixgen.Read(top, hcl.LockFile)
	if errors.Is(err, fs.ErrNotExist) {
		return hcl.Lock{}, nil
	}
	if err != nil {
		return nil, err
	}
	return hcl.ParseLock(text)
}

// replaceTree makes name a copy of the tree at source, and returns the copy's
// hash. What was there before goes only when the copy is complete.
func replaceTree(root *os.Root, name, source string) (hash string, err error) {
	temporary, old := "."+name+".new", "."+name+".old"
	for _, left := range []string{temporary, old} {
		if err := root.RemoveAll(left); err != nil {
			return "", err
		}
	}
	defer root.RemoveAll(temporary)
	from, err := os.OpenRoot(source)
	if err != nil {
		return "", err
	}
	defer from.Close()
	if err := root.Mkdir(temporary, 0o755); err != nil {
		return "", err
	}
	to, err := root.OpenRoot(temporary)
	if err != nil {
		return "", err
	}
	defer to.Close()
	if err := copyTree(to, from, "."); err != nil {
		return "", err
	}
	if hash, err = nix.HashTree(to); err != nil {
		return "", err
	}
	if err := root.Rename(name, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := root.Rename(temporary, name); err != nil {
		return "", err
	}
	return hash, root.RemoveAll(old)
}

// copyTree copies what git can hold of a tree: a directory without files is left
// out, and one of git's own is refused.
func copyTree(to, from *os.Root, dir string) error {
	f, err := from.Open(dir)
	if err != nil {
		return err
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if err := copyEntry(to, from, path.Join(dir, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func copyEntry(to, from *os.Root, name string, e fs.DirEntry) error {
	if strings.EqualFold(e.Name(), ".git") {
		return fmt.Errorf("%s is git's own, and would not be committed", name)
	}
	if e.IsDir() {
		return copyTree(to, from, name)
	}
	if err := to.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	switch e.Type() {
	case 0:
		return copyFile(to, from, name)
	case fs.ModeSymlink:
		target, err := from.Readlink(name)
		if err != nil {
			return err
		}
		return to.Symlink(target, name)
	}
	return fmt.Errorf("%s is neither a file, a directory nor a link", name)
}

func copyFile(to, from *os.Root, name string) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	out, err := to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
