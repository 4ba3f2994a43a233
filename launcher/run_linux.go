package launcher

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Run carries p out: it makes the sandbox, starts the program in it, and waits.
// It needs Stage to be the first thing that the running binary does.
//
// The status is the program's own, 128+n when signal n ended it, and 126 or 127
// with an ExecError when it could not be executed. A SetupError means that
// nothing was started. When ctx ends, or a mount of the plan is lost
// (LostMountError), everything inside is killed and the status is 137. No
// process of the sandbox outlives Run, or a launcher that is killed.
//
// Signals that ask this process to end go to the program instead while it runs;
// before, they end the set-up. A program that is still there 5 seconds after
// SIGTERM, SIGHUP or the loss of the terminal is killed, with an error. All
// descriptors of this process from 3 on are set to close at exec.
func Run(ctx context.Context, p *Plan, io Stdio, out Outside) (int, error) {
	// The parent-death signal of pid 1 follows this thread, not this process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := &running{ctx: ctx, plan: p, io: io, outside: out, streams: newStreams(io), control: conn{-1}, mounts: -1}
	defer r.close()
	for _, step := range runSteps {
		if err := step.do(r); err != nil {
			r.kill()
			return r.unstarted(step.name, err)
		}
	}
	return r.wait()
}

// running is a sandbox from the outside.
type running struct {
	ctx       context.Context // of the call of Run that this is
	plan      *Plan
	io        Stdio
	outside   Outside
	streams   *streams
	control   conn
	pid       int   // of pid 1, as seen here; 0 when there is none. The kernel gives it to no other before the wait
	listeners []int // by route, -1 until it is passed out
	mounts    int   // mountinfo of pid 1
	baseline  mountTable
	signals   chan os.Signal
	late      <-chan time.Time // when a program is killed that was asked to end
	words     <-chan frame     // what pid 1 says; closed when it is gone
	closers   []func()
}

var runSteps = []struct {
	name string
	do   func(*running) error
}{
	{"plan", (*running).check},
	{"descriptors", func(*running) error { return closeFrom(3) }},
	{"standard files", (*running).openStreams},
	{"namespaces", (*running).startInit},
	{"order", (*running).sendOrders},
	{"signals", (*running).catchSignals},
	{"sandbox", (*running).collect},
	{"watch", (*running).readBaseline},
	{"standard files", (*running).startStreams},
	{"program", (*running).startProgram},
}

// unstarted is what Run returns for an error before the program ran.
func (r *running) unstarted(step string, err error) (int, error) {
	var n *early
	if errors.As(err, &n) {
		return n.status, n.err
	}
	var e *SetupError
	if errors.As(err, &e) {
		return 0, e
	}
	return 0, &SetupError{Step: step, Err: err}
}

// vanished says how pid 1 ended, when it did so without a word.
func (r *running) vanished() error {
	ws, err := r.reap()
	if err != nil {
		return err
	}
	how := fmt.Sprintf("status %d", ws.ExitStatus())
	if ws.Signaled() {
		how = ws.Signal().String()
	}
	return fmt.Errorf("the first process of the sandbox ended by itself: %s", how)
}

// reap waits for pid 1, and with it for every process of the sandbox: the kernel
// ends them first.
func (r *running) reap() (unix.WaitStatus, error) {
	var ws unix.WaitStatus
	err := ignoringInterrupts(func() error {
		_, err := unix.Wait4(r.pid, &ws, 0, nil)
		return err
	})
	r.pid = 0
	if err != nil {
		return ws, fmt.Errorf("wait for the sandbox: %w", err)
	}
	return ws, nil
}

// kill ends every process of the sandbox.
func (r *running) kill() {
	if r.pid != 0 {
		_ = unix.Kill(r.pid, unix.SIGKILL) // it may have ended already
		_, _ = r.reap()
	}
}

// close gives back what Run took, whatever happened.
func (r *running) close() {
	r.kill()
	for i := len(r.closers) - 1; i >= 0; i-- {
		r.closers[i]()
	}
	r.streams.close()
	r.control.close()
	unix.Close(r.mounts)
	for _, l := range r.listeners {
		unix.Close(l)
	}
}
