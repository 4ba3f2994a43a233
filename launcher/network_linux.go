package launcher

import (
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

// fakeInterface is the label of the loopback address that makes all of
// fakeRange answer inside: the kernel takes every address of a prefix on a
// loopback device as local.
const fakeInterface = "lo:1"

// bringUpNetwork sets the loopback up, which a new network namespace has down,
// and is all the network that the sandbox has.
func (s *sandbox) bringUpNetwork() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open socket: %w", err)
	}
	defer unix.Close(fd)
	ifr, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	ifr.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, ifr); err != nil {
		return fmt.Errorf("bring lo up: %w", err)
	}
	for _, r := range s.order.Routes {
		if fakeRange.Contains(r.Inside.Addr()) {
			return addFakeRange(fd)
		}
	}
	return nil
}

func addFakeRange(fd int) error {
	mask := netip.PrefixFrom(netip.MustParseAddr("255.255.255.255"), fakeRange.Bits()).Masked().Addr()
	for _, set := range []struct {
		name    string
		request uint
		addr    netip.Addr
	}{
		{"address", unix.SIOCSIFADDR, fakeRange.Addr().Next()},
		{"netmask", unix.SIOCSIFNETMASK, mask},
	} {
		ifr, err := unix.NewIfreq(fakeInterface)
		if err != nil {
			return err
		}
		if err := ifr.SetInet4Addr(set.addr.AsSlice()); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(fd, set.request, ifr); err != nil {
			return fmt.Errorf("set %s of %s: %w", set.name, fakeInterface, err)
		}
	}
	return nil
}

// listenAll makes the listeners of the routes and passes them out. They belong
// to this network namespace for good, wherever they are served.
func (s *sandbox) listenAll() error {
	for i, r := range s.order.Routes {
		s.at = r.At
		fd, err := listen(r.Inside)
		if err != nil {
			return fmt.Errorf("listen for %s on %s: %w", r.Name, r.Inside, err)
		}
		err = s.control.send(wordListener, i, fd)
		unix.Close(fd)
		if err != nil {
			return err
		}
	}
	return nil
}

func listen(addr netip.AddrPort) (int, error) {
	if !addr.Addr().Is4() {
		return -1, fmt.Errorf("not an IPv4 address")
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("open socket: %w", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Port: int(addr.Port()), Addr: addr.Addr().As4()}); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("bind: %w", err)
	}
	if err := unix.Listen(fd, 128); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("listen: %w", err)
	}
	return fd, nil
}
