package launcher

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// feeder passes standard input on to a pipe of the launcher's own.
//
// What the program does not read belongs to whoever reads the same input next: a
// shell's `while read` loop around the launcher, or the shell itself when its
// script comes on standard input. So of a pipe nothing is taken before the
// program took it: the inside gets a copy, by tee(2), through a pipe that holds
// one page, which has room exactly when that page is read. A file is read ahead
// and put back by its offset. Of anything else, a socket say, one page may be
// taken and lost. Two that read one pipe at the same time may get the same bytes.
//
// Page by page is slow. A program that has read as much as exactLimit of a pipe is
// taken for one that reads all of it: from then on up to 64 KiB are read ahead,
// and lost if it does not.
type feeder struct {
	from, to int
	halt     int
	kind     uint32 // file type of from
	peek     int    // for a file: a reading end, to ask after to is closed what was left
	null     int    // for a pipe: where what was read goes
	given    int    // bytes that the inside was given, and that may have to go back
	ahead    int    // bytes of a file that were read and not given
}

// newFeeder makes the pipe, whose reading end is inside. It is narrow but for
// files.
func newFeeder(from, halt int) (f *feeder, inside int, err error) {
	st, err := statOf(from)
	if err != nil {
		return nil, -1, err
	}
	f = &feeder{from: from, halt: halt, kind: fileType(st), peek: -1, null: -1}
	if inside, f.to, err = newPipe(); err != nil {
		return nil, -1, err
	}
	if err := unix.SetNonblock(f.to, true); err != nil {
		return f, inside, err
	}
	switch f.kind {
	case unix.S_IFREG:
		f.peek, err = unix.FcntlInt(uintptr(inside), unix.F_DUPFD_CLOEXEC, 3)
		return f, inside, err
	case unix.S_IFIFO:
		if f.null, err = unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0); err != nil {
			return f, inside, fmt.Errorf("open null device: %w", err)
		}
	}
	if _, err := unix.FcntlInt(uintptr(f.to), unix.F_SETPIPE_SZ, 1); err != nil {
		return f, inside, fmt.Errorf("make pipe narrow: %w", err)
	}
	return f, inside, nil
}

// run copies until the input ends, the program reads no more, or halt is closed.
// The program then sees the end of its input.
func (f *feeder) run() (err error) {
	switch f.kind {
	case unix.S_IFIFO:
		f.copyPages()
	case unix.S_IFREG:
		err = f.copyFile()
	default:
		f.copySteps()
	}
	return err
}

const exactLimit = 1 << 20

func (f *feeder) copyPages() {
	for total := 0; total < exactLimit; {
		if !ready(f.from, unix.POLLIN, f.halt) {
			return
		}
		n, err := unix.Tee(f.from, f.to, copyChunk, unix.SPLICE_F_NONBLOCK)
		switch {
		case err == unix.EAGAIN || err == unix.EINTR:
			continue // somebody else read it
		case err != nil || n == 0:
			return
		}
		f.given = int(n)
		if !hasRoom(f.to, f.halt) {
			return
		}
		f.takeRead(0)
		total += int(n)
	}
	f.moveAll()
}

// moveAll no longer cares what is left.
func (f *feeder) moveAll() {
	_, _ = unix.FcntlInt(uintptr(f.to), unix.F_SETPIPE_SZ, copyChunk) // slower without
	for hasRoom(f.to, f.halt) && ready(f.from, unix.POLLIN, f.halt) {
		n, err := unix.Splice(f.from, nil, f.to, nil, copyChunk, unix.SPLICE_F_NONBLOCK)
		if err != unix.EAGAIN && err != unix.EINTR && (err != nil || n == 0) {
			return
		}
	}
}

// takeRead takes out of the pipe what the program has read of what it was given:
// all but left bytes. It does not wait for what somebody else has taken.
func (f *feeder) takeRead(left int) {
	for read := f.given - min(left, f.given); read > 0; {
		n, err := unix.Splice(f.from, nil, f.null, nil, read, unix.SPLICE_F_NONBLOCK)
		if err != unix.EINTR && (err != nil || n == 0) {
			break
		}
		read -= max(int(n), 0)
	}
	f.given = 0
}

func (f *feeder) copyFile() error {
	buf := make([]byte, copyChunk)
	for {
		n, err := unix.Read(f.from, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return err
		case n == 0:
			return nil
		}
		given, err := f.inside().writeAll(buf[:n])
		f.given, f.ahead = f.given+given, n-given
		if err != nil {
			return nil
		}
	}
}

// copySteps reads no more before what it has read is read inside.
func (f *feeder) copySteps() {
	buf := make([]byte, os.Getpagesize())
	for hasRoom(f.to, f.halt) && ready(f.from, unix.POLLIN, f.halt) {
		n, err := unix.Read(f.from, buf)
		if err == unix.EAGAIN || err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return
		}
		if _, err := f.inside().writeAll(buf[:n]); err != nil {
			return
		}
	}
}

func (f *feeder) inside() sink { return sink{fd: f.to, halt: f.halt, write: unix.Write} }

// end tells the program that there is no more. Where something may have to go
// back, the pipe stays for close.
func (f *feeder) end() {
	if f.given == 0 || f.kind == unix.S_IFREG {
		unix.Close(f.to)
		f.to = -1
	}
}

// close leaves the input where the program stopped reading. The sandbox must be
// gone.
func (f *feeder) close() {
	if f == nil {
		return
	}
	switch f.kind {
	case unix.S_IFIFO:
		f.takeRead(unread(f.to))
	case unix.S_IFREG:
		// The program may have written into its own input: it can put the
		// offset back no further than where it was given something first.
		if back := f.ahead + min(f.given, unread(f.peek)); back > 0 {
			_, _ = unix.Seek(f.from, -int64(back), io.SeekCurrent)
		}
	}
	for _, fd := range []int{f.to, f.peek, f.null} {
		unix.Close(fd)
	}
}

// unread is how many bytes lie in a pipe.
func unread(pipe int) int {
	n, err := unix.IoctlGetInt(pipe, unix.TIOCINQ) // FIONREAD
	if err != nil {
		return 0
	}
	return n
}

// hasRoom waits until a pipe takes something, and says no when nobody reads from
// it any more or halt is closed.
func hasRoom(pipe, halt int) bool {
	fds := []unix.PollFd{{Fd: int32(pipe), Events: unix.POLLOUT}, {Fd: int32(halt)}}
	return poll(fds) == nil && fds[0].Revents == unix.POLLOUT && fds[1].Revents == 0
}
