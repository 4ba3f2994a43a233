package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/agentenv/agentenv/internal/flakelock"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

func newLock(c *common) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "lock [SPEC]",
		Short: "Write flake.lock, building nothing",
		Long: `Lock pins the inputs of a spec that flake.lock does not pin yet, and prints
them. What is pinned stays: update moves it. Build and run lock too, when
something is missing.`,
		Example:           `  agentenv lock && git add flake.lock`,
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			ws, err := c.load(args)
			if err != nil {
				return err
			}
			changes, err := c.relock(cmd.Context(), ws, func(ctx context.Context, w *workbench, lock []byte) error {
				return w.complete(ctx, ws, lock)
			})
			if err != nil {
				return err
			}
			return c.printChanges(changes, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the changes for programs")
	return cmd
}

// relock has do make another lock of the one that is there, keeps it, and returns
// what changed.
func (c *common) relock(ctx context.Context, ws *workspace.Workspace, do func(context.Context, *workbench, []byte) error) ([]flakelock.Change, error) {
	if ws.Nix.From == workspace.FromHost {
		return nil, coded(codeUsage, errors.New(`lock inputs: environment.from is "host": its programs come from this machine, and there is nothing to pin`))
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	lock, err := readLock(ws)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	was, err := flakelock.Parse(lock.text)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	theirs := lock.borrowed
	err = c.withNix(ctx, ws, dirs, func(ctx context.Context, w *workbench) error {
		if err := do(ctx, w, lock.text); err != nil {
			return c.explain(ws, err)
		}
		return coded(codeFailed, lock.keep(w.lock))
	})
	if err != nil {
		return nil, err
	}
	is, err := flakelock.Parse(lock.text)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	if theirs { // it pins inputs of their flake, too
		maps.DeleteFunc(was, func(name string, _ flakelock.Pin) bool { _, ours := is[name]; return !ours })
	}
	return flakelock.Changes(was, is), nil
}

// change is a changed pin, for programs.
type change struct {
	Input string `json:"input"`
	Old   *pin   `json:"old"` // null for one that was not there
	New   *pin   `json:"new"`
}

type pin struct {
	Revision string `json:"revision,omitempty"`
	Hash     string `json:"narHash,omitempty"`
	Modified int64  `json:"lastModified,omitempty"` // seconds since 1970
}

func (c *common) printChanges(changes []flakelock.Change, asJSON bool) error {
	if asJSON {
		out := []change{}
		for _, ch := range changes {
			out = append(out, change{ch.Input, pinOf(ch.Old), pinOf(ch.New)})
		}
		return c.printJSON(out)
	}
	var b strings.Builder
	for _, ch := range changes {
		switch {
		case ch.Old == nil:
			fmt.Fprintf(&b, "%s: %s\n", ch.Input, ch.New)
		case ch.New == nil:
			fmt.Fprintf(&b, "%s: %s is gone\n", ch.Input, ch.Old)
		default:
			fmt.Fprintf(&b, "%s: %s → %s\n", ch.Input, ch.Old, ch.New)
		}
	}
	_, err := fmt.Fprint(c.io.Out, visible(b.String()))
	return coded(codeFailed, err)
}

func pinOf(p *flakelock.Pin) *pin {
	if p == nil {
		return nil
	}
	out := &pin{Revision: p.Revision, Hash: p.Hash}
	if !p.Modified.IsZero() {
		out.Modified = p.Modified.Unix()
	}
	return out
}
