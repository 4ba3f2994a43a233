package main

import (
	"fmt"
	"os"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/spf13/cobra"
)

func newBuild(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "build [SPEC]",
		Short: "Build the environment and print its path",
		Long: `Build has Nix build the environment of a spec, and prints its path: a tree with
bin/. It is kept from Nix's garbage collector. When nothing has changed that it
is made from, Nix is not started.

Nix gets to see a private directory with the generated files and flake.lock, and
nothing of the project. The lock is completed where it lacks an input.`,
		Example: `  agentenv build
  ls "$(agentenv build)/bin"`,
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
			env, err := c.environment(cmd.Context(), ws, dirs)
			if err != nil {
				return err
			}
			if env == nil {
				return nil // programs come from the host: there is nothing to build
			}
			_, err = fmt.Fprintln(c.io.Out, env.Path)
			return coded(codeFailed, err)
		},
	}
}
