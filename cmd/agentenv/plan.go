package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

func newPlan(c *common) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plan [flags] [AGENT] [-- ARGS]",
		Short: "Print what would be enforced, starting nothing",
		Long: `Plan prints what would be enforced for an agent, by default the first of the
spec: what is mounted where and by which line, which paths may be read and
written, which hosts answer. It never starts Nix: where the environment is not
built yet, its store paths are left out, and it says so.`,
		Example: `  agentenv plan
  agentenv plan claude --json`,
		SuggestFor:        []string{"show"},
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: c.agents,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := agentArgs(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return c.printPlan(cmd, t, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the plan for programs")
	return cmd
}

func (c *common) printPlan(cmd *cobra.Command, t target, asJSON bool) error {
	ws, err := c.load(nil)
	if err != nil {
		return err
	}
	if t.agent == "" && len(ws.Policy.Agents) == 0 {
		t.argv = []string{"/bin/sh"} // as agentenv shell would
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return coded(codeSetup, err)
	}
	env, err := c.planned(ws, dirs)
	if err != nil {
		return err
	}
	draft, err := c.draft(ws, dirs)
	if err != nil {
		return coded(codeSetup, err)
	}
	plan, err := c.plan(ws, env, dirs, draft, t)
	if err != nil {
		return coded(codeSetup, err)
	}
	if asJSON {
		return c.printJSON(plan.Redacted())
	}
	var text strings.Builder
	if err := launcher.Describe(&text, plan); err != nil {
		return coded(codeFailed, err)
	}
	_, err = fmt.Fprint(c.io.Out, visible(text.String()))
	return coded(codeFailed, err)
}

// planned is the environment of ws where it is built already. Where it is not, it
// is an empty one: a plan is what one looks at before anything of a stranger's
// spec is evaluated.
func (c *common) planned(ws *workspace.Workspace, dirs state.Dirs) (*workspace.Environment, error) {
	if ws.Nix.From == workspace.FromHost {
		return nil, nil
	}
	lock, err := readLock(ws)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	link, err := linkOf(ws, dirs, lock.text)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	if env, err := cached(link); err == nil {
		return env, nil
	}
	fmt.Fprintln(c.io.Err, "agentenv: the environment is not built yet, so its store paths are not in this plan: agentenv build")
	return &workspace.Environment{Workspace: ws.Name, Path: "/nix/store/not-built-yet"}, nil
}
