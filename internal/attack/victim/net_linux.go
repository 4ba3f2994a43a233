package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// greet serves l: who connects is told the decoy.
func (v *victim) greet(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go v.tell(c)
	}
}

// tell says the decoy, then takes what comes: a connection that is closed with
// something unread is reset, and the decoy lost.
func (v *victim) tell(c net.Conn) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	c.Write([]byte(v.decoy)) // who hangs up early hears nothing
	c.(interface{ CloseWrite() error }).CloseWrite()
	io.Copy(io.Discard, c)
}

func (v *victim) unixSockets() error {
	t := &v.targets
	t.Stream, t.Datagram, t.Rights = t.Home+"/agent.sock", t.Home+"/log.sock", t.Home+"/rights.sock"
	t.UpstreamSocket = t.Upstream + "/dev.sock"
	t.Abstract = fmt.Sprintf("agentenv-victim-%d", os.Getpid())
	for _, name := range []string{t.Stream, t.UpstreamSocket, "@" + t.Abstract} {
		l, err := net.Listen("unix", name)
		if err != nil {
			return err
		}
		go v.greet(l)
	}
	l, err := net.Listen("unix", t.Rights)
	if err != nil {
		return err
	}
	go v.pass(l)
	return v.count(t.Datagram)
}

// pass serves l: who connects is given the open key.
func (v *victim) pass(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		c.(*net.UnixConn).WriteMsgUnix([]byte("x"), unix.UnixRights(v.targets.FD), nil)
		c.Close()
	}
}

// count counts the datagrams that arrive at the socket path.
func (v *victim) count(path string) error {
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return err
	}
	go func() {
		for buf := make([]byte, 512); ; {
			if _, err := c.Read(buf); err != nil {
				return
			}
			v.mu.Lock()
			v.report.Datagrams++
			v.mu.Unlock()
		}
	}()
	return nil
}

// tcp listens on both loopback addresses. Go's listeners speak MPTCP unless
// told not to (Go 1.24), so that is said for each.
func (v *victim) tcp() error {
	for _, s := range []struct {
		port    *int
		address string
		mptcp   bool
		lacking bool
	}{
		{&v.targets.TCP, "127.0.0.1:0", false, false},
		{&v.targets.TCP6, "[::1]:0", false, !hasIPv6()},
		{&v.targets.MPTCP, "127.0.0.1:0", true, !hasMPTCP()},
	} {
		if s.lacking {
			continue
		}
		var lc net.ListenConfig
		lc.SetMultipathTCP(s.mptcp)
		l, err := lc.Listen(context.Background(), "tcp", s.address)
		if err != nil {
			return err
		}
		*s.port = l.Addr().(*net.TCPAddr).Port
		go v.greet(l)
	}
	return nil
}

func hasMPTCP() bool {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
	unix.Close(fd)
	return err == nil
}

func hasIPv6() bool {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err == nil {
		l.Close()
	}
	return err == nil
}

// udp answers each datagram with the decoy.
func (v *victim) udp() error {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	v.targets.UDP = c.LocalAddr().(*net.UDPAddr).Port
	go func() {
		for buf := make([]byte, 512); ; {
			_, from, err := c.ReadFrom(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				c.WriteTo([]byte(v.decoy), from)
			}
		}
	}()
	return nil
}

// live is what the human does meanwhile: use the key, and call back the port
// that an attack has written down. That ends with the process.
func (v *victim) live() {
	for range time.Tick(20 * time.Millisecond) {
		if f, err := os.Open(v.targets.Secret); err == nil {
			f.Close()
		}
		text, err := os.ReadFile(v.targets.Calls)
		if err != nil {
			continue
		}
		if port, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			v.call(port)
		}
	}
}

func (v *victim) call(port int) {
	c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
	if err != nil {
		return
	}
	defer c.Close()
	c.Write([]byte(v.decoy))
}
