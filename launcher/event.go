package launcher

import (
	"context"
	"net"
	"os"
)

// Stdio is what the program's descriptors 0, 1 and 2 are connected to. None may
// be nil. The program never gets the files themselves: it could open them again
// with other rights, read a terminal that it should only write, and write into a
// pipe that it should only read. It gets pipes or a terminal of its own, from
// which all is copied.
//
// In is left where the program stopped reading when it is a file, or a pipe of
// which it read less than a mebibyte; otherwise some more may have been read.
type Stdio struct {
	In, Out, Err *os.File
}

// Outside is what the caller does for a sandbox while it runs.
type Outside struct {
	// Event is told what happened that the human should know. It may be nil,
	// and is called from one goroutine only.
	Event func(Event)

	// Serve answers on listeners that were made in the sandbox's network
	// namespace, one for each of the plan's routes and in their order. It runs
	// until ctx is done; the listeners are closed after it. It may be nil when
	// the plan has no routes.
	Serve func(ctx context.Context, routes []Route, listeners []net.Listener)

	without layers
}

// Event is one thing that happened while a plan was carried out.
type Event struct {
	Kind EventKind `json:"kind"`
	Path string    `json:"path"`         // absolute path inside
	To   string    `json:"to,omitempty"` // for EventMoved, where it is now
	At   string    `json:"at,omitempty"` // file:line:column of the line that asked for it
}

// EventKind says what happened.
type EventKind string

// EventMoved: something lay in the private home where a mount of the plan goes,
// and was renamed. It may be a trap (a link there would have led the mount
// elsewhere), or a file of the program's that it will miss.
const EventMoved EventKind = "moved"
