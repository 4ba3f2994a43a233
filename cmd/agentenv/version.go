package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// version is the release of this binary.
const version = "0.1.0"

// release is the reference that a spec without workspace.agentenv takes the
// launcher from.
const release = "github:agentenv/agentenv/v" + version

func newVersion(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(c.io.Out, "agentenv %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
