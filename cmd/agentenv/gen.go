package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

func newGen(c *common) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "gen [SPEC]",
		Short: "Write flake.nix and agentenv.json; starts no Nix",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.gen(args, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and exit 1 when something would change")
	return cmd
}

func (c *common) gen(args []string, check bool) error {
	ws, err := c.load(args)
	if err != nil {
		return err
	}
	if ws.Nix.From == workspace.FromHost {
		return coded(codeUsage, errors.New(`generate: environment.from is "host": its programs come from this machine, and there is no flake to write`))
	}
	tree, err := nixgen.Generate(ws, version)
	if err != nil {
		return coded(codeUsage, err)
	}
	place, err := placement(ws)
	if err != nil {
		return coded(codeFailed, err)
	}
	dir := filepath.Join(ws.Dir, filepath.FromSlash(place.Dir))
	if check {
		return c.stale(tree.Only(place.Files), dir)
	}
	if _, err := tree.Only(place.Files).Write(dir); err != nil {
		return coded(codeFailed, err)
	}
	c.advise(place)
	return nil
}

func (c *common) stale(tree nixgen.Tree, dir string) error {
	stale, err := tree.Check(dir)
	if err != nil {
		return coded(codeFailed, err)
	}
	for _, name := range stale {
		fmt.Fprintln(c.io.Out, filepath.Join(dir, name))
	}
	if len(stale) > 0 {
		return exit{code: codeFailed}
	}
	return nil
}

// advise says what the human must still do, once per change of the files.
func (c *common) advise(p nixgen.Placement) {
	if p.Foreign {
		fmt.Fprintf(c.io.Err, "agentenv: flake.nix is not generated and was left alone; take the outputs from\n%s\n", nixgen.Paste)
	}
	if p.Add != nil {
		fmt.Fprintf(c.io.Err, "agentenv: for Nix to see the new files: git %s\n", strings.Join(p.Add, " "))
	}
	if !p.Foreign && p.Flake != "." {
		fmt.Fprintf(c.io.Err, "agentenv: start the agent with agentenv run, or nix run %s#agent\n", p.Flake)
	}
}

// placement looks where the generated files of ws go. A file that is not there
// yet is one that git does not track.
func placement(ws *workspace.Workspace) (nixgen.Placement, error) {
	f := nixgen.Facts{GitTree: inGitTree(ws.Dir)}
	dir := outDir(ws)
	flake, err := readOptional(filepath.Join(dir, nixgen.FlakeFile))
	if err != nil {
		return nixgen.Placement{}, err
	}
	f.Flake = flake
	for _, name := range []string{nixgen.DataFile, nixgen.FlakeFile} {
		if !exists(filepath.Join(dir, name)) {
			f.Untracked = append(f.Untracked, name)
		}
	}
	return nixgen.Place(ws.Nix.Out, f), nil
}

// outDir is the directory of the generated files.
func outDir(ws *workspace.Workspace) string {
	return filepath.Join(ws.Dir, filepath.FromSlash(nixgen.DirIn(ws.Nix.Out, inGitTree(ws.Dir))))
}

// inGitTree says whether dir or a directory above it has a .git.
func inGitTree(dir string) bool {
	for {
		if exists(filepath.Join(dir, ".git")) {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}

func readOptional(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
