package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

// target is what to start in the sandbox: an agent with further arguments, or a
// command.
type target struct {
	agent string
	args  []string
	argv  []string
}

// starting gives cmd, which starts a program in the sandbox, the flag for it.
func (c *common) starting(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&c.seen, "seen", false, "start although the last session uncovered a protected file: you have looked at it")
	return cmd
}

func newRun(c *common) *cobra.Command {
	return c.starting(&cobra.Command{
		Use:   "run [flags] [AGENT] [-- ARGS]",
		Short: "Start an agent in the sandbox, building its environment if needed",
		Long: `Run starts an agent of the spec, by default the first, in the sandbox, and ends
with its exit code. The environment is built when the cache has none for this
spec; otherwise Nix is not started. What stands after -- is added to the agent's
arguments.`,
		Example: `  agentenv run
  agentenv run claude -- --continue`,
		SuggestFor:        []string{"start"},
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: c.agents,
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := agentArgs(args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return c.start(cmd.Context(), t)
		},
	})
}

// agentArgs splits `[AGENT] [-- ARGS]`; dash is where -- stood, or -1.
func agentArgs(args []string, dash int) (target, error) {
	if dash < 0 {
		dash = len(args)
	}
	if dash > 1 {
		return target{}, coded(codeUsage, fmt.Errorf("read command line: one agent at most before --, and there are %q", args[:dash]))
	}
	t := target{args: args[dash:]}
	if dash == 1 {
		t.agent = args[0]
	}
	return t, nil
}

func newShell(c *common) *cobra.Command {
	return c.starting(&cobra.Command{
		Use:   "shell",
		Short: "Start a shell in the sandbox, to see what the agent sees",
		Long: `Shell starts /bin/sh in the sandbox that an agent would get: the same files, the
same environment, the same hosts.`,
		Example:           `  agentenv shell`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.start(cmd.Context(), target{argv: []string{"/bin/sh"}})
		},
	})
}

func newExec(c *common) *cobra.Command {
	return c.starting(&cobra.Command{
		Use:   "exec [flags] -- COMMAND [ARG...]",
		Short: "Run one command in the sandbox",
		Long: `Exec runs a command in the sandbox that an agent would get, and ends with its
exit code.`,
		Example: `  agentenv exec -- ls ~
  agentenv exec -- go test ./...`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrong(cmd, "exec takes a command, after --")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.start(cmd.Context(), target{argv: args})
		},
	})
}

// start launches t in the sandbox of the spec that is found, and returns the
// program's exit code as an error.
func (c *common) start(ctx context.Context, t target) error {
	ws, err := c.load(nil)
	if err != nil {
		return err
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return coded(codeSetup, err)
	}
	env, err := c.environment(ctx, ws, dirs)
	if err != nil {
		return err
	}
	return c.launch(ctx, ws, env, dirs, t)
}

func newLaunch(c *common) *cobra.Command {
	var agent string
	var shell bool
	cmd := &cobra.Command{
		Use:   "launch [flags] MANIFEST [-- ARGS]",
		Short: "Start an agent in an environment that Nix has built; what nix run calls",
		Long: `Launch starts an agent in the environment of a manifest in the store, after the
spec here or above proves to be the one that it was built from. The apps of a
generated flake call it.`,
		Example: `  agentenv launch --agent claude /nix/store/...-manifest -- --continue`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrong(cmd, "launch takes the store path of a manifest")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			t := target{agent: agent, args: args[1:]}
			if shell {
				t = target{argv: append([]string{"/bin/sh"}, args[1:]...)}
			}
			return c.launchManifest(cmd.Context(), args[0], t)
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "the `NAME` of the agent (default: the spec's first)")
	cmd.Flags().BoolVar(&shell, "shell", false, "start a shell instead of an agent")
	cmd.MarkFlagsMutuallyExclusive("agent", "shell")
	cmd.RegisterFlagCompletionFunc("agent", c.agentNames)
	return c.starting(cmd)
}

// launchManifest launches on a manifest in the store, after the spec above the
// current directory proves to be the one that it was built from.
func (c *common) launchManifest(ctx context.Context, manifest string, t target) error {
	env, err := nix.ReadManifest(manifest)
	if err != nil {
		return coded(codeSetup, err)
	}
	c.dev = true // what the references are was decided when the flake was generated
	ws, err := c.load(nil)
	if err != nil {
		return err
	}
	if ws.Name != env.Workspace || nixgen.Digest(ws.Nix) != env.Digest {
		return coded(codeUsage, fmt.Errorf("compare %s: it is not the spec that this environment was built from (workspace %q); run agentenv gen, or start from the project's directory", ws.File, env.Workspace))
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return coded(codeSetup, err)
	}
	return c.launch(ctx, ws, env, dirs, t)
}

// launch plans and carries out. Nothing has been started when the error is not
// the program's own exit code.
func (c *common) launch(ctx context.Context, ws *workspace.Workspace, env *workspace.Environment, dirs state.Dirs, t target) error {
	draft, err := c.draft(ws, dirs)
	if err != nil {
		return coded(codeSetup, err)
	}
	lock, err := draft.Lock()
	if errors.Is(err, state.ErrBusy) {
		return coded(codeSetup, fmt.Errorf("start: a session of workspace %q is running already; in this version there is one at a time, because both would write the project and the private home", ws.Name))
	}
	if err != nil {
		return coded(codeSetup, err)
	}
	defer lock.Close()
	if err := c.refuseSuspect(draft); err != nil {
		return coded(codeSetup, err)
	}
	before, err := launcher.Obeyed(ws.Policy.Project.Path)
	if err != nil {
		return coded(codeSetup, err)
	}
	plan, err := c.plan(ws, env, dirs, draft, t)
	if err != nil {
		return coded(codeSetup, err)
	}
	if err := remember(ws, draft); err != nil {
		return coded(codeSetup, err)
	}
	outside, done, err := c.outside(plan, draft)
	if err != nil {
		return coded(codeSetup, err)
	}
	defer done()
	status, err := launcher.Run(ctx, plan, launcher.Stdio{In: c.io.In, Out: c.io.Out, Err: c.io.Err}, outside)
	err = noteLost(draft, err)
	now, failed := launcher.Obeyed(ws.Policy.Project.Path)
	if failed != nil {
		return coded(codeFailed, errors.Join(err, fmt.Errorf("look at what the session made: %w", failed)))
	}
	c.report(launcher.Appeared(before, now))
	return ended(status, err)
}

// remember keeps what the agents of ws may write, before one starts.
func remember(ws *workspace.Workspace, d state.Draft) error {
	t, err := trees(ws)
	if err != nil {
		return err
	}
	return d.Remember(t)
}

// ended is the end of a session as an error that carries the exit code.
func ended(status int, err error) error {
	var setup *launcher.SetupError
	var exec *launcher.ExecError
	switch {
	case errors.As(err, &setup):
		return exit{codeSetup, err}
	case errors.As(err, &exec):
		return exit{status, err}
	case err != nil:
		return exit{max(status, codeFailed), err}
	case status != 0:
		return exit{code: status}
	}
	return nil
}

// report names what the session made at places that tools of the human's run or
// obey. It was not there before, so nothing held the agent off.
func (c *common) report(appeared []string) {
	if len(appeared) == 0 {
		return
	}
	fmt.Fprintf(c.io.Err, "agentenv: the session made what git, direnv, editors or other agents run or obey; look at it before you use them here:\n")
	for _, name := range appeared {
		fmt.Fprintf(c.io.Err, "  %s\n", shown(name))
	}
}

// workingDir is where the caller stands; "" where that is gone.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// draft is the place of the project's one draft in direct mode, made ready.
func (c *common) draft(ws *workspace.Workspace, dirs state.Dirs) (state.Draft, error) {
	dir, err := filepath.EvalSymlinks(ws.Policy.Project.Path)
	if err != nil {
		return state.Draft{}, err
	}
	d := dirs.Draft(ws.Name, dir, "main")
	return d, d.Make()
}

func (c *common) plan(ws *workspace.Workspace, env *workspace.Environment, dirs state.Dirs, draft state.Draft, t target) (*launcher.Plan, error) {
	host, err := launcher.ThisHost(os.Environ())
	if err != nil {
		return nil, err
	}
	known, err := dirs.Known()
	if err != nil {
		return nil, err
	}
	own, err := launcher.Resolve(ws.Policy.Project.Path)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	p, err := launcher.NewPlan(launcher.Input{
		Workspace: ws, Environment: env, Host: host, Writable: strangers(known, own.Path),
		Home: draft.Home(), State: []string{dirs.State, dirs.Cache},
		Agent: t.agent, Args: t.args, Argv: t.argv, Dir: workingDir(),
	})
	var refused *launcher.Refusal
	if errors.As(err, &refused) {
		return nil, c.diagnose(located(refusals(ws, err)))
	}
	return p, err
}
