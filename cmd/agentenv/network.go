package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/launcher/gate"
)

// outside is what this process does for the sandbox while it runs. Decisions of
// the gate go to the draft's log, which the agent cannot see.
func (c *common) outside(plan *launcher.Plan, draft state.Draft) (launcher.Outside, func() error, error) {
	out := launcher.Outside{Event: c.tell}
	if len(plan.Routes) == 0 {
		return out, func() error { return nil }, nil
	}
	log, err := os.OpenFile(draft.NetworkLog(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return out, nil, err
	}
	out.Serve = serve(log)
	return out, log.Close, nil
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
