package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
)

// updateInclude copies the tree that an include of the spec names, as it is now,
// to agentenv.d, and pins it in agentenv.lock. The rest of the spec may be wrong:
// it cannot be right before what it includes is there.
func (c *common) updateInclude(ctx context.Context, name string) error {
	file, err := c.find(nil)
	if err != nil {
		return coded(codeUsage, err)
	}
	include, err := c.include(file, name)
	if err != nil {
		return coded(codeUsage, err)
	}
	tree, err := c.fetch(ctx, filepath.Dir(file), include)
	if err != nil {
		return coded(codeFailed, fmt.Errorf("update include %s: %w", name, err))
	}
	return coded(codeFailed, vendor(filepath.Dir(file), include, tree))
}

// include finds an include with a url in the spec, or in what it includes.
func (c *common) include(file, name string) (hcl.Include, error) {
	src, err := read(file)
	if err != nil {
		return hcl.Include{}, err
	}
	o, err := c.options(file)
	if err != nil {
		return hcl.Include{}, err
	}
	all, report := hcl.Includes(src, file, o)
	if err := c.diagnose(report); err != nil {
		return hcl.Include{}, err
	}
	var names []string
	for _, i := range all {
		if i.Name == name {
			return i, nil
		}
		names = append(names, i.Name)
	}
	if names == nil {
		return hcl.Include{}, fmt.Errorf("find include %s: %s includes nothing by a url", visible(name), shown(file))
	}
	return hcl.Include{}, fmt.Errorf("find include %s: %s has %s", visible(name), shown(file), strings.Join(names, ", "))
}

// fetch has Nix fetch a tree into its store. Nix runs in a directory of its own,
// and finds only programs that no agent may write.
func (c *common) fetch(ctx context.Context, dir string, i hcl.Include) (nix.Fetched, error) {
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return nix.Fetched{}, err
	}
	known, err := dirs.Known()
	if err != nil {
		return nix.Fetched{}, err
	}
	refused := lyingIn(append(strangers(known, ""), dirs.State, dir))
	program, err := nix.Find(os.Getenv("PATH"), refused)
	if err != nil {
		return nix.Fetched{}, err
	}
	temp, err := os.MkdirTemp("", "agentenv-")
	if err != nil {
		return nix.Fetched{}, err
	}
	defer os.RemoveAll(temp)
	cli := nix.CLI{Program: program, Env: safeEnviron(os.Environ(), refused), Progress: func(line string) { fmt.Fprintln(c.io.Err, line) }}
	return cli.Fetch(ctx, temp, i.Reference)
}

// attributes keep git from changing a byte of the copies.
const attributes = "* -text -ident -filter -working-tree-encoding\n"

// vendor puts the copy of a tree in its place and pins it. The directory is one
// that an agent may have written, so no link leads out of it.
func vendor(dir string, i hcl.Include, fetched nix.Fetched) error {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer top.Close()
	lock, err := readIncludeLock(top)
	if err != nil {
		return err
	}
	if err := top.Mkdir(hcl.VendorDir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	root, err := top.OpenRoot(hcl.VendorDir)
	if err != nil {
		return err
	}
	defer root.Close()
	hash, err := replaceTree(root, i.Name, fetched.Path)
	if err != nil {
		return fmt.Errorf("copy to %s: %w", i.Tree(), err)
	}
	if err := nixgen.Replace(root, ".gitattributes", []byte(attributes)); err != nil {
		return err
	}
	lock[i.Name] = hcl.Pin{URL: i.URL, Revision: fetched.Revision, Hash: hash}
	return nixgen.Replace(top, hcl.LockFile, lock.Bytes())
}

func readIncludeLock(top *os.Root) (hcl.Lock, error) {
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
