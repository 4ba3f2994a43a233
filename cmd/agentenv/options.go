package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
)

// options are what loading the spec asks of this machine.
func (c *common) options(file string) (hcl.Options, error) {
	vars, err := givenVars(os.Environ(), c.vars)
	if err != nil {
		return hcl.Options{}, err
	}
	tree := beside(filepath.Dir(file))
	stat := os.Stat
	if c.anywhere {
		stat = nil
	}
	return hcl.Options{
		Home:     os.Getenv("HOME"),
		Dev:      c.dev,
		Stat:     stat,
		Release:  release,
		Vars:     vars,
		Read:     tree.read,
		HashTree: tree.hash,
		User:     userFiles(state.Config(os.Getenv)).source,
	}, nil
}

// varPrefix begins the names of environment variables that give variables of a
// spec their values.
const varPrefix = "AGENTENV_VAR_"

// givenVars are the values of variables; those of the command line count before
// those of the environment, which may be meant for another spec.
func givenVars(environ, flags []string) ([]hcl.Given, error) {
	var vars []hcl.Given
	for _, kv := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(kv, "=")
		if short, ok := strings.CutPrefix(name, varPrefix); ok {
			vars = append(vars, hcl.Given{Name: short, Value: value, From: name, Loose: true})
		}
	}
	for _, kv := range flags {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("read command line: --var %s is not NAME=VALUE", visible(kv))
		}
		vars = append(vars, hcl.Given{Name: name, Value: value, From: "--var"})
	}
	return vars, nil
}

// beside is the directory of a spec, which an agent may have written: no link
// leads out of it.
type beside string

// read reads a file of a tree below the directory; "." is the directory.
func (dir beside) read(tree, name string) ([]byte, error) {
	root, err := dir.open(tree)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f)
}

// hash is the NAR hash of a tree below the directory.
func (dir beside) hash(tree string) (string, error) {
	root, err := dir.open(tree)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return nix.HashTree(root)
}

func (dir beside) open(tree string) (*os.Root, error) {
	top, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return top.OpenRoot(filepath.FromSlash(tree))
}

// readRegular reads a file that was opened without blocking.
func readRegular(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", f.Name())
	}
	return io.ReadAll(f)
}

// userFiles is the directory of the user's own files; "" is one without any.
type userFiles string

// source is the file with a name, in one of the two syntaxes.
func (dir userFiles) source(name string) (hcl.Source, error) {
	var found []hcl.Source
	for _, ending := range []string{".hcl", ".hcl.json"} {
		if dir == "" {
			break
		}
		file := filepath.Join(string(dir), filepath.FromSlash(name)+ending)
		src, err := read(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return hcl.Source{}, err
		default:
			found = append(found, hcl.Source{Name: file, Src: src})
		}
	}
	switch len(found) {
	case 0:
		return hcl.Source{}, nil
	case 1:
		return found[0], nil
	}
	return hcl.Source{}, fmt.Errorf("both %s and %s exist; remove one", found[0].Name, found[1].Name)
}
