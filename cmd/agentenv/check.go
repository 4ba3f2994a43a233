package main

import "github.com/spf13/cobra"

func newCheck(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "check [SPEC]",
		Short: "Check a spec; quiet when it is right",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := c.load(args)
			return err
		},
	}
}
