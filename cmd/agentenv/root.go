package main

import "github.com/spf13/cobra"

// common are the options that every command has.
type common struct {
	io   streams
	spec string
	dev  bool
}

func newRoot(io streams) *cobra.Command {
	c := &common{io: io}
	cmd := &cobra.Command{
		Use:   "agentenv",
		Short: "Leave a coding agent alone in one project",
		Long: `agentenv builds the environment that a workspace spec describes, and starts a
coding agent in it: the agent sees the sources of its dependencies and your
checkouts, may write one project, and reaches nothing else.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	cmd.PersistentFlags().StringVar(&c.spec, "spec", "", "the spec `FILE` (default: workspace.hcl here or above)")
	cmd.PersistentFlags().BoolVar(&c.dev, "dev", false, "allow path: and git+file: references, which others cannot use")
	cmd.SetOut(io.Out)
	cmd.SetErr(io.Err)
	cmd.AddCommand(newCheck(c), newFmt(c), newGen(c), newBuild(c), newRun(c), newShell(c), newExec(c), newLaunch(c), newPlan(c), newVersion(c))
	return cmd
}
