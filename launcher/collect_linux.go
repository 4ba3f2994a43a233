package launcher

import (
	"context"
	"fmt"
	"net"
	"os"
	"syscall"
)

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
	return r.started(f)
}

func (r *running) started(f frame) error {
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

// serve starts answering on the listeners of the routes.
func (r *running) serve() error {
	if len(r.plan.Routes) == 0 {
		return nil
	}
	listeners, err := r.takeListeners()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.outside.Serve(ctx, r.plan.Routes, listeners)
	}()
	r.closers = append(r.closers, func() {
		stop()
		for _, l := range listeners {
			l.Close()
		}
		<-done
	})
	return nil
}

// takeListeners wraps what was passed out. Its sockets listen in the sandbox's
// network namespace and nowhere else.
func (r *running) takeListeners() ([]net.Listener, error) {
	listeners := make([]net.Listener, len(r.listeners))
	for i, fd := range r.listeners {
		name := r.plan.Routes[i].Name
		if fd < 0 {
			return nil, fmt.Errorf("no listener for route %s was passed out", name)
		}
		file := os.NewFile(uintptr(fd), name)
		r.listeners[i] = -1
		l, err := net.FileListener(file)
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("take listener of route %s: %w", name, err)
		}
		listeners[i] = l
	}
	return listeners, nil
}
