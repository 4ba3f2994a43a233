package gate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/agentenv/agentenv/launcher/gate"
	"github.com/google/go-cmp/cmp"
)

func TestRefusal(t *testing.T) {
	private := []netip.Prefix{netip.MustParsePrefix("10.1.2.0/24"), netip.MustParsePrefix("127.0.0.1/32")}
	for address, refused := range map[string]bool{
		"93.184.216.34": false, "2606:2800:220:1::1": false, "1.1.1.1": false,
		"10.1.2.3": false, "10.1.3.3": true, "127.0.0.1": false, "127.0.0.2": true, "::ffff:10.1.2.3": false,
		"::ffff:127.0.0.2": true, "::1": true, "::": true, "::7f00:1": true, "0.0.0.0": true, "0.1.2.3": true,
		"100.64.0.1": true, "100.100.100.200": true, "169.254.169.254": true, "168.63.129.16": true,
		"172.16.0.1": true, "172.32.0.1": false, "192.0.0.192": true, "192.168.1.1": true, "198.18.0.2": true,
		"224.0.0.1": true, "240.0.0.1": true, "255.255.255.255": true,
		"64:ff9b::7f00:1": true, "2002:7f00:1::": true, "2001:0:1::": true, "fd00:ec2::254": true, "fe80::1%eth0": true, "fec0::1": true, "ff02::1": true,
	} {
		if got := gate.Refusal(netip.MustParseAddr(address), private); (got != "") != refused {
			t.Errorf("%s: %q, want refused %t", address, got, refused)
		}
	}
	if gate.Refusal(netip.Addr{}, nil) == "" {
		t.Error("the zero address is allowed")
	}
}

// FuzzRefusal: what is refused as an IPv4 address is refused in every IPv6 form
// of it that a kernel or a translator would take for it.
func FuzzRefusal(f *testing.F) {
	f.Add(uint32(0x7f000001))
	f.Add(uint32(0xa9fea9fe))
	f.Fuzz(func(t *testing.T, n uint32) {
		b := [4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
		if gate.Refusal(netip.AddrFrom4(b), nil) == "" {
			return
		}
		for _, head := range [][]byte{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 12)} {
			a, _ := netip.AddrFromSlice(append(append([]byte{}, head...), b[:]...))
			if gate.Refusal(a, nil) == "" {
				t.Errorf("%s is allowed and %v is not", a, b)
			}
		}
	})
}

// world is a gate with one service whose name resolves to what the test says,
// and a server that answers every connection with what it was sent, upper case.
type world struct {
	dial func() (net.Conn, error) // the error may be the gate's reset
	log  *bytes.Buffer
	stop func()
}

func start(t *testing.T, name string, private []netip.Prefix, addresses ...string) world {
	t.Helper()
	server := listen(t)
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				text, _ := io.ReadAll(c) // the half-close is what ends it
				io.WriteString(c, strings.ToUpper(string(text)))
			}()
		}
	}()
	inside := listen(t)
	log := &bytes.Buffer{}
	out := gate.Host(log)
	out.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		var list []netip.Addr
		for _, a := range addresses {
			list = append(list, netip.MustParseAddr(a))
		}
		return list, nil
	}
	dialled := out.Dial
	out.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
		if !to.Addr().IsLoopback() {
			return nil, errors.New("the test has no network")
		}
		return dialled(ctx, to)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	port := netip.MustParseAddrPort(server.Addr().String()).Port()
	go func() {
		defer close(done)
		gate.Serve(ctx, []gate.Service{{Name: name, Port: port, Private: private, At: "w.hcl:1:1", Listener: inside}}, out)
	}()
	return world{
		dial: func() (net.Conn, error) {
			c, err := net.Dial("tcp", inside.Addr().String())
			if err == nil {
				c.SetDeadline(time.Now().Add(20 * time.Second))
			}
			return c, err
		},
		log:  log,
		stop: func() { cancel(); <-done },
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// ask sends text, closes its half, and reads all of the answer.
func (w world) ask(text string) (string, error) {
	c, err := w.dial()
	if err != nil {
		return "", err
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		return "", err
	}
	c.(*net.TCPConn).CloseWrite()
	answer, err := io.ReadAll(c)
	return string(answer), err
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func TestServe(t *testing.T) {
	tests := []struct {
		name      string
		host      string
		private   []netip.Prefix
		addresses []string
		verdict   gate.Verdict
		address   string
	}{
		{"a listed private address", "db.internal", loopback, []string{"127.0.0.1"}, gate.Allowed, "127.0.0.1"},
		{"an unlisted one", "db.internal", nil, []string{"127.0.0.1"}, gate.Refused, "127.0.0.1"},
		{"in IPv6 clothes", "db.internal", nil, []string{"::ffff:127.0.0.1"}, gate.Refused, "127.0.0.1"},
		{"the second address is private", "db.internal", nil, []string{"93.184.216.34", "169.254.169.254"}, gate.Refused, "169.254.169.254"},
		{"below localhost, listed", "model.localhost", loopback, nil, gate.Allowed, "127.0.0.1"},
		{"below localhost, unlisted", "model.localhost", nil, []string{"93.184.216.34"}, gate.Refused, "127.0.0.1"},
		{"no address", "gone.example", nil, nil, gate.Failed, ""},
		{"a host that is down", "up.example", nil, []string{"93.184.216.34"}, gate.Failed, "93.184.216.34"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, tt.host, tt.private, tt.addresses...)
			answer, err := w.ask("hello")
			w.stop()
			if allowed := tt.verdict == gate.Allowed; allowed != (answer == "HELLO") || allowed != (err == nil) {
				t.Errorf("answer %q, error %v", answer, err)
			}
			var d gate.Decision
			if err := json.Unmarshal(w.log.Bytes(), &d); err != nil {
				t.Fatalf("log %q: %v", w.log, err)
			}
			got := []any{d.Verdict, d.Address, d.Name, d.At, d.Sent, d.Received, d.Reason == ""}
			want := []any{tt.verdict, tt.address, tt.host, "w.hcl:1:1", int64(0), int64(0), false}
			if tt.verdict == gate.Allowed {
				want = []any{tt.verdict, tt.address, tt.host, "w.hcl:1:1", int64(5), int64(5), true}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("decision (-want +got)\n%s", diff)
			}
		})
	}
}

// TestServeEnds: no connection outlives the gate, however idle its two sides.
func TestServeEnds(t *testing.T) {
	w := start(t, "model.localhost", loopback)
	c, err := w.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "x"); err != nil {
		t.Fatal(err)
	}
	w.stop()
	if _, err := io.ReadAll(c); errors.Is(err, context.DeadlineExceeded) {
		t.Error("the connection is still open")
	}
	if strings.Count(w.log.String(), "\n") != 1 {
		t.Errorf("log: %q", w.log)
	}
}
