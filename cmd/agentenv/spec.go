package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/workspace"
)

// specNames are the names of a spec. Both beside each other are an error.
var specNames = []string{"workspace.hcl", "workspace.hcl.json"}

// load reads and checks the spec: the positional argument, --spec, or the
// nearest one upward. Diagnostics are printed here, all at once.
func (c *common) load(args []string) (*workspace.Workspace, error) {
	ws, report, err := c.parse(args)
	if err != nil {
		return nil, err
	}
	return ws, c.diagnose(report)
}

// parse reads and checks the spec, and prints nothing. The workspace is nil if
// the report has errors.
func (c *common) parse(args []string) (*workspace.Workspace, *hcl.Report, error) {
	file, err := c.find(args)
	if err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	src, err := read(file)
	if err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	o, err := c.options(file)
	if err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	ws, report := hcl.Load(src, file, o)
	if ws == nil {
		return nil, report, nil
	}
	if err := refuseWritable(ws, report.Sources()); err != nil {
		return nil, nil, coded(codeUsage, err)
	}
	return ws, report, nil
}

// diagnose prints what a report holds, and fails when the spec is wrong.
func (c *common) diagnose(report *hcl.Report) error {
	report.Rename(shown)
	if err := report.Write(c.io.Err, colour(c.io.Err)); err != nil {
		return exit{codeFailed, err}
	}
	if report.HasErrors() {
		return exit{code: codeUsage}
	}
	return nil
}

// read reads a spec. It may be a link (to a file of home-manager's, say); what is
// no regular file is an error and not waited for.
func read(file string) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRegular(f)
}

// find is the absolute path of the spec.
func (c *common) find(args []string) (string, error) {
	given := c.spec
	if len(args) > 0 {
		given = args[0]
	}
	if given != "" {
		return filepath.Abs(given)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	file, err := search(dir, os.Getenv("HOME"))
	if err != nil {
		return "", err
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return "", err
	}
	known, err := dirs.Known()
	if err != nil {
		return "", err
	}
	return file, refusePlanted(file, known)
}

// search looks for a spec in dir and above it. It stops at the top of a git
// tree, at the home directory and where another file system begins: a spec
// beyond those belongs to somebody else.
func search(dir, home string) (string, error) {
	start := dir
	for {
		file, err := specIn(dir)
		if file != "" || err != nil {
			return file, err
		}
		up := filepath.Dir(dir)
		if up == dir || dir == home || exists(filepath.Join(dir, ".git")) || device(up) != device(dir) {
			return "", fmt.Errorf("find spec: no workspace.hcl in %s or above it, up to %s; write one, or name it with --spec", start, dir)
		}
		dir = up
	}
}

func specIn(dir string) (string, error) {
	var found []string
	for _, name := range specNames {
		if file := filepath.Join(dir, name); exists(file) {
			found = append(found, file)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("find spec: both %s and %s exist; remove one", found[0], found[1])
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func device(path string) uint64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	return uint64(info.Sys().(*syscall.Stat_t).Dev)
}
