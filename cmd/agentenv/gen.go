package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
		Long: `Gen writes the flake of a spec: flake.nix, which is constant but for its inputs,
and agentenv.json, which is data. The same spec gives the same bytes on every
machine. Files that are right are not touched, and a flake.nix that was not
generated is left alone: then gen says what to put into it.

The files go to workspace.out, by default beside the spec; outside a git tree to
.agentenv, since Nix would copy the whole project into its store.`,
		Example: `  agentenv gen
  agentenv gen --check    # in CI`,
		SuggestFor:        []string{"generate"},
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
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
	if check {
		return c.stale(ws, tree.Only(place.Files))
	}
	root, err := makeOut(ws)
	if err != nil {
		return coded(codeFailed, err)
	}
	defer root.Close()
	if _, err := tree.Only(place.Files).Write(root); err != nil {
		return coded(codeFailed, err)
	}
	c.advise(place)
	return nil
}

// stale prints the names of the files that gen would write, and fails when there
// are some.
func (c *common) stale(ws *workspace.Workspace, tree nixgen.Tree) error {
	names := slices.Sorted(maps.Keys(tree))
	root, err := openOut(ws)
	if err == nil {
		defer root.Close()
		names, err = tree.Check(root)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return coded(codeFailed, err)
	}
	for _, name := range names {
		fmt.Fprintln(c.io.Out, filepath.Join(outDir(ws), name))
	}
	if len(names) > 0 {
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
	for _, name := range []string{nixgen.DataFile, nixgen.FlakeFile} {
		text, err := readOut(ws, name)
		if err != nil {
			return nixgen.Placement{}, err
		}
		if text == nil {
			f.Untracked = append(f.Untracked, name)
		}
		if name == nixgen.FlakeFile {
			f.Flake = text
		}
	}
	return nixgen.Place(ws.Nix.Out, f), nil
}

// openOut opens the directory of the generated files. It lies in a tree that an
// agent may write, so no link leads out of the spec's directory.
func openOut(ws *workspace.Workspace) (*os.Root, error) {
	top, err := os.OpenRoot(ws.Dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	return top.OpenRoot(outDir(ws))
}

// makeOut opens the directory of the generated files, and makes it if need be.
func makeOut(ws *workspace.Workspace) (*os.Root, error) {
	top, err := os.OpenRoot(ws.Dir)
	if err != nil {
		return nil, err
	}
	defer top.Close()
	if err := top.MkdirAll(outDir(ws), 0o755); err != nil {
		return nil, fmt.Errorf("make directory of generated files: %w", err)
	}
	return top.OpenRoot(outDir(ws))
}

// outDir is the directory of the generated files, relative to the spec's.
func outDir(ws *workspace.Workspace) string {
	return filepath.FromSlash(nixgen.DirIn(ws.Nix.Out, inGitTree(ws.Dir)))
}

// readOut reads one file of the directory of the generated files; nil where
// there is none.
func readOut(ws *workspace.Workspace, name string) ([]byte, error) {
	root, err := openOut(ws)
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
