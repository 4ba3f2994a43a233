package main

import "github.com/spf13/cobra"

// common are the options that every command has.
type common struct {
	io   streams
	spec string
	vars []string
	dev  bool

	verbose bool
	seen    bool
}

func newRoot(io streams) *cobra.Command {
	c := &common{io: io}
	var showVersion bool
	cmd := &cobra.Command{
		Use:   "agentenv",
		Short: "Leave a coding agent alone in one project",
		Long: `agentenv builds the environment that a workspace spec describes, and starts a
coding agent in it: the agent sees the sources of its dependencies and your
checkouts, may write one project, and reaches nothing else.

Data goes to standard output and words to standard error; a command that has
nothing to say is silent. The exit code is that of the program in the sandbox;
125 when the sandbox could not be made and nothing was started; 126 and 127 as
in env(1); 2 for a wrong spec or command line; 1 when anything else failed.`,
		Example: `  agentenv init           # write a spec to start from
  agentenv run            # start the agent in the sandbox
  agentenv gen            # write a flake, for your team`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return c.printVersion(false)
			}
			return cmd.Help()
		},
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	cmd.Flags().BoolVar(&showVersion, "version", false, "print the version")
	cmd.PersistentFlags().StringVar(&c.spec, "spec", "", "the spec `FILE` (default: workspace.hcl here or above)")
	cmd.PersistentFlags().StringArrayVar(&c.vars, "var", nil, "give a variable of the spec a value, as `NAME=VALUE`")
	cmd.PersistentFlags().BoolVar(&c.dev, "dev", false, "allow path: and git+file: references, which others cannot use")
	cmd.PersistentFlags().BoolVar(&c.seen, "seen", false, "start although the last session uncovered a protected file: you have looked at it")
	cmd.PersistentFlags().BoolVarP(&c.verbose, "verbose", "v", false, "show all that Nix writes")
	cmd.RegisterFlagCompletionFunc("spec", specFiles)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetOut(io.Out)
	cmd.SetErr(io.Err)
	addCommands(cmd, c)
	return cmd
}

// addCommands adds all commands, grouped as help lists them.
func addCommands(root *cobra.Command, c *common) {
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"The spec:", []*cobra.Command{newInit(c), newCheck(c), newFmt(c)}},
		{"The environment:", []*cobra.Command{newGen(c), newBuild(c), newLock(c), newUpdate(c)}},
		{"The agent:", []*cobra.Command{newRun(c), newShell(c), newExec(c), newLaunch(c), newPlan(c)}},
		{other, []*cobra.Command{newCompletion(c), newMan(c), newVersion(c)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID(other)
}

// other is the group of commands that help stands in.
const other = "Other:"
