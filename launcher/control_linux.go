package launcher

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// word is the kind of a message on a control socket.
type word byte

// What the launcher says to pid 1, and pid 1 to the stage that becomes the
// program.
const (
	wordOrder     word = 1 + iota // initOrder
	wordExecOrder                 // execOrder; pid 1 passes the bytes on unread
	wordGo                        // all of the outside is ready: start the program
	wordSignal                    // int: a signal for the program
)

// What they answer.
const (
	wordEvent      word = 64 + iota // Event
	wordListener                    // int: index of a route; one descriptor
	wordTerminal                    // the master side; one descriptor
	wordMounts                      // /proc/self/mountinfo of pid 1; one descriptor
	wordReady                       // everything but the program is there
	wordFailed                      // failure: nothing was started
	wordNotStarted                  // notStarted: the program could not be executed
	wordStarted                     // the program runs
	wordStopped                     // int: the program was stopped by this signal
	wordEnded                       // int: exit status, 128+n for a signal
)

// failure is a SetupError on its way.
type failure struct {
	Step, At string
	Cause    insideError
}

func newFailure(step, at string, err error) failure {
	return failure{Step: step, At: at, Cause: newInsideError(err)}
}

func newInsideError(err error) insideError {
	e := insideError{Text: err.Error()}
	errors.As(err, &e.Errno)
	return e
}

func (f failure) setupError() *SetupError {
	return &SetupError{Step: f.Step, At: f.At, Err: &f.Cause}
}

// notStarted is an ExecError on its way.
type notStarted struct {
	Status int
	Cause  insideError
}

// conn is one end of a control socket: a stream of frames of one word, a length
// and JSON, some with one descriptor. Its calls block, and use no poller, since
// stages have better things to do than to start one.
type conn struct{ fd int }

const (
	frameHeader = 5
	frameLimit  = 256 << 20
)

// newConn makes a connected pair. Both ends are closed at exec.
func newConn() (a, b conn, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return conn{-1}, conn{-1}, fmt.Errorf("make control socket: %w", err)
	}
	return conn{fds[0]}, conn{fds[1]}, nil
}

func (c conn) close() { unix.Close(c.fd) }

// send writes one frame. A json.RawMessage goes as it is.
func (c conn) send(w word, body any, fds ...int) error {
	data, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode control message: %w", err)
	}
	header := make([]byte, frameHeader)
	header[0] = byte(w)
	binary.LittleEndian.PutUint32(header[1:], uint32(len(data)))
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	if err := ignoringInterrupts(func() error {
		return unix.Sendmsg(c.fd, header, rights, nil, unix.MSG_NOSIGNAL)
	}); err != nil {
		return fmt.Errorf("write to control socket: %w", err)
	}
	return c.write(data)
}

func (c conn) write(data []byte) error {
	for len(data) > 0 {
		n, err := unix.SendmsgN(c.fd, data, nil, nil, unix.MSG_NOSIGNAL)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("write to control socket: %w", err)
		}
		data = data[n:]
	}
	return nil
}

// frame is a received message. fd is -1 where none came with it.
type frame struct {
	word word
	body json.RawMessage
	fd   int
}

// receive reads one frame; io.EOF means that the other end is closed.
func (c conn) receive() (frame, error) {
	header, fd, err := c.receiveHeader()
	if err != nil {
		return frame{fd: -1}, err
	}
	f := frame{word: word(header[0]), fd: fd}
	n := binary.LittleEndian.Uint32(header[1:])
	if n > frameLimit {
		return f, fmt.Errorf("read from control socket: frame of %d bytes", n)
	}
	f.body = make([]byte, n)
	return f, c.fill(f.body)
}

func (c conn) receiveHeader() ([]byte, int, error) {
	header, rights := make([]byte, frameHeader), make([]byte, unix.CmsgSpace(4))
	var n, rn int
	err := ignoringInterrupts(func() (err error) {
		n, rn, _, _, err = unix.Recvmsg(c.fd, header, rights, unix.MSG_CMSG_CLOEXEC)
		return err
	})
	switch {
	case err != nil:
		return nil, -1, fmt.Errorf("read from control socket: %w", err)
	case n == 0:
		return nil, -1, io.EOF
	}
	fd, err := oneRight(rights[:rn])
	if err != nil {
		return nil, -1, err
	}
	return header, fd, c.fill(header[n:])
}

func oneRight(oob []byte) (int, error) {
	if len(oob) == 0 {
		return -1, nil
	}
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(messages) != 1 {
		return -1, fmt.Errorf("read from control socket: %d control messages: %w", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, fmt.Errorf("read from control socket: %d descriptors: %w", len(fds), err)
	}
	return fds[0], nil
}

func (c conn) fill(b []byte) error {
	for len(b) > 0 {
		n, err := unix.Read(c.fd, b)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return fmt.Errorf("read from control socket: %w", err)
		case n == 0:
			return io.ErrUnexpectedEOF
		}
		b = b[n:]
	}
	return nil
}

// expect reads one frame of kind w into v.
func (c conn) expect(w word, v any) (frame, error) {
	f, err := c.receive()
	if err != nil {
		return f, err
	}
	if f.word != w {
		return f, fmt.Errorf("read from control socket: word %d where %d was due", f.word, w)
	}
	if v == nil {
		return f, nil
	}
	return f, f.decode(v)
}

func (f frame) decode(v any) error {
	if err := json.Unmarshal(f.body, v); err != nil {
		return fmt.Errorf("decode control message: %w", err)
	}
	return nil
}

// ignoringInterrupts repeats call while a signal interrupts it.
func ignoringInterrupts(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}
