// Package gate lets the sandbox reach the named hosts of a spec, and no others.
// It serves, from outside, sockets that were made inside the sandbox's network
// namespace: nothing of it runs inside.
//
// It makes no namespace and no listener, reads no spec, and knows neither TLS
// nor HTTP: a service is one name and one port, and bytes are passed as they
// are.
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// maxConnections is how many connections one service carries at once. Further
// ones wait in the listener's queue, so that an agent's loop cannot use up the
// launcher's descriptors.
const maxConnections = 512

// dialTimeout bounds resolving and dialling together.
const dialTimeout = 20 * time.Second

// Service is one name and port, and the socket inside on which it answers.
type Service struct {
	Name     string         // lower case, no trailing dot
	Port     uint16         // outside
	Private  []netip.Prefix // private ranges that Name may resolve into
	At       string         // file:line:column of the spec
	Listener net.Listener
}

// Outside is what the gate does on the host's side.
type Outside struct {
	Lookup func(ctx context.Context, name string) ([]netip.Addr, error)
	Dial   func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
	Now    func() time.Time
	Log    io.Writer // a line of JSON for each Decision; may be nil
}

// Host is this machine: its resolver, its network and its clock.
func Host(log io.Writer) Outside {
	return Outside{
		Lookup: func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", to.String())
		},
		Now: time.Now,
		Log: log,
	}
}

// Serve answers on all services until ctx ends, and returns when every
// connection is closed. It closes the listeners.
func Serve(ctx context.Context, services []Service, out Outside) {
	g := &gate{out: out}
	stop := context.AfterFunc(ctx, func() {
		for _, s := range services {
			s.Listener.Close()
		}
	})
	defer stop()
	var all sync.WaitGroup
	for _, s := range services {
		all.Go(func() { g.accept(ctx, s) })
	}
	all.Wait()
}

type gate struct {
	out Outside
	log sync.Mutex
}

func (g *gate) accept(ctx context.Context, s Service) {
	defer s.Listener.Close()
	free := make(chan struct{}, maxConnections)
	var open sync.WaitGroup
	defer open.Wait()
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		inside, err := s.Listener.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return
			}
			<-free
			pause(ctx)
			continue
		}
		open.Go(func() {
			defer func() { <-free }()
			g.carry(ctx, s, inside)
		})
	}
}

// pause lets an accept that failed for want of descriptors be tried again
// without a busy loop.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
}

// carry serves one connection from inside and logs what became of it.
func (g *gate) carry(ctx context.Context, s Service, inside net.Conn) {
	defer inside.Close()
	d := Decision{Time: g.out.Now(), Name: s.Name, Port: s.Port, At: s.At}
	outside, address, err := g.dial(ctx, s)
	if address.IsValid() {
		d.Address = address.String()
	}
	if err != nil {
		d.Verdict, d.Reason = verdict(err), err.Error()
		refuse(inside)
	} else {
		d.Verdict = Allowed
		d.Sent, d.Received = relay(ctx, inside, outside)
	}
	d.Milliseconds = g.out.Now().Sub(d.Time).Milliseconds()
	g.write(d)
}

// refuse has the program see a reset, at once, and not an empty answer.
func refuse(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
}

// dial resolves the name once and dials the first checked address that answers.
// All addresses must pass: a name that resolves into a private range as well is
// one that somebody is rebinding.
func (g *gate) dial(ctx context.Context, s Service) (net.Conn, netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	addresses, err := g.resolve(ctx, s.Name)
	if err != nil {
		return nil, netip.Addr{}, err
	}
	for i, a := range addresses {
		addresses[i] = a.Unmap().WithZone("")
		if reason := Refusal(addresses[i], s.Private); reason != "" {
			return nil, addresses[i], &refusedError{fmt.Sprintf("%s resolves to %s, %s", s.Name, addresses[i], reason)}
		}
	}
	var last error
	for _, a := range addresses {
		c, err := g.out.Dial(ctx, netip.AddrPortFrom(a, s.Port))
		if err == nil {
			return c, a, nil
		}
		last = err
	}
	return nil, addresses[len(addresses)-1], last
}

// resolve looks a name up outside. Names below localhost are the loopback
// address (RFC 6761, 6.3), which no resolver is asked for.
func (g *gate) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	if strings.HasSuffix(name, ".localhost") {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	addresses, err := g.out.Lookup(ctx, name)
	if err == nil && len(addresses) == 0 {
		err = fmt.Errorf("resolve %s: no address", name)
	}
	return addresses, err
}

// refusedError is a decision of the gate's, not a failure of the network.
type refusedError struct{ reason string }

func (e *refusedError) Error() string { return e.reason }

func verdict(err error) Verdict {
	var r *refusedError
	if errors.As(err, &r) {
		return Refused
	}
	return Failed
}
