package gate

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"sync"
	"time"
)

// Verdict is what the gate did with a connection.
type Verdict string

// The verdicts.
const (
	Allowed Verdict = "allowed"
	Refused Verdict = "refused" // by the policy
	Failed  Verdict = "failed"  // the name or the host did not answer
)

// Decision is one connection from inside, and one line of the log.
type Decision struct {
	Time         time.Time `json:"time"`
	Name         string    `json:"name"`
	Port         uint16    `json:"port"`
	Address      string    `json:"address,omitempty"`
	Verdict      Verdict   `json:"verdict"`
	Reason       string    `json:"reason,omitempty"`
	At           string    `json:"at,omitempty"` // file:line:column of the spec
	Sent         int64     `json:"sent"`         // bytes from inside
	Received     int64     `json:"received"`     // bytes to inside
	Milliseconds int64     `json:"milliseconds"`
}

// write appends a decision to the log. A log that cannot be written is not worth
// a connection; the launcher notices by the file.
func (g *gate) write(d Decision) {
	if g.out.Log == nil {
		return
	}
	line, err := json.Marshal(d)
	if err != nil {
		return
	}
	g.log.Lock()
	defer g.log.Unlock()
	g.out.Log.Write(append(line, '\n'))
}

// relay copies both ways until both have ended, and passes on that one side has
// no more to say. When ctx ends both are closed.
func relay(ctx context.Context, inside, outside net.Conn) (sent, received int64) {
	stop := context.AfterFunc(ctx, func() {
		inside.Close()
		outside.Close()
	})
	defer stop()
	defer outside.Close()
	var both sync.WaitGroup
	both.Go(func() { sent = pass(outside, inside) })
	both.Go(func() { received = pass(inside, outside) })
	both.Wait()
	return sent, received
}

// pass copies one way. Copying between two TCP sockets is the kernel's work
// (splice). A side that failed ends both, one that has ended only its own.
func pass(to, from net.Conn) int64 {
	n, err := io.Copy(to, from)
	if err != nil {
		to.Close()
		from.Close()
		return n
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
	return n
}
