package main

import (
	"github.com/agentenv/agentenv/launcher"
	"github.com/spf13/cobra"
)

func newCheck(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "check [SPEC]",
		Short: "Check a spec; quiet when it is right",
		Long: `Check reads a spec and prints all that is wrong with it, each with its place and
what to write instead. It starts no Nix, so that names of packages are not
looked up.`,
		Example: `  agentenv check
  agentenv check ~/src/shop/workspace.hcl`,
		SuggestFor:        []string{"validate", "lint", "verify"},
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			ws, err := c.load(args)
			if err != nil {
				return err
			}
			return coded(codeUsage, launcher.Unenforced(ws))
		},
	}
}
