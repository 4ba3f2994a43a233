package launcher

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// stage is the process that becomes the program, from pid 1's side.
type stage struct {
	pid   int
	reply conn
	sent  chan error // whether the order got through
}

// startProgram starts the stage that becomes the program, before there is a new
// root: its own beginning takes as long as making one. pivot_root(2) moves it
// there with pid 1.
//
// It is in a process group of its own. pid 1 stays the session's leader, because
// the group of a session leader whose parent is outside is orphaned, and stop
// signals from a terminal would be discarded.
func (s *sandbox) startProgram() error {
	ours, theirs, err := newConn()
	if err != nil {
		return err
	}
	defer theirs.close()
	attr := &syscall.ProcAttr{
		Env:   []string{},
		Files: []uintptr{0, 1, 2, uintptr(theirs.fd)},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	}
	s.program = stage{reply: ours, sent: make(chan error, 1)}
	binary := fmt.Sprintf("/proc/self/fd/%d", binaryFD)
	if s.program.pid, err = syscall.ForkExec(binary, []string{"agentenv", stageExec}, attr); err != nil {
		return fmt.Errorf("start %s: %w", stageExec, err)
	}
	return letGoOfStandardFiles()
}

// instructProgram passes the stage's order on unread, and without waiting: it may
// be longer than a socket holds.
func (s *sandbox) instructProgram() error {
	f, err := s.control.expect(wordExecOrder, nil)
	if err != nil {
		return err
	}
	go func() { s.program.sent <- s.program.reply.send(wordExecOrder, f.body) }()
	return nil
}

func (s *sandbox) sayReady() error { return s.control.send(wordReady, nil) }

// releaseProgram waits until it is told to go on, and then lets the program
// begin, on its terminal if it has one.
func (s *sandbox) releaseProgram() error {
	if err := <-s.program.sent; err != nil {
		return err
	}
	if _, err := s.control.expect(wordGo, nil); err != nil {
		return err
	}
	if s.slave < 0 {
		return s.program.reply.send(wordGo, nil)
	}
	if err := unix.IoctlSetPointerInt(s.slave, unix.TIOCSPGRP, s.program.pid); err != nil {
		return fmt.Errorf("give it the terminal's foreground: %w", err)
	}
	return s.program.reply.send(wordGo, nil, s.slave)
}

// letGoOfStandardFiles makes pid 1 hold no end of the program's pipes, so that
// one that the program closes is closed. What is put there instead can be
// neither read nor written.
func letGoOfStandardFiles() error {
	for fd := range 3 {
		if err := unix.Dup3(binaryFD, fd, unix.O_CLOEXEC); err != nil {
			return fmt.Errorf("close standard files: %w", err)
		}
	}
	return nil
}

// dropOwnCapabilities leaves pid 1 with none, on every thread, since
// capabilities are a thread's own.
func dropOwnCapabilities() error {
	var pin runtime.Pinner
	defer pin.Unpin()
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := &[2]unix.CapUserData{}
	pin.Pin(header)
	pin.Pin(data)
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(header)), uintptr(unsafe.Pointer(data)), 0)
	if errno != 0 {
		return fmt.Errorf("drop capabilities: %w", errno)
	}
	return nil
}

// supervise waits for the program, and ends with its status.
func (s *sandbox) supervise() int {
	go s.obey()
	if !s.order.Without.leaveOut(layerGuard) {
		go s.guard()
	}
	if err := s.reportStart(); err != nil {
		s.control.send(wordFailed, newFailure("program", "", err))
		return exitSetup
	}
	return s.reap()
}

// obey passes signals on. Without a launcher there is no reason to go on: the
// end of pid 1 ends every process inside.
func (s *sandbox) obey() {
	for {
		f, err := s.control.receive()
		if err != nil && s.order.Without.leaveOut(layerEndOfOrders) {
			return
		}
		if err != nil {
			os.Exit(exitSetup)
		}
		var n int
		if f.word != wordSignal || f.decode(&n) != nil {
			continue
		}
		if sig := syscall.Signal(n); sig != syscall.SIGCONT || !s.freezer.thaw() {
			deliver(s.program.pid, sig)
		}
	}
}

// deliver sends the signals that a terminal sends to the whole group, the
// others to the program alone. A program that is just gone needs none.
func deliver(program int, sig syscall.Signal) {
	switch sig {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT:
		program = -program
	}
	_ = syscall.Kill(program, sig)
}

// reportStart passes on what the exec stage says. It says that it is about to
// execute; the socket then closes by itself when the kernel takes the new image.
// A close without that word is a stage that died.
func (s *sandbox) reportStart() error {
	reply := s.program.reply
	defer reply.close()
	about := false
	for {
		f, err := reply.receive()
		switch {
		case errors.Is(err, io.EOF) && about:
			return s.control.send(wordStarted, nil)
		case err != nil:
			return fmt.Errorf("wait for %s: %w", stageExec, err)
		case f.word == wordGo:
			about = true
		default:
			return s.control.send(f.word, f.body)
		}
	}
}

// reap waits for every process of the sandbox, as pid 1 must, until the program
// has ended.
func (s *sandbox) reap() int {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, unix.WUNTRACED, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return exitSetup
		case pid == s.program.pid && ws.Stopped():
			s.freezer.freeze(pid)
			s.control.send(wordStopped, int(ws.StopSignal()))
		case pid == s.program.pid:
			s.control.send(wordEnded, exitStatus(ws))
			return exitStatus(ws)
		}
	}
}

// exitStatus is 128+n for a program that signal n ended, as shells have it.
func exitStatus(ws unix.WaitStatus) int {
	if ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ws.ExitStatus()
}
