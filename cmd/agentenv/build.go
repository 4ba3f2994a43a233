package main

import (
	"fmt"
	"os"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

func newBuild(c *common) *cobra.Command {
	var refresh, asJSON bool
	cmd := &cobra.Command{
		Use:   "build [SPEC]",
		Short: "Build the environment and print its path",
		Long: `Build has Nix build the environment of a spec, and prints its path: a tree with
bin/. It is kept from Nix's garbage collector. When nothing has changed that it
is made from, Nix is not started.

Nix gets to see a private directory with the generated files and flake.lock, and
nothing of the project. The lock is completed where it lacks an input. Where
flake.nix is not agentenv's, its lock is read and never written; what it lacks
is locked in .agentenv.`,
		Example: `  agentenv build
  ls "$(agentenv build)/bin"
  agentenv build --json | jq -r .sources`,
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			ws, err := c.load(args)
			if err != nil {
				return err
			}
			dirs, err := state.Locate(os.Getenv)
			if err != nil {
				return coded(codeFailed, err)
			}
			env, err := c.built(cmd.Context(), ws, dirs, refresh)
			if err != nil {
				return err
			}
			return c.printEnvironment(env, asJSON)
		},
	}
	cmd.Flags().BoolVar(&refresh, "refresh", false, "ask Nix also when nothing has changed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it for programs")
	return cmd
}

// product is what build prints for programs.
type product struct {
	Environment string `json:"environment"` // store paths
	Sources     string `json:"sources"`
	Manifest    string `json:"manifest"`
	System      string `json:"system"`
	Closure     int    `json:"closure"` // how many store paths they refer to
}

// printEnvironment prints what was built: nothing for programs of the host.
func (c *common) printEnvironment(env *workspace.Environment, asJSON bool) (err error) {
	switch {
	case asJSON && env == nil:
		return c.printJSON(nil)
	case asJSON:
		return c.printJSON(product{env.Path, env.Sources, env.Manifest, env.System, len(env.Closure)})
	case env != nil:
		_, err = fmt.Fprintln(c.io.Out, env.Path)
	}
	return coded(codeFailed, err)
}
