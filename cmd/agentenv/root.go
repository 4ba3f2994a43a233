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
	// anywhere: what is made is for every machine, so that this one's disk is not
	// asked whether the spec's paths exist.
	anywhere bool
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
	cmd.PersistentFlags().BoolVarP(&c.verbose, "verbose", "v", false, "show all that Nix writes")
	cmd.RegisterFlagCompletionFunc("spec", specFiles)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetOut(io.Out)
	cmd.SetErr(io.Err)
	help := newHelp()
	cmd.SetHelpCommand(help)
	addCommands(cmd, c, help)
	return cmd
}

// addCommands adds all commands, grouped as help lists them.
func addCommands(root *cobra.Command, c *common, help *cobra.Command) {
	for _, group := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"The spec:", []*cobra.Command{newInit(c), newCheck(c), newFmt(c)}},
		{"The environment:", []*cobra.Command{newGen(c), newBuild(c), newLock(c), newUpdate(c)}},
		{"The agent:", []*cobra.Command{newRun(c), newShell(c), newExec(c), newLaunch(c), newPlan(c)}},
		{"Other:", []*cobra.Command{newCompletion(c), help, newMan(c), newVersion(c)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND]",
		Short:                 "Explain a command",
		Example:               `  agentenv help run`,
		DisableFlagsInUseLine: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrong(cmd, "help takes one command, and there are %q", args)
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, sub := range commands(cmd.Root())[1:] {
				names = append(names, sub.Name()+"\t"+sub.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args)
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}
