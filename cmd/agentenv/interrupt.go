package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// interrupted says which signal ended the work.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return fmt.Sprintf("ended by %s", unix.SignalName(i.signal)) }

// interruptible is ctx until a signal asks to end; the cause is an exit then,
// with the code that a shell gives to it. Only where Nix works: a session passes
// signals on to its program.
func interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			cancel(exit{128 + int(s.(syscall.Signal)), interrupted{s.(syscall.Signal)}})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
