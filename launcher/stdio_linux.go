package launcher

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// streamKind says how one of the program's descriptors 0 to 2 is connected.
type streamKind int

const (
	streamPassed   streamKind = iota // a pipe: the program gets it as it is
	streamTerminal                   // the program gets a terminal of the sandbox's
	streamRelayed                    // the program gets a pipe, the launcher copies
	streamJoined                     // standard error is the same file as standard output
)

// streams connects the program's descriptors 0 to 2 with the caller's files.
//
// A file is never passed itself: through /proc/self/fd a program opens what a
// descriptor stands for again, and with it reads and truncates a log that it was
// only to append to. An anonymous pipe has no name and leads nowhere.
type streams struct {
	files   [3]*os.File
	kinds   [3]streamKind
	given   [3]int // what pid 1 gets
	kept    [3]int // our ends of the pipes of relayed streams, -1 otherwise
	opened  []int  // of given, those that are closed here once pid 1 has them
	master  int    // our side of the program's terminal, -1 when it has none
	screen  *screen
	halt    [2]int        // a pipe whose end tells the copying to end
	halted  chan struct{} // closed at the same time
	stop    sync.Once
	inputs  sync.WaitGroup
	outputs sync.WaitGroup
}

func newStreams(io Stdio) *streams {
	return &streams{
		files: [3]*os.File{io.In, io.Out, io.Err}, given: [3]int{-1, -1, -1}, kept: [3]int{-1, -1, -1},
		master: -1, halt: [2]int{-1, -1}, halted: make(chan struct{}),
	}
}

func (r *running) openStreams() error {
	s := r.streams
	if err := unix.Pipe2(s.halt[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	for i := range s.files {
		if err := s.open(i); err != nil {
			return fmt.Errorf("connect descriptor %d: %w", i, err)
		}
	}
	return nil
}

func (s *streams) open(i int) (err error) {
	if s.kinds[i], err = kindOf(int(s.files[i].Fd())); err != nil {
		return err
	}
	if i == 2 && s.kinds[1] == streamRelayed && sameFile(s.files[1], s.files[2]) {
		s.kinds[2] = streamJoined
	}
	switch s.kinds[i] {
	case streamPassed:
		s.given[i] = int(s.files[i].Fd())
	case streamJoined:
		s.given[i] = s.given[1]
	case streamTerminal:
		// pid 1 itself has nothing to do with any terminal of the human's.
		s.given[i], err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
		s.opened = append(s.opened, s.given[i])
	case streamRelayed:
		err = s.openPipe(i)
	}
	return err
}

func (s *streams) openPipe(i int) error {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	if i == 0 {
		s.given[i], s.kept[i] = p[0], p[1]
	} else {
		s.given[i], s.kept[i] = p[1], p[0]
	}
	s.opened = append(s.opened, s.given[i])
	return unix.SetNonblock(s.kept[i], true)
}

// kindOf looks at the file, and not at how it was opened.
func kindOf(fd int) (streamKind, error) {
	var fs unix.Statfs_t
	st, err := statOf(fd)
	if err != nil {
		return 0, err
	}
	if _, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
		return streamTerminal, nil
	}
	// A named FIFO is a file of the host's; an anonymous pipe lives in pipefs.
	if fileType(st) == unix.S_IFIFO && unix.Fstatfs(fd, &fs) == nil && fs.Type == unix.PIPEFS_MAGIC {
		return streamPassed, nil
	}
	return streamRelayed, nil
}

func sameFile(a, b *os.File) bool {
	x, xerr := a.Stat()
	y, yerr := b.Stat()
	return xerr == nil && yerr == nil && os.SameFile(x, y)
}

// inside is the descriptors 0 to 2 of pid 1.
func (s *streams) inside() []uintptr {
	return []uintptr{uintptr(s.given[0]), uintptr(s.given[1]), uintptr(s.given[2])}
}

// closeInside lets go of the ends that only the sandbox must hold, so that the
// others see when it is gone.
func (s *streams) closeInside() {
	for _, fd := range s.opened {
		unix.Close(fd)
	}
	s.opened = nil
}

// startStreams begins to copy.
func (r *running) startStreams() error {
	s := r.streams
	if s.kinds[0] == streamRelayed {
		s.input(int(s.files[0].Fd()), s.kept[0], func() { unix.Close(s.kept[0]); s.kept[0] = -1 })
	}
	for i := 1; i < 3; i++ {
		if s.kinds[i] == streamRelayed {
			s.output(s.kept[i], int(s.files[i].Fd()), func() { unix.Close(s.kept[i]); s.kept[i] = -1 })
		}
	}
	return s.startTerminal(func() {
		select {
		case r.signals <- unix.SIGHUP:
		default:
		}
	})
}

// input copies until the sandbox is to end: what it did not read is not for it.
func (s *streams) input(from, to int, end func()) {
	s.inputs.Go(func() { s.copy(from, to, s.halt[0]); end() })
}

// output copies until the sandbox has ended and all is passed on: its end closes
// the other side.
func (s *streams) output(from, to int, end func()) {
	s.outputs.Go(func() { s.copy(from, to, -1); end() })
}

// drain waits until all that the program wrote is passed on, or until a signal or
// cancelled says that it is enough: who reads it may have stopped doing so.
func (s *streams) drain(signals <-chan os.Signal, cancelled <-chan struct{}) {
	done := make(chan struct{})
	go func() { s.outputs.Wait(); close(done) }()
	select {
	case <-done:
	case <-signals:
	case <-cancelled:
	}
}

// stopCopying may be called more than once.
func (s *streams) stopCopying() {
	s.stop.Do(func() { unix.Close(s.halt[1]); close(s.halted) })
}

// close ends the copying and restores the human's terminal. The sandbox must be
// gone.
func (s *streams) close() {
	s.closeInside()
	s.stopCopying()
	s.inputs.Wait()
	s.outputs.Wait()
	s.screen.restore()
	for _, fd := range append(s.kept[:], s.master, s.halt[0]) {
		unix.Close(fd)
	}
}

// writeChunk is what a file takes without blocking once poll(2) says that it
// takes something: for a pipe the size that POSIX guarantees.
const writeChunk = 4096

// copy passes bytes on until from ends, to takes no more, or the copying is to
// end; without halt, only then the writing ends.
func (s *streams) copy(from, to, halt int) {
	each(from, halt, func(b []byte) bool { return s.writeAll(to, b) })
}

// each reads until from ends, halt is closed or take has enough.
func each(from, halt int, take func([]byte) bool) {
	buf := make([]byte, 32<<10)
	for ready(from, unix.POLLIN, halt) {
		n, err := unix.Read(from, buf)
		switch {
		case err == unix.EAGAIN || err == unix.EINTR:
		case err != nil || n == 0:
			return // EIO: the last process that had the terminal open is gone
		case !take(buf[:n]):
			return
		}
	}
}

func (s *streams) writeAll(to int, b []byte) bool {
	for len(b) > 0 {
		if !ready(to, unix.POLLOUT, s.halt[0]) {
			return false
		}
		n, err := unix.Write(to, b[:min(len(b), writeChunk)])
		if err != nil && err != unix.EAGAIN && err != unix.EINTR {
			return false
		}
		b = b[max(n, 0):]
	}
	return true
}

// ready waits for something to happen on fd, and says no when halt is closed.
func ready(fd int, events int16, halt int) bool {
	for {
		fds := []unix.PollFd{{Fd: int32(fd), Events: events}, {Fd: int32(halt)}}
		_, err := unix.Poll(fds, -1)
		switch {
		case err == unix.EINTR:
		case err != nil || fds[1].Revents != 0:
			return false
		case fds[0].Revents != 0:
			return true
		}
	}
}
