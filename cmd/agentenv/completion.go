package main

import (
	"fmt"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

// shells are those that completion knows.
var shells = []string{"bash", "zsh", "fish"}

func newCompletion(c *common) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "Print the completions for a shell",
		Long: `Completion prints a script that completes commands, flags, specs and the names
of agents. Where it goes is up to the shell.`,
		Example: `  agentenv completion bash >~/.local/share/bash-completion/completions/agentenv
  agentenv completion zsh >~/.zfunc/_agentenv    # with ~/.zfunc in fpath
  agentenv completion fish >~/.config/fish/completions/agentenv.fish`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrong(cmd, "completion takes the name of one shell: %s", strings.Join(shells, ", "))
			}
			return nil
		},
		ValidArgs:             shells,
		DisableFlagsInUseLine: true,
		RunE:                  func(cmd *cobra.Command, args []string) error { return c.complete(cmd, args[0]) },
	}
}

func (c *common) complete(cmd *cobra.Command, shell string) error {
	root := cmd.Root()
	switch shell {
	case "bash":
		return coded(codeFailed, root.GenBashCompletionV2(c.io.Out, true))
	case "zsh":
		return coded(codeFailed, root.GenZshCompletion(c.io.Out))
	case "fish":
		return coded(codeFailed, root.GenFishCompletion(c.io.Out, true))
	}
	return wrong(cmd, "there are no completions for %q, only for %s", shell, strings.Join(shells, ", "))
}

// specFiles completes the names of specs, for the first argument.
func specFiles(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"hcl", "json"}, cobra.ShellCompDirectiveFilterFileExt
}

// agents completes the names of the spec's agents, for the first argument.
func (c *common) agents(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c.agentNames(cmd, args, word)
}

// agentNames completes the names of the spec's agents.
func (c *common) agentNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	ws := c.glance()
	if ws == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, a := range ws.Policy.Agents {
		names = append(names, fmt.Sprintf("%s\t%s", a.Name, visible(a.Program)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// glance is the spec that would be found, or nil; it prints nothing.
func (c *common) glance() *workspace.Workspace {
	file, err := c.find(nil)
	if err != nil {
		return nil
	}
	src, err := read(file)
	if err != nil {
		return nil
	}
	o, err := c.options(file)
	if err != nil {
		return nil
	}
	o.Dev = true
	ws, _ := hcl.Load(src, file, o)
	return ws
}
