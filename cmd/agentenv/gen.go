package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

func newGen(c *common) *cobra.Command {
	var check bool
	var out string
	cmd := &cobra.Command{
		Use:   "gen [SPEC]",
		Short: "Write flake.nix and agentenv.json; starts no Nix",
		Long: `Gen writes the flake of a spec: flake.nix, which is constant but for its inputs,
and agentenv.json, which is data. The same spec gives the same bytes on every
machine. Files that are right are not touched, and a flake.nix that was not
generated is left alone: then gen says what to put into it.

The files go to workspace.out, by default beside the spec; outside a git tree to
.agentenv, since Nix would copy the whole project into its store. With --out
they go elsewhere, this once: below the spec's directory, where no link leads
out of it, or to a directory that no agent of the spec can write. The lock stays
where it is.`,
		Example: `  agentenv gen
  agentenv gen --check    # in CI
  agentenv gen -o /tmp/flake && nix flake show /tmp/flake`,
		SuggestFor:        []string{"generate"},
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			return c.gen(args, out, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and exit 1 when something would change")
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `DIR` of the files (default: workspace.out)")
	cmd.MarkFlagDirname("out")
	return cmd
}

func (c *common) gen(args []string, out string, check bool) error {
	c.anywhere = true // CI and colleagues have no checkouts of ours
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
	d, err := elsewhere(ws, out)
	if err != nil {
		return coded(codeUsage, err)
	}
	place, err := placement(ws, d)
	if err != nil {
		return coded(codeFailed, err)
	}
	if check {
		return c.stale(d, tree.Only(place.Files))
	}
	root, err := d.make()
	if err != nil {
		return coded(codeFailed, err)
	}
	defer root.Close()
	if _, err := tree.Only(place.Files).Write(root); err != nil {
		return coded(codeFailed, err)
	}
	c.advise(ws, d, place)
	return nil
}

// stale prints the names of the files that gen would write, and fails when there
// are some.
func (c *common) stale(d destination, tree nixgen.Tree) error {
	names := slices.Sorted(maps.Keys(tree))
	root, err := d.open()
	if err == nil {
		defer root.Close()
		names, err = tree.Check(root)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return coded(codeFailed, err)
	}
	for _, name := range names {
		fmt.Fprintln(c.io.Out, shown(filepath.Join(d.path(), name)))
	}
	if len(names) > 0 {
		return exit{code: codeFailed}
	}
	return nil
}

// advise says what the human must still do, once per change of the files, in
// commands for the directory that they are in.
func (c *common) advise(ws *workspace.Workspace, d destination, p nixgen.Placement) {
	if p.Foreign {
		fmt.Fprintf(c.io.Err, "agentenv: flake.nix is not generated and was left alone; take the outputs from\n%s\n", nixgen.Paste)
	}
	if p.Add != nil {
		git := "git"
		if dir := here(ws.Dir); dir != "." {
			git += " -C " + quote(dir)
		}
		fmt.Fprintf(c.io.Err, "agentenv: for Nix to see the new files: %s %s\n", git, quote(p.Add...))
	}
	if ref := flakeOf(d); !p.Foreign && ref != "." {
		fmt.Fprintf(c.io.Err, "agentenv: start the agent with agentenv run, or nix run %s\n", quote(ref+"#agent"))
	}
}

// flakeOf is the reference of the flake in d, for the current directory. With a
// dot in front Nix takes it for a path, and not for a name of the registry.
func flakeOf(d destination) string {
	dir := here(d.path())
	if dir != "." && dir != ".." && !strings.HasPrefix(dir, "../") && !filepath.IsAbs(dir) {
		dir = "./" + dir
	}
	if inGitTree(d.path()) {
		return dir
	}
	return "path:" + dir
}

// placement looks where the generated files of ws go. A file that is not there
// yet is one that git does not track.
func placement(ws *workspace.Workspace, d destination) (nixgen.Placement, error) {
	f := nixgen.Facts{GitTree: inGitTree(d.path())}
	for _, name := range []string{nixgen.DataFile, nixgen.FlakeFile} {
		text, err := d.read(name)
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
	return nixgen.Place(relative(ws.Dir, d.path()), f), nil
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
