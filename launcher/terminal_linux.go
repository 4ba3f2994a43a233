package launcher

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// screen is the human's terminal while the program runs on one of its own.
type screen struct {
	fd    int // for its settings and, where standard input is it, its keys
	out   int // where it is drawn
	saved unix.Termios
	raw   bool // its keys go to the program

	sequences sequenceFilter // what has been drawn went through it
}

// terminalOrder is what pid 1 must know to make the program's terminal, nil when
// none of the streams is one.
func (s *streams) terminalOrder(p *Plan) (*terminalOrder, error) {
	t := terminalOrder{Streams: s.are(streamTerminal)}
	first := -1
	for i, is := range t.Streams {
		if is && first < 0 {
			first = int(s.files[i].Fd())
		}
	}
	if first < 0 {
		return nil, nil
	}
	for _, m := range p.Mounts {
		if m.Op == OpDevpts {
			t.Devpts = m.Target
		}
	}
	if t.Devpts == "" {
		return nil, errors.New("the plan has no terminal devices, and a standard file is a terminal")
	}
	return &t, s.readScreen(first, &t)
}

func (s *streams) readScreen(fd int, t *terminalOrder) error {
	settings, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return fmt.Errorf("read terminal attributes: %w", err)
	}
	size, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	if err != nil {
		return fmt.Errorf("read terminal size: %w", err)
	}
	t.Termios, t.Size = *settings, *size
	s.screen = &screen{fd: fd, out: fd, saved: *settings, raw: t.Streams[0]}
	for i := 2; i > 0; i-- {
		if t.Streams[i] {
			s.screen.out = int(s.files[i].Fd())
		}
	}
	return nil
}

// startTerminal connects the program's terminal with the human's. The human's
// keys are read only when standard input is their terminal: with a pipe there,
// they type for somebody else.
func (s *streams) startTerminal(hangUp func()) error {
	if s.screen == nil {
		return nil
	}
	if s.master < 0 {
		return errors.New("no terminal was passed out")
	}
	if err := unix.SetNonblock(s.master, true); err != nil {
		return err
	}
	if err := s.screen.quieten(); err != nil {
		return err
	}
	if s.screen.raw {
		s.inputs.Go(s.typeKeys)
	}
	out := &relay{from: s.master}
	s.relays = append(s.relays, out)
	s.outputs.Go(func() { s.draw(out, hangUp) })
	s.inputs.Go(s.followSize)
	return nil
}

// typeKeys passes the human's keys on until the copying is to end.
func (s *streams) typeKeys() {
	to := sink{fd: s.master, halt: s.halt[0], write: writeLittle}
	buf := make([]byte, 4096)
	for ready(s.screen.fd, unix.POLLIN, s.halt[0]) {
		n, err := unix.Read(s.screen.fd, buf)
		if err == unix.EAGAIN || err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return
		}
		if _, err := to.writeAll(buf[:n]); err != nil {
			return
		}
	}
}

// draw passes on what the program draws. When the human's terminal is gone the
// program is told, and what it still draws is thrown away: it would wait for
// ever on a terminal that nobody reads.
func (s *streams) draw(out *relay, hangUp func()) {
	to, gone := sink{fd: s.screen.out, halt: s.halt[0], write: writeLittle}, false
	pass := func(b []byte) error {
		if _, err := to.writeAll(s.screen.sequences.pass(b)); err != nil && !gone {
			gone = true
			hangUp()
		}
		return nil
	}
	buf := make([]byte, copyChunk)
	for poll([]unix.PollFd{{Fd: int32(s.master), Events: unix.POLLIN}}) == nil {
		// EIO: the last process that had the terminal open is gone.
		if more, err := out.step(buf, pass); err != nil || !more {
			return
		}
	}
}

// quieten has the human's terminal pass everything as it is, since the program's
// own terminal treats it already. Where the keys are not read, only the output
// side is changed.
func (t *screen) quieten() error {
	now := t.saved
	now.Oflag &^= unix.OPOST
	if t.raw {
		now.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
		now.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
		now.Cflag = now.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
		now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	}
	if err := unix.IoctlSetTermios(t.fd, unix.TCSETS, &now); err != nil {
		return fmt.Errorf("set terminal attributes: %w", err)
	}
	return nil
}

// restore puts the human's terminal back as it was, and drops keys that nobody
// read: they were meant for the program, and a shell would run them. Where keys
// were not read, those that are there are somebody else's.
func (t *screen) restore() {
	if t == nil {
		return
	}
	t.resetModes()
	how := uint(unix.TCSETSW)
	if t.raw {
		how = unix.TCSETSF
	}
	_ = unix.IoctlSetTermios(t.fd, how, &t.saved) // a terminal that is gone needs none
}

// resetModes sets back what the program has set and not reset. A terminal that
// takes nothing now is not waited for.
func (t *screen) resetModes() {
	modes := []byte(t.sequences.modes.restored())
	fds := []unix.PollFd{{Fd: int32(t.out), Events: unix.POLLOUT}}
	for len(modes) > 0 {
		if n, err := unix.Poll(fds, 100); err == unix.EINTR {
			continue
		} else if err != nil || n == 0 {
			return
		}
		n, err := writeLittle(t.out, modes)
		if err != nil && err != unix.EINTR && err != unix.EAGAIN {
			return
		}
		modes = modes[max(n, 0):]
	}
}

// followSize passes changes of the human's window on.
func (s *streams) followSize() {
	changes := make(chan os.Signal, 1)
	signal.Notify(changes, syscall.SIGWINCH)
	defer signal.Stop(changes)
	for {
		s.copySize()
		select {
		case <-changes:
		case <-s.halted:
			return
		}
	}
}

// copySize gives the program's terminal the size of the human's. One that has
// gone has no size, which is no reason to stop.
func (s *streams) copySize() {
	if size, err := unix.IoctlGetWinsize(s.screen.fd, unix.TIOCGWINSZ); err == nil {
		_ = unix.IoctlSetWinsize(s.master, unix.TIOCSWINSZ, size)
	}
}

// suspend gives the terminal to the human's shell while the program is stopped.
func (s *streams) suspend() {
	if s.screen != nil {
		_ = unix.IoctlSetTermios(s.screen.fd, unix.TCSETSW, &s.screen.saved)
	}
}

// resume takes it again. The shell may have changed its settings, and the human
// its size.
func (s *streams) resume() {
	if s.screen != nil {
		_ = s.screen.quieten()
		s.copySize()
	}
}
