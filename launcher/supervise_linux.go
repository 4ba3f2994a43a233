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

// startExec starts the stage that becomes the program, in a process group of its
// own: the terminal's foreground group when there is a terminal. pid 1 stays
// the session's leader, because the group of a session leader whose parent is
// outside is orphaned, and stop signals from a terminal would be discarded.
func (s *sandbox) startExec() (program int, reply conn, err error) {
	ours, theirs, err := newConn()
	if err != nil {
		return 0, ours, err
	}
	defer theirs.close()
	attr := &syscall.ProcAttr{
		Env:   []string{},
		Files: append(s.standardFiles(), uintptr(theirs.fd)),
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	}
	if s.slave >= 0 {
		attr.Sys = &syscall.SysProcAttr{Foreground: true, Ctty: s.slave}
	}
	binary := fmt.Sprintf("/proc/self/fd/%d", binaryFD)
	if program, err = syscall.ForkExec(binary, []string{"agentenv", stageExec}, attr); err != nil {
		return 0, ours, fmt.Errorf("start %s: %w", stageExec, err)
	}
	if err := letGoOfStandardFiles(); err != nil {
		return 0, ours, err
	}
	return program, ours, ours.send(wordExecOrder, s.exec)
}

func (s *sandbox) standardFiles() []uintptr {
	files := []uintptr{0, 1, 2}
	for i := range files {
		if t := s.order.Terminal; t != nil && t.Streams[i] {
			files[i] = uintptr(s.slave)
		}
	}
	return files
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
func (s *sandbox) supervise(program int, reply conn) int {
	go s.obey(program)
	if err := s.reportStart(reply); err != nil {
		s.control.send(wordFailed, newFailure("program", "", err))
		return exitSetup
	}
	return s.reap(program)
}

// obey passes signals on. Without a launcher there is no reason to go on: the
// end of pid 1 ends every process inside.
func (s *sandbox) obey(program int) {
	for {
		f, err := s.control.receive()
		if err != nil {
			os.Exit(exitSetup)
		}
		var n int
		if f.word == wordSignal && f.decode(&n) == nil {
			deliver(program, syscall.Signal(n))
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
func (s *sandbox) reportStart(reply conn) error {
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
func (s *sandbox) reap(program int) int {
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, unix.WUNTRACED, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return exitSetup
		case pid == program && ws.Stopped():
			s.control.send(wordStopped, int(ws.StopSignal()))
		case pid == program:
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
