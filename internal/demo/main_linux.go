// Command demo shows the main job from end to end, on a machine that has
// Debian's packages only: a workspace spec becomes a Nix environment, and the
// real Claude Code, whose model is played by a script, works in it under the
// sandbox. The script does a piece of work that needs to read a dependency's
// source and a neighbouring checkout, then tries to get out.
//
// It prints what was tried and how it went, checks from outside what is left,
// and exits 0 only if every line went as it must. It touches nothing but a
// temporary directory and its own caches.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/agentenv/agentenv/internal/fixture"
)

func main() {
	dir, err := fixture.CacheDir()
	if err != nil {
		fail(err)
	}
	status, err := fixture.Enter(dir)
	if err == nil {
		os.Exit(status)
	}
	if !errors.Is(err, fixture.ErrInside) {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok, err := demonstrate(ctx)
	if err != nil {
		stop()
		fail(err)
	}
	if !ok {
		stop()
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "demo:", err)
	os.Exit(1)
}

// demonstrate runs the agent once by `agentenv run` and prints the report.
func demonstrate(ctx context.Context) (ok bool, err error) {
	progress := func(what string) { fmt.Fprintln(os.Stderr, "demo:", what) }
	progress("preparing agentenv and Claude Code " + fixture.ClaudeVersion)
	kit, err := newKit(ctx)
	if err != nil {
		return false, err
	}
	defer kit.remove()
	w, err := newWorld(ctx, kit)
	if err != nil {
		return false, err
	}
	defer w.remove()
	progress("building the environment with Nix (a minute or two the first time)")
	if err := w.prepare(ctx); err != nil {
		return false, err
	}
	progress("starting the agent in the sandbox")
	report, err := w.play(ctx, w.run)
	if err != nil {
		return false, err
	}
	return report.write(os.Stdout)
}
