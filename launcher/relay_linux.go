package launcher

import (
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// copyChunk is how much is read at once.
const copyChunk = 64 << 10

// errReaderGone: nobody reads any more what the program writes. The program is
// told as it would be without a launcher, by a pipe that is broken.
var errReaderGone = errors.New("nobody reads it")

// errHalted: the copying is to end.
var errHalted = errors.New("the copying ended")

// sink is a file that is written to without waiting longer than until halt is
// closed.
type sink struct {
	fd    int
	halt  int
	write func(fd int, b []byte) (int, error) // of what poll(2) says takes something
}

// newSink looks at what kind of file fd is. Of none is it assumed that it does
// not block, and none is made so: whoever shares it would not expect that.
func newSink(fd, halt int) (sink, error) {
	st, err := statOf(fd)
	if err != nil {
		return sink{}, err
	}
	s := sink{fd: fd, halt: halt, write: unix.Write}
	switch fileType(st) {
	case unix.S_IFIFO:
		s.write = writePipe
	case unix.S_IFSOCK:
		s.write = func(fd int, b []byte) (int, error) {
			return unix.SendmsgN(fd, b, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		}
	case unix.S_IFCHR:
		s.write = writeLittle
	}
	return s, nil
}

// writePipe writes what there is room for. Kernels without RWF_NOWAIT for pipes
// (before Linux 6.4) get as much as POSIX guarantees that there is room for.
func writePipe(fd int, b []byte) (int, error) {
	n, err := unix.Pwritev2(fd, [][]byte{b}, -1, unix.RWF_NOWAIT)
	if err == unix.EOPNOTSUPP || err == unix.ENOSYS {
		return writeLittle(fd, b)
	}
	return n, err
}

// writeLittle writes no more than a file takes without blocking once poll(2) says
// that it takes something: for a pipe PIPE_BUF.
func writeLittle(fd int, b []byte) (int, error) { return unix.Write(fd, b[:min(len(b), 4096)]) }

// writeAll returns how much was written, and why not all.
func (s sink) writeAll(b []byte) (n int, err error) {
	for n < len(b) {
		if !ready(s.fd, unix.POLLOUT, s.halt) {
			return n, errHalted
		}
		m, err := s.write(s.fd, b[n:])
		switch err {
		case nil, unix.EAGAIN, unix.EINTR:
		case unix.EPIPE, unix.ECONNRESET:
			return n, errReaderGone
		default:
			return n, err
		}
		n += max(m, 0)
	}
	return n, nil
}

// gone says whether nobody can read from s any more.
func gone(revents int16) bool { return revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 }

// relay passes on what is written to the other end of from.
type relay struct {
	from int
	busy sync.Mutex // held while something was read and not passed on
}

// run ends when the other end is closed, or as soon as nobody reads from to.
func (r *relay) run(to sink) error {
	buf := make([]byte, copyChunk)
	for {
		fds := []unix.PollFd{{Fd: int32(r.from), Events: unix.POLLIN}, {Fd: int32(to.fd)}}
		if err := poll(fds); err != nil {
			return fmt.Errorf("wait for output: %w", err)
		}
		if gone(fds[1].Revents) {
			return errReaderGone
		}
		if more, err := r.step(buf, func(b []byte) error { _, err := to.writeAll(b); return err }); err != nil || !more {
			return err
		}
	}
}

// step passes on what there is, and says whether more can come.
func (r *relay) step(buf []byte, pass func([]byte) error) (more bool, err error) {
	r.busy.Lock()
	defer r.busy.Unlock()
	n, err := unix.Read(r.from, buf)
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
		return true, nil
	case err != nil || n == 0:
		return false, err
	}
	return true, pass(buf[:n])
}

// idle says whether nothing is on its way.
func (r *relay) idle() bool {
	if !r.busy.TryLock() {
		return false
	}
	defer r.busy.Unlock()
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(r.from), Events: unix.POLLIN}}, 0)
	return err == nil && n == 0
}

// close breaks the pipe for who writes to it.
func (r *relay) close() {
	r.busy.Lock()
	defer r.busy.Unlock()
	unix.Close(r.from)
	r.from = -1
}

func newPipe() (r, w int, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, -1, fmt.Errorf("make pipe: %w", err)
	}
	return p[0], p[1], nil
}

// poll waits until something happens on one of the files.
func poll(fds []unix.PollFd) error {
	return ignoringInterrupts(func() error {
		_, err := unix.Poll(fds, -1)
		return err
	})
}

// ready waits for something to happen on fd, and says no when halt is closed.
func ready(fd int, events int16, halt int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: events}, {Fd: int32(halt)}}
	return poll(fds) == nil && fds[1].Revents == 0
}
