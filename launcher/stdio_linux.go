package launcher

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// streamKind says how one of the program's descriptors 0 to 2 is connected.
type streamKind int

const (
	streamRelayed  streamKind = iota // the program gets a pipe, the launcher copies
	streamTerminal                   // the program gets a terminal of the sandbox's
	streamNull                       // the program gets the null device that is inside
	streamJoined                     // standard error is the same file as standard output
)

// streams connects the program's descriptors 0 to 2 with the caller's files.
//
// No file is ever passed itself. Through /proc/self/fd a program opens what a
// descriptor stands for again, with other rights: it would read and empty a log
// that it was only to append to, or write into the pipe that it was to read from,
// for whoever reads from that next, which may be a shell. Landlock does not come
// into it: pipes are exempt. A descriptor's flags are shared too, and O_NONBLOCK
// would stay set when the program has ended.
//
// The pipes in between show in one thing: the caller's Out and Err end with Run,
// not when the program closes them.
type streams struct {
	files   [3]*os.File
	kinds   [3]streamKind
	given   [3]int // what pid 1 gets
	kept    [3]int // our ends of the pipes of relayed output, -1 where there is none or a relay has it
	opened  []int  // of given, those that are closed here once pid 1 has them
	feed    *feeder
	relays  []*relay
	failed  [3]error // why one could not be copied
	master  int      // our side of the program's terminal, -1 when it has none
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

func (r *running) openStreams() (err error) {
	s := r.streams
	if s.halt[0], s.halt[1], err = newPipe(); err != nil {
		return err
	}
	for i := range s.files {
		if err := s.open(i, r.plan); err != nil {
			return fmt.Errorf("connect descriptor %d: %w", i, err)
		}
	}
	return nil
}

func (s *streams) open(i int, p *Plan) (err error) {
	if s.kinds[i], err = kindOf(int(s.files[i].Fd())); err != nil {
		return err
	}
	switch {
	case s.kinds[i] == streamNull && !hasNull(p):
		s.kinds[i] = streamRelayed
	case i == 2 && s.kinds[1] == streamRelayed && sameFile(s.files[1], s.files[2]):
		s.kinds[i] = streamJoined
	}
	switch s.kinds[i] {
	case streamJoined:
		s.given[i] = s.given[1]
		return nil
	case streamTerminal, streamNull:
		// pid 1 itself has nothing to do with it.
		s.given[i], err = unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	case streamRelayed:
		err = s.openPipe(i)
	}
	s.opened = append(s.opened, s.given[i])
	return err
}

func (s *streams) openPipe(i int) (err error) {
	if i == 0 {
		s.feed, s.given[i], err = newFeeder(int(s.files[i].Fd()), s.halt[0])
		return err
	}
	s.kept[i], s.given[i], err = newPipe()
	return err
}

// kindOf looks at the file, and not at how it was opened.
func kindOf(fd int) (streamKind, error) {
	st, err := statOf(fd)
	if err != nil {
		return 0, err
	}
	if _, err := unix.IoctlGetTermios(fd, unix.TCGETS); err == nil {
		return streamTerminal, nil
	}
	if isNull(st) {
		return streamNull, nil
	}
	return streamRelayed, nil
}

func isNull(st unix.Stat_t) bool {
	return fileType(st) == unix.S_IFCHR && st.Rdev == unix.Mkdev(1, 3)
}

// hasNull says whether the program can be given a null device of its own.
func hasNull(p *Plan) bool {
	return slices.ContainsFunc(p.Mounts, func(m Mount) bool { return m.Device && m.Target == os.DevNull })
}

// are tells which descriptors are of kind k.
func (s *streams) are(k streamKind) (is [3]bool) {
	for i := range s.kinds {
		is[i] = s.kinds[i] == k
	}
	return is
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
	if s.feed != nil {
		s.inputs.Go(func() { s.failed[0] = s.feed.run(); s.feed.end() })
	}
	for i := 1; i < 3; i++ {
		if s.kinds[i] != streamRelayed {
			continue
		}
		to, err := newSink(int(s.files[i].Fd()), s.halt[0])
		if err != nil {
			return err
		}
		out := &relay{from: s.kept[i]}
		s.kept[i] = -1
		s.relays = append(s.relays, out)
		s.outputs.Go(func() { s.failed[i] = out.run(to); out.close() })
	}
	return s.startTerminal(func() {
		select {
		case r.signals <- unix.SIGHUP:
		default:
		}
	})
}

// drain waits until all that the program wrote is passed on, or until a signal or
// cancelled says that it is enough: who reads it may have stopped doing so. The
// error is that of a file that could not be copied whole. The sandbox must be gone.
func (s *streams) drain(signals <-chan os.Signal, cancelled <-chan struct{}) error {
	done := make(chan struct{})
	go func() { s.outputs.Wait(); close(done) }()
	select {
	case <-done:
		s.stopCopying()
		s.inputs.Wait()
		return s.failure()
	case <-signals:
	case <-cancelled:
	}
	return nil
}

// settle waits, though not long, until what was written is passed on, so that it
// is seen before the launcher stops. Everything inside has stopped already.
func (s *streams) settle() {
	for range 100 {
		if !slices.ContainsFunc(s.relays, func(r *relay) bool { return !r.idle() }) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// failure is for errors that the program cannot be told: the pipe breaks for it,
// as if nobody read any more, and it may even have ended before.
func (s *streams) failure() error {
	for i, what := range []string{"read standard input", "pass on standard output", "pass on standard error"} {
		if err := s.failed[i]; err != nil && err != errReaderGone && err != errHalted {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
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
	s.feed.close()
	s.screen.restore()
	for _, fd := range append(s.kept[:], s.master, s.halt[0]) {
		unix.Close(fd)
	}
}
