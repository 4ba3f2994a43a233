package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/launcher/gate"
)

// outside is what this process does for the sandbox while it runs. Decisions of
// the gate go to the draft's log, which the agent cannot see; at the end done says
// which were refused, since the agent only saw a reset.
func (c *common) outside(plan *launcher.Plan, draft state.Draft) (out launcher.Outside, done func(), err error) {
	out = launcher.Outside{Event: c.tell}
	if len(plan.Routes) == 0 {
		return out, func() {}, nil
	}
	log, err := os.OpenFile(draft.NetworkLog(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return out, nil, err
	}
	d := &decisions{log: log, left: maxLog}
	out.Serve = serve(d)
	return out, func() {
		d.summarise(c.io.Err)
		log.Close()
	}, nil
}

// maxLog bounds, in bytes, what one session writes to the log: an agent decides
// how much it connects.
const maxLog = 64 << 20

// decisions passes the gate's lines on to a log and counts what did not succeed.
type decisions struct {
	log    io.Writer
	left   int
	failed map[string]int // by what is said of it
}

// Write takes one line of the gate's, which writes one at a time.
func (d *decisions) Write(line []byte) (int, error) {
	var what gate.Decision
	if err := json.Unmarshal(line, &what); err == nil && what.Verdict != gate.Allowed {
		if d.failed == nil {
			d.failed = map[string]int{}
		}
		d.failed[fmt.Sprintf("%s:%d %s: %s", what.Name, what.Port, verdicts[what.Verdict], what.Reason)]++
	}
	if d.left -= len(line); d.left < 0 {
		return len(line), nil
	}
	return d.log.Write(line)
}

var verdicts = map[gate.Verdict]string{gate.Refused: "was refused", gate.Failed: "did not answer"}

func (d *decisions) summarise(w io.Writer) {
	for _, what := range slices.Sorted(maps.Keys(d.failed)) {
		fmt.Fprintf(w, "agentenv: %s (%d times)\n", visible(what), d.failed[what])
	}
	if d.left < 0 {
		fmt.Fprintln(w, "agentenv: the session made so many connections that its log is not complete")
	}
}

// serve joins the routes of a plan with the sockets that were made for them.
func serve(log io.Writer) func(context.Context, []launcher.Route, []net.Listener) {
	return func(ctx context.Context, routes []launcher.Route, listeners []net.Listener) {
		var services []gate.Service
		for i, r := range routes {
			services = append(services, gate.Service{Name: r.Name, Port: r.Port, Private: r.Private, At: r.At, Listener: listeners[i]})
		}
		gate.Serve(ctx, services, gate.Host(log))
	}
}

func (c *common) tell(e launcher.Event) {
	if e.Kind == launcher.EventMoved {
		fmt.Fprintf(c.io.Err, "agentenv: %q was in the way of a mount in the private home; it is now %q\n", e.Path, e.To)
	}
}
