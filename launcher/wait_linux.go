package launcher

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passedSignals ask a process to end, to go on, or to do something of its own.
// They go to the program, since it cannot get the terminal's: it is in another
// session. SIGTSTP is not caught, because Go cannot give a signal back its
// default action, which stopWithProgram needs: one from elsewhere stops the
// launcher alone, and the program as soon as it waits for it.
var passedSignals = []os.Signal{
	syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCONT,
}

// exitKilled is the status of a program that was killed: 128 and SIGKILL.
const exitKilled = 128 + int(syscall.SIGKILL)

// catchSignals begins to catch them, so that none ends this process while the
// human's terminal is changed.
func (r *running) catchSignals() error {
	r.signals = make(chan os.Signal, 16)
	for _, s := range passedSignals {
		if !signal.Ignored(s) { // as nohup(1) asks for
			signal.Notify(r.signals, s)
		}
	}
	r.closers = append(r.closers, func() { signal.Stop(r.signals) })
	return nil
}

// wait passes signals on until the program has ended, and then waits until all
// that it wrote is passed on.
func (r *running) wait() (int, error) {
	lost := r.watch()
	for {
		select {
		case s := <-r.signals:
			if s == syscall.SIGCONT {
				r.streams.resume()
			}
			_ = r.pass(s)
		case err := <-lost:
			r.kill()
			return exitKilled, err
		case <-r.ctx.Done():
			return r.killed(r.ctx.Err())
		case <-r.late:
			return r.killed(fmt.Errorf("end the program: it was still there %s after it was asked to, and was killed", endWait))
		case f, ok := <-r.words:
			if status, err, done := r.heard(f, ok); done {
				return status, err
			}
		}
	}
}

// killed ends everything inside, and passes on what it had written if somebody
// reads it.
func (r *running) killed(why error) (int, error) {
	r.kill()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = r.streams.drain(r.signals, ctx.Done()) // why comes before any other error
	return exitKilled, why
}

// listen hands on what pid 1 says, and closes when it is gone.
func (r *running) listen() <-chan frame {
	words, stop, done := make(chan frame), make(chan struct{}), make(chan struct{})
	control := r.control
	go func() {
		defer close(done)
		defer close(words)
		for {
			f, err := control.receive()
			if err != nil {
				return
			}
			select {
			case words <- f:
			case <-stop:
				return
			}
		}
	}()
	r.closers = append(r.closers, func() { close(stop); <-done })
	return words
}

// endWait is how long a program may go on that was asked to end. One that does
// not care, on a terminal that is gone, would be there for ever.
const endWait = 5 * time.Second

// pass hands a signal to the program. A sandbox that is gone says so itself, so
// that not being able to is no error.
func (r *running) pass(s os.Signal) error {
	if r.late == nil && (s == syscall.SIGTERM || s == syscall.SIGHUP) {
		r.late = time.After(endWait)
	}
	_ = r.control.send(wordSignal, int(s.(syscall.Signal)))
	return nil
}

// How long a stop that was asked for may take to come. In an orphaned process
// group, as of the only command of a tmux window, it does not: nobody could
// continue it, and the kernel discards its stop signals. Elsewhere it comes as
// soon as the machine has time.
const (
	stopWait         = 5 * time.Second
	stopWaitOrphaned = 100 * time.Millisecond
)

// stopTime is what to wait here. A group is orphaned when nobody in it has a
// parent in another group of the session (setpgid(2)); looked at are this process
// and the scripts around it.
func stopTime() time.Duration {
	session, err := unix.Getsid(0)
	for pid := os.Getppid(); err == nil && pid > 1; pid, err = parentOf(pid) {
		if s, err := unix.Getsid(pid); err != nil || s != session {
			break
		}
		if group, err := unix.Getpgid(pid); err == nil && group != unix.Getpgrp() {
			return stopWait
		}
	}
	return stopWaitOrphaned
}

func parentOf(pid int) (parent int, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	var state string
	_, err = fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent)
	return parent, err
}

// stopWithProgram stops this process's group after the program stopped, so that
// the human's shell notices, and continues the program when it is continued
// itself. The whole group stops: with a script around the launcher, that is what
// the human's shell waits for. pid 1 has stopped everything else inside.
func (r *running) stopWithProgram() error {
	if !signal.Ignored(syscall.SIGTSTP) {
		r.streams.settle()
		r.streams.suspend()
		_ = syscall.Kill(0, syscall.SIGTSTP) // one's own group can always be signalled
		r.untilContinued(time.After(stopTime()))
		r.streams.resume()
	}
	// Before anything inside goes on.
	if err := r.lost(); err != nil {
		return err
	}
	return r.pass(syscall.SIGCONT)
}

func (r *running) untilContinued(late <-chan time.Time) {
	for {
		select {
		case <-late:
			return
		case s := <-r.signals:
			if s == syscall.SIGCONT {
				return
			}
			_ = r.pass(s)
		}
	}
}

func (r *running) heard(f frame, ok bool) (status int, err error, done bool) {
	switch {
	case ok && f.word == wordStopped:
		if err := r.stopWithProgram(); err != nil {
			r.kill()
			return exitKilled, err, true
		}
		return 0, nil, false
	case ok && f.word != wordEnded:
		return 0, nil, false
	}
	// It may have ended because pid 1 saw a mount go.
	lost := r.lost()
	if !ok {
		status, err = exitKilled, r.vanished()
	} else if err = f.decode(&status); err == nil {
		_, err = r.reap()
	}
	if lost != nil {
		return exitKilled, lost, true
	}
	if derr := r.streams.drain(r.signals, r.ctx.Done()); err == nil {
		err = derr
	}
	return status, err, true
}
