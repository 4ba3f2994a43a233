package launcher

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"syscall"

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
// before, they end the set-up. All descriptors of this process from 3 on are set to close at exec.
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
	pid       int   // of pid 1, as seen here; 0 when there is none. It is not given to another before it is waited for
	listeners []int // by route, -1 until it is passed out
	mounts    int   // mountinfo of pid 1
	baseline  mountTable
	signals   chan os.Signal
	words     <-chan frame // what pid 1 says; closed when it is gone
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

// check refuses a plan that this executor or this process cannot carry out.
func (r *running) check() error {
	p := r.plan
	switch {
	case len(p.Argv) == 0 || p.Argv[0] == "":
		return errors.New("the plan names no program")
	case p.Tier != "full":
		return fmt.Errorf("unknown tier %q", p.Tier)
	case p.Landlock.ABI < MinLandlockABI:
		return fmt.Errorf("tier full needs landlock ABI %d, and the plan is for %d", MinLandlockABI, p.Landlock.ABI)
	case p.UID != os.Getuid() || p.GID != os.Getgid() || os.Getuid() != os.Geteuid():
		return fmt.Errorf("the plan is for user %d and group %d, and this process is %d and %d", p.UID, p.GID, os.Getuid(), os.Getgid())
	case len(p.Routes) > 0 && r.outside.Serve == nil:
		return errors.New("the plan has routes and nobody serves them")
	case r.io.In == nil || r.io.Out == nil || r.io.Err == nil:
		return errors.New("a standard file is missing")
	}
	return checkMounts(p.Mounts)
}

func checkMounts(mounts []Mount) error {
	proc := false
	for _, m := range mounts {
		if !path.IsAbs(m.Target) || path.Clean(m.Target) != m.Target || m.Target == "/" {
			return fmt.Errorf("mount target %q is no clean absolute path below the root", m.Target)
		}
		proc = proc || m.Op == OpProc && m.Target == "/proc"
	}
	if !proc {
		return errors.New("no proc is mounted on /proc, where the stages find themselves and the checks look")
	}
	return nil
}

// startInit starts pid 1 of the sandbox in namespaces of its own, the user the
// same inside and outside.
func (r *running) startInit() error {
	ours, theirs, err := newConn()
	if err != nil {
		return err
	}
	defer theirs.close()
	r.control = ours
	binary, err := unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open own binary: %w", err)
	}
	defer unix.Close(binary)
	attr := &syscall.ProcAttr{
		Env:   []string{},
		Files: append(r.streams.inside(), uintptr(theirs.fd), uintptr(binary)),
		Sys:   initAttributes(r.plan),
	}
	if r.pid, err = syscall.ForkExec("/proc/self/exe", []string{"agentenv", stageInit}, attr); err != nil {
		r.pid = 0
		return fmt.Errorf("make namespaces: %w%s", err, namespaceHint(err))
	}
	r.streams.closeInside()
	return nil
}

// initCapabilities are what pid 1 needs to make the sandbox, within its own user
// namespace only: mounts, the loopback, low ports, and the limit of user
// namespaces. The exec stage needs SETPCAP to empty its bounding set.
var initCapabilities = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_RESOURCE, unix.CAP_SETPCAP,
}

func initAttributes(p *Plan) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags: newNamespaces,
		// A session of its own keeps the human's terminal from being the
		// program's controlling terminal.
		Setsid:      true,
		Pdeathsig:   syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: p.UID, HostID: p.UID, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: p.GID, HostID: p.GID, Size: 1}},
		AmbientCaps: initCapabilities,
	}
}

// namespaceHint explains the errors that distributions answer with where user
// namespaces are not for everyone.
func namespaceHint(err error) string {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return " (no user namespace is left: see sysctl user.max_user_namespaces)"
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return " (user namespaces are not allowed here: see sysctl kernel.unprivileged_userns_clone, AppArmor, or the container this runs in)"
	}
	return ""
}

func (r *running) sendOrders() error {
	p := r.plan
	t, err := r.streams.terminalOrder(p)
	if err != nil {
		return err
	}
	order := initOrder{Mounts: p.Mounts, Home: homeOf(p), Hostname: p.Hostname, Routes: p.Routes, Terminal: t}
	exec := execOrder{
		Argv: p.Argv, Path: p.Path, Env: p.Env, Dir: p.Dir,
		Landlock: p.Landlock, Seccomp: p.Seccomp, Limits: p.Limits, Checks: p.Checks,
	}
	if t != nil {
		exec.Terminal = t.Streams
	}
	r.words = r.listen()
	err = r.control.send(wordOrder, order)
	if err == nil {
		err = r.control.send(wordExecOrder, exec)
	}
	if err != nil {
		// pid 1 may have said why it does not listen.
		if f, nerr := r.next(giveUp); nerr == nil && f.word == wordFailed {
			return failed(f)
		}
	}
	return err
}

// collect takes what pid 1 passes out until all but the program is there.
func (r *running) collect() error {
	r.listeners = make([]int, len(r.plan.Routes))
	for i := range r.listeners {
		r.listeners[i] = -1
	}
	for {
		f, err := r.next(giveUp)
		if err != nil {
			return err
		}
		switch f.word {
		case wordReady:
			return nil
		case wordFailed:
			return failed(f)
		default:
			if err := r.take(f); err != nil {
				return err
			}
		}
	}
}

// next is what pid 1 says next before the program runs. A signal is for obey,
// which says whether to wait on.
func (r *running) next(obey func(os.Signal) error) (frame, error) {
	for {
		select {
		case f, ok := <-r.words:
			if !ok {
				return f, r.vanished()
			}
			return f, nil
		case <-r.ctx.Done():
			return frame{}, r.ctx.Err()
		case s := <-r.signals:
			if err := obey(s); err != nil {
				return frame{}, err
			}
		}
	}
}

// giveUp is for signals while nothing runs yet.
func giveUp(s os.Signal) error {
	if s == syscall.SIGCONT {
		return nil
	}
	return fmt.Errorf("stopped by a signal: %s", s)
}

func (r *running) take(f frame) error {
	switch f.word {
	case wordEvent:
		var e Event
		if err := f.decode(&e); err != nil {
			return err
		}
		if r.outside.Event != nil {
			r.outside.Event(e)
		}
	case wordListener:
		var i int
		if err := f.decode(&i); err != nil {
			return err
		}
		if i < 0 || i >= len(r.listeners) || r.listeners[i] >= 0 {
			return fmt.Errorf("a listener for route %d was passed out", i)
		}
		r.listeners[i] = f.fd
	case wordTerminal:
		r.streams.master = f.fd
	case wordMounts:
		r.mounts = f.fd
	default:
		return fmt.Errorf("read from control socket: unexpected word %d", f.word)
	}
	return nil
}

// startProgram serves the routes, says go and waits until the program runs.
func (r *running) startProgram() error {
	if err := r.serve(); err != nil {
		return err
	}
	if err := r.control.send(wordGo, nil); err != nil {
		return err
	}
	// From here on the program may run before the word that it does is heard.
	f, err := r.next(r.pass)
	if err != nil && r.ctx.Err() != nil {
		return &early{exitKilled, err}
	}
	if err != nil {
		return err
	}
	switch f.word {
	case wordStarted:
		return nil
	case wordFailed:
		return failed(f)
	case wordNotStarted:
		var n notStarted
		if err := f.decode(&n); err != nil {
			return err
		}
		return &early{n.Status, &ExecError{Program: r.plan.Argv[0], Err: &n.Cause}}
	}
	return fmt.Errorf("read from control socket: unexpected word %d", f.word)
}

// early is an end that is no SetupError, before the program is known to run.
type early struct {
	status int
	err    error
}

func (e *early) Error() string { return e.err.Error() }

func failed(f frame) error {
	var e failure
	if err := f.decode(&e); err != nil {
		return err
	}
	return e.setupError()
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
