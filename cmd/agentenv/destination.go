package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// destination is a directory of generated files: dir below top. Below the spec's
// directory an agent may write, so no link leads out of top.
type destination struct{ top, dir string }

// usual is where the generated files and the lock of ws are.
func usual(ws *workspace.Workspace) destination {
	return destination{ws.Dir, filepath.FromSlash(nixgen.DirIn(ws.Nix.Out, inGitTree(ws.Dir)))}
}

// elsewhere is the directory given on the command line, or the usual one where
// none is.
func elsewhere(ws *workspace.Workspace, given string) (destination, error) {
	if given == "" {
		return usual(ws), nil
	}
	dir, err := filepath.Abs(given)
	if err != nil {
		return destination{}, err
	}
	if rel, err := filepath.Rel(ws.Dir, dir); err == nil && filepath.IsLocal(rel) {
		if rel == "." && !inGitTree(ws.Dir) {
			return destination{}, fmt.Errorf("write to %s: outside a git tree Nix copies the whole directory of a flake into its store, where everyone can read it; name a directory that holds nothing else", given)
		}
		return destination{ws.Dir, rel}, nil
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return destination{}, err
	}
	refused, err := untrusted(ws, dirs)
	if err != nil {
		return destination{}, err
	}
	if refused(nearest(dir)) {
		return destination{}, fmt.Errorf("write to %s: an agent can write there, and may have left links; name a directory below %s, or one that no agent writes", given, shown(ws.Dir))
	}
	return destination{dir, "."}, nil
}

// nearest is path, or the nearest directory above it that exists.
func nearest(path string) string {
	for !exists(path) && path != "/" {
		path = filepath.Dir(path)
	}
	return path
}

func (d destination) path() string { return filepath.Join(d.top, d.dir) }

// open opens the directory.
func (d destination) open() (*os.Root, error) {
	top, err := os.OpenRoot(d.top)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return top.OpenRoot(d.dir)
}

// make opens the directory, and makes it if need be.
func (d destination) make() (*os.Root, error) {
	if err := os.MkdirAll(d.top, 0o755); err != nil {
		return nil, err
	}
	top, err := os.OpenRoot(d.top)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	if err := top.MkdirAll(d.dir, 0o755); err != nil {
		return nil, fmt.Errorf("make directory of generated files: %w", err)
	}
	return top.OpenRoot(d.dir)
}

// read reads one file of the directory; nil where there is none.
func (d destination) read(name string) ([]byte, error) {
	root, err := d.open()
	if err == nil {
		defer root.Close()
		var text []byte
		if text, err = nixgen.Read(root, name); err == nil {
			return text, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return nil, err
}
