package main

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// patience is how long an attack waits for something to happen, in milliseconds.
const patience = 2000

// await waits until fd is ready; EAGAIN when nothing happens.
func await(fd int, events int16) error {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, patience)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n == 0:
			return unix.EAGAIN
		default:
			return nil
		}
	}
}

// hear connects a stream socket and returns the decoy it is greeted with.
func hear(domain, protocol int, to unix.Sockaddr) (string, error) {
	fd, err := unix.Socket(domain, unix.SOCK_STREAM, protocol)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, to); err != nil {
		return "", err
	}
	return listen(fd)
}

func listen(fd int) (string, error) {
	if err := await(fd, unix.POLLIN); err != nil {
		return "", err
	}
	return readDecoy(fd)
}

func loopback(port int) unix.Sockaddr {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}

func connectStream(t catalogue.Targets) (string, error) {
	return hear(unix.AF_UNIX, 0, &unix.SockaddrUnix{Name: t.Stream})
}

func connectAbstract(t catalogue.Targets) (string, error) {
	return hear(unix.AF_UNIX, 0, &unix.SockaddrUnix{Name: "@" + t.Abstract})
}

func connectUpstream(t catalogue.Targets) (string, error) {
	return hear(unix.AF_UNIX, 0, &unix.SockaddrUnix{Name: t.UpstreamSocket})
}

func connectTCP(t catalogue.Targets) (string, error) {
	return hear(unix.AF_INET, unix.IPPROTO_TCP, loopback(t.TCP))
}

func connectMPTCP(t catalogue.Targets) (string, error) {
	return hear(unix.AF_INET, unix.IPPROTO_MPTCP, loopback(t.MPTCP))
}

func connectTCP6(t catalogue.Targets) (string, error) {
	to := &unix.SockaddrInet6{Port: t.TCP6}
	to.Addr[15] = 1
	return hear(unix.AF_INET6, unix.IPPROTO_TCP, to)
}

func receiveRights(t catalogue.Targets) (string, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return "", err
	}
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: t.Rights}); err != nil {
		return "", err
	}
	buf, oob := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(fd, buf, oob, 0)
	if err != nil {
		return "", err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) == 0 {
		return "", errors.Join(errors.New("no descriptor came"), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return "", err
	}
	return preadDecoy(fds[0], 4096, 0)
}

func sendDatagram(t catalogue.Targets) (string, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return "", err
	}
	return did("sent", unix.Sendto(fd, []byte(planted), 0, &unix.SockaddrUnix{Name: t.Datagram}))
}

func exchangeUDP(t catalogue.Targets) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return "", err
	}
	if err := unix.Connect(fd, loopback(t.UDP)); err != nil {
		return "", err
	}
	if _, err := unix.Write(fd, []byte("x")); err != nil {
		return "", err
	}
	if err := await(fd, unix.POLLIN); err != nil {
		return "", err
	}
	buf := make([]byte, 512)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

// fastOpen connects without connect(2): Landlock's TCP rules do not see it.
func fastOpen(t catalogue.Targets) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_TCP)
	if err != nil {
		return "", err
	}
	if err := unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, loopback(t.TCP)); err != nil {
		return "", err
	}
	return listen(fd)
}

// opened tries to make a socket at all.
func opened(domain, kind, protocol int) (string, error) {
	_, err := unix.Socket(domain, kind, protocol)
	return did("made", err)
}

func icmpSocket(catalogue.Targets) (string, error) {
	return opened(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP)
}

func rawSocket(catalogue.Targets) (string, error) {
	return opened(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
}

func packetSocket(catalogue.Targets) (string, error) {
	return opened(unix.AF_PACKET, unix.SOCK_RAW, 0)
}

func vsockSocket(catalogue.Targets) (string, error) {
	return opened(unix.AF_VSOCK, unix.SOCK_STREAM, 0)
}

func listenBound(t catalogue.Targets) (string, error) {
	return beCalled(t, unix.IPPROTO_TCP, true)
}

func listenMPTCP(t catalogue.Targets) (string, error) {
	return beCalled(t, unix.IPPROTO_MPTCP, true)
}

func listenUnbound(t catalogue.Targets) (string, error) {
	return beCalled(t, unix.IPPROTO_TCP, false)
}

// beCalled listens, says where, and waits for the human's side to call. It
// works when the call comes: in a network namespace of its own a socket listens
// as well, to nobody.
func beCalled(t catalogue.Targets, protocol int, bind bool) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, protocol)
	if err != nil {
		return "", err
	}
	if bind {
		if err := unix.Bind(fd, &unix.SockaddrInet4{}); err != nil {
			return "", err
		}
	}
	if err := unix.Listen(fd, 1); err != nil {
		return "", err
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		return "", err
	}
	port := name.(*unix.SockaddrInet4).Port
	if err := os.WriteFile(t.Calls, []byte(strconv.Itoa(port)), 0o644); err != nil {
		return "", err
	}
	if err := await(fd, unix.POLLIN); err != nil {
		return "", errors.New("nobody called")
	}
	call, _, err := unix.Accept(fd)
	if err != nil {
		return "", err
	}
	return readDecoy(call)
}
