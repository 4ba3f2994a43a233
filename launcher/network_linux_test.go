package launcher

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// echo serves routes from outside: each connection is told the route's name and
// is given back what it sends.
func echo(ctx context.Context, routes []Route, listeners []net.Listener) {
	var wg sync.WaitGroup
	for i, l := range listeners {
		context.AfterFunc(ctx, func() { l.Close() })
		wg.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				wg.Go(func() {
					defer c.Close()
					fmt.Fprintf(c, "%s\n", routes[i].Name)
					io.Copy(c, c)
				})
			}
		})
	}
	wg.Wait()
}

// probeTalk sends a line to each address and prints what comes back.
func probeTalk(addrs []string) error {
	for _, a := range addrs {
		c, err := net.Dial("tcp", a)
		if err != nil {
			fmt.Println(a, errorName(err))
			continue
		}
		fmt.Fprintln(c, "hello")
		c.(*net.TCPConn).CloseWrite()
		back, err := io.ReadAll(c)
		c.Close()
		fmt.Printf("%s %q %v\n", a, back, err)
	}
	return nil
}

// probeServe shows that a server of the program's own works on its loopback.
func probeServe([]string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		c, err := l.Accept()
		if err == nil {
			c.Write([]byte("served\n"))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	_, err = io.Copy(writer{}, c)
	return err
}

type writer struct{}

func (writer) Write(b []byte) (int, error) { return fmt.Print(string(b)) }

func TestRoutes(t *testing.T) {
	host, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	tr := newTrial(t, "/probe", "talk", "198.18.0.2:443", "198.18.0.3:80", "127.0.0.1:5432", "198.18.0.2:80", "198.18.0.9:443", host.Addr().String(), "192.0.2.1:443")
	tr.Routes = []Route{
		{Name: "a.example", Port: 443, Inside: netip.MustParseAddrPort("198.18.0.2:443")},
		{Name: "b.example", Port: 80, Inside: netip.MustParseAddrPort("198.18.0.3:80")},
		{Name: "db.localhost", Port: 5432, Inside: netip.MustParseAddrPort("127.0.0.1:5432")},
	}
	s := tr.start(echo)
	o := s.wait()
	want := `198.18.0.2:443 "a.example\nhello\n" <nil>
198.18.0.3:80 "b.example\nhello\n" <nil>
127.0.0.1:5432 "db.localhost\nhello\n" <nil>
198.18.0.2:80 ECONNREFUSED
198.18.0.9:443 ECONNREFUSED
` + host.Addr().String() + ` ECONNREFUSED
192.0.2.1:443 ENETUNREACH
`
	if diff := cmp.Diff(want, o.stdout); diff != "" {
		t.Errorf("inside (-want +got, %v):\n%s", o.err, diff)
	}
}

func TestOwnServer(t *testing.T) {
	if o := newTrial(t, "/probe", "serve").ok(""); o.stdout != "served\n" {
		t.Errorf("inside: %q", o.stdout)
	}
}

func TestRouteThatCannotBe(t *testing.T) {
	for _, tt := range []struct{ addr, words string }{
		{"[::1]:80", "not an IPv4 address"},
		{"192.0.2.1:80", "cannot assign requested address"},
	} {
		tr := newTrial(t, "true")
		tr.Routes = []Route{{Name: "a.example", Inside: netip.MustParseAddrPort(tt.addr), At: "spec.hcl:5:6"}}
		o := tr.start(echo).wait()
		want := fmt.Sprintf("spec.hcl:5:6: set up route: listen for a.example on %s: ", tt.addr)
		if o.err == nil || len(o.err.Error()) < len(want) || o.err.Error()[:len(want)] != want {
			t.Errorf("error %v", o.err)
		}
	}
}
