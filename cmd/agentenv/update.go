package main

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/flakelock"
	"github.com/agentenv/agentenv/workspace"
	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
)

func newUpdate(c *common) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "update [NAME...]",
		Short: "Pin inputs and includes anew, at what they are today",
		Long: `Update pins anew what the spec takes from elsewhere, all of it or what is named,
and prints what changed: inputs (nixpkgs, agentenv, and those of input blocks)
in flake.lock; includes with a url in agentenv.lock, with a copy in agentenv.d
that everything else reads. Nothing is built.`,
		Example: `  agentenv update
  agentenv update nixpkgs
  agentenv update team && git add agentenv.lock agentenv.d`,
		SuggestFor:        []string{"upgrade"},
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: c.updatable,
		RunE: func(cmd *cobra.Command, names []string) error {
			changes, err := c.update(cmd, names)
			if err != nil && changes == nil {
				return err
			}
			return errors.Join(err, c.printChanges(changes, asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the changes for programs")
	return cmd
}

// update updates includes first: what the inputs are may stand in one.
func (c *common) update(cmd *cobra.Command, names []string) ([]flakelock.Change, error) {
	file, err := c.find(nil)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	includes, report, err := c.includes(file) // what is wrong is told of below
	if err != nil {
		return nil, err
	}
	isInclude := func(name string) bool {
		return slices.ContainsFunc(includes, func(i hcl.Include) bool { return i.Name == name })
	}
	if ws, _, err := c.parse([]string{file}); err == nil && ws != nil {
		if err := known(cmd, ws, includes, names); err != nil {
			return nil, err
		}
	}
	var changes []flakelock.Change
	if len(includes) > 0 && (len(names) == 0 || slices.ContainsFunc(names, isInclude)) {
		chosen := func(name string) bool { return len(names) == 0 || slices.Contains(names, name) }
		if changes, err = c.updateIncludes(cmd.Context(), file, chosen); err != nil {
			return changes, err
		}
	}
	if len(includes) == 0 && len(names) == 0 && !report.HasErrors() {
		if err := pruneAll(filepath.Dir(file)); err != nil {
			return nil, coded(codeFailed, err)
		}
	}
	ws, err := c.load([]string{file})
	if err != nil {
		return changes, err
	}
	if err := known(cmd, ws, includes, names); err != nil {
		return changes, err
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return isInclude(name) && inputs(ws)[name] == "" })
	if len(names) > 0 && len(rest) == 0 || len(names) == 0 && ws.Nix.From == workspace.FromHost {
		return changes, nil
	}
	moved, err := c.relock(cmd.Context(), ws, func(ctx context.Context, w *workbench, lock []byte) error {
		if err := w.complete(ctx, ws, lock); err != nil {
			return err
		}
		return w.pin(ws, w.lock, func(stage string) error { return w.cli.Update(ctx, stage, rest...) })
	})
	return append(changes, moved...), err
}

// gitTop is the top of the git tree that dir is in, or dir itself.
func gitTop(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		if exists(filepath.Join(up, ".git")) {
			return up
		}
		if up == filepath.Dir(up) {
			return dir
		}
	}
}

// inputs are the inputs of the generated flake of ws, with what they are for.
func inputs(ws *workspace.Workspace) map[string]string {
	names := map[string]string{"nixpkgs": "the package set", "agentenv": "the launcher"}
	for _, in := range ws.Nix.Inputs {
		names[in.Name] = "an input"
	}
	return names
}

// known fails for a name that is no input and no include of ws.
func known(cmd *cobra.Command, ws *workspace.Workspace, includes []hcl.Include, names []string) error {
	all := inputs(ws)
	for _, i := range includes {
		all[i.Name] = "an include"
	}
	for _, name := range names {
		if all[name] != "" {
			continue
		}
		for _, near := range slices.Sorted(maps.Keys(all)) {
			if levenshtein.Distance(name, near, nil) <= max(2, len(near)/3) {
				return wrong(cmd, "the spec has no input or include %q (did you mean %s?)", name, near)
			}
		}
		return wrong(cmd, "the spec has no input or include %q, only %s", name, strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	}
	return nil
}

// updatable completes the names of inputs and includes.
func (c *common) updatable(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	ws := c.glance()
	if ws == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for name, what := range inputs(ws) {
		names = append(names, name+"\t"+what)
	}
	slices.Sort(names)
	return names, cobra.ShellCompDirectiveNoFileComp
}
