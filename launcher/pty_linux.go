package launcher

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// terminalOrder asks pid 1 for a terminal of the sandbox's own.
type terminalOrder struct {
	Streams [3]bool // which of descriptors 0 to 2 it becomes
	Devpts  string  // where inside the plan mounts the devpts that it is of
	Size    unix.Winsize
	Termios unix.Termios // the line settings of the human's terminal
}

// newDevpts makes an instance that has none of the host's terminals in it.
func newDevpts() (int, error) {
	return newFilesystem("devpts", unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC, "newinstance", "ptmxmode=0666", "mode=0600")
}

// makeTerminal opens a pair of the sandbox's own devpts, makes the slave side the
// controlling terminal of pid 1's session and passes the master side out. It does
// so before the program's process is forked, which inherits the controlling
// terminal, and so before there is a place to mount the devpts on.
//
// pid 1 keeps the slave open, so that the master side ends only with the sandbox.
func (s *sandbox) makeTerminal() (err error) {
	t := s.order.Terminal
	if t == nil {
		return nil
	}
	if s.devptsMount, err = newDevpts(); err != nil {
		return err
	}
	master, err := unix.Openat(s.devptsMount, "ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open ptmx: %w", err)
	}
	defer unix.Close(master)
	if s.slave, err = openSlave(master); err != nil {
		return err
	}
	if err := unix.IoctlSetTermios(s.slave, unix.TCSETS, &t.Termios); err != nil {
		return fmt.Errorf("set terminal attributes: %w", err)
	}
	if err := unix.IoctlSetWinsize(s.slave, unix.TIOCSWINSZ, &t.Size); err != nil {
		return fmt.Errorf("set terminal size: %w", err)
	}
	if err := unix.IoctlSetInt(s.slave, unix.TIOCSCTTY, 0); err != nil {
		return fmt.Errorf("make it the controlling terminal: %w", err)
	}
	return s.control.send(wordTerminal, nil, master)
}

// openSlave asks the master side for the other one, so that no path is looked
// up (TIOCGPTPEER, Linux 4.13).
func openSlave(master int) (int, error) {
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		return -1, fmt.Errorf("unlock terminal: %w", err)
	}
	fd, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(master), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if errno != 0 {
		return -1, fmt.Errorf("open the program's side of the terminal: %w", errno)
	}
	return int(fd), nil
}
