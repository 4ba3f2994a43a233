package launcher

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// callABI is what the filter must know of a processor architecture.
type callABI struct {
	audit uint32 // AUDIT_ARCH_…

	// System call numbers, by what is done with them.
	refuse   []uint32 // EPERM
	absent   []uint32 // ENOSYS
	modes    []modeCall
	personal uint32
	ioctl    uint32
	fcntl    uint32
	clone    uint32
	unshare  uint32
	socket   uint32
	pair     uint32
}

// modeCall is a system call that sets the mode of a file. Where flags is not
// negative, only when that argument asks for a file to be made.
type modeCall struct {
	number uint32
	mode   int
	flags  int
}

// restrictCalls puts this thread under the filter for good.
func restrictCalls(o Seccomp) error {
	if o.Arch != runtime.GOARCH {
		return fmt.Errorf("the plan is for %s and this is %s", o.Arch, runtime.GOARCH)
	}
	program := filter(nativeABI)
	fprog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&fprog)), 0, 0)
	if err != nil {
		return fmt.Errorf("install filter: %w", err)
	}
	return nil
}

// filter is the whole policy as a BPF program. The architecture comes first: a
// filter that only looks at numbers lets the calls of another architecture
// through, since their numbers mean something else. The second set of numbers of
// amd64, x32, begins far above the known ones.
func filter(a callABI) bpf {
	p := bpf{}.load(offsetArch).unless(a.audit, ret(killProcess)).load(offsetNumber).
		atLeast(firstUnknown, ret(errno(unix.ENOSYS))).
		on(a.socket, socketRules()).
		on(a.pair, bpf{}.load(argument(0)).unless(unix.AF_UNIX, ret(errno(unix.EAFNOSUPPORT))).ret(allow)).
		on(a.clone, refuseBits(0, newNamespaces)).
		on(a.unshare, refuseBits(0, newNamespaces|unix.CLONE_NEWTIME)).
		on(a.ioctl, ioctlRules()).
		on(a.fcntl, fcntlRules()).
		on(a.personal, personalityRules())
	for _, c := range a.modes {
		p = p.on(c.number, modeRules(c))
	}
	for _, n := range a.absent {
		p = p.on(n, ret(errno(unix.ENOSYS)))
	}
	for _, n := range a.refuse {
		p = p.on(n, ret(errno(unix.EPERM)))
	}
	return p.ret(allow)
}

const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// setID are the bits that make a program run as its owner: as the human, when
// another user of the host starts it.
const setID = unix.S_ISUID | unix.S_ISGID

func refuseBits(arg int, bits uint32) bpf {
	return bpf{}.load(argument(arg)).ifBits(bits, ret(errno(unix.EPERM))).ret(allow)
}

// ioctlRules refuse what types into a terminal. Only the low half of the request
// is compared, as the kernel does (CVE-2019-10063: flatpak compared all of it).
func ioctlRules() bpf {
	return bpf{}.load(argument(1)).
		on(unix.TIOCSTI, ret(errno(unix.EPERM))).
		on(unix.TIOCLINUX, ret(errno(unix.EPERM))).
		ret(allow)
}

// fcntlRules refuse leases: while a program holds one on a file, whoever opens it
// waits for /proc/sys/fs/lease-break-time, 45 seconds. On .git/index that is the
// human's git. A delegation (Linux 6.19) is one on directories too.
func fcntlRules() bpf {
	return bpf{}.load(argument(1)).
		on(unix.F_SETLEASE, ret(errno(unix.EPERM))).
		on(unix.F_SETDELEG, ret(errno(unix.EPERM))).
		ret(allow)
}

// personalityRules allow to ask, the default, and what debuggers set to have
// addresses repeat.
func personalityRules() bpf {
	const addrNoRandomize, ask = 0x0040000, 0xffffffff
	return bpf{}.load(argument(0)).
		on(0, ret(allow)).
		on(addrNoRandomize, ret(allow)).
		on(ask, ret(allow)).
		ret(errno(unix.EPERM))
}

func modeRules(c modeCall) bpf {
	rules := refuseBits(c.mode, setID)
	if c.flags < 0 {
		return rules
	}
	// O_TMPFILE makes a file without O_CREAT; its own bit is what is left of it
	// without O_DIRECTORY.
	const makes = unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY
	return bpf{}.load(argument(c.flags)).ifBits(makes, rules).ret(allow)
}

// socketRules leave local sockets, IP without raw packets and without protocols
// that bring attack surface or other ways out (MPTCP is 262, SMC is 256), and
// the routing part of netlink, which getifaddrs needs. Programs that try MPTCP
// first fall back to TCP on EPROTONOSUPPORT.
func socketRules() bpf {
	ip := bpf{}.
		load(argument(1)).and(0xf).
		on(unix.SOCK_RAW, ret(errno(unix.EPERM))).
		on(unix.SOCK_PACKET, ret(errno(unix.EPERM))).
		load(argument(2)).
		atLeast(256, ret(errno(unix.EPROTONOSUPPORT))).
		ret(allow)
	netlink := bpf{}.
		load(argument(2)).
		unless(unix.NETLINK_ROUTE, ret(errno(unix.EPERM))).
		ret(allow)
	return bpf{}.load(argument(0)).
		on(unix.AF_UNIX, ip).
		on(unix.AF_INET, ip).
		on(unix.AF_INET6, ip).
		on(unix.AF_NETLINK, netlink).
		ret(errno(unix.EAFNOSUPPORT))
}
