package launcher

import (
	"encoding/binary"
	"fmt"
	"testing"

	netbpf "golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// call is a system call as the filter sees it.
type call struct {
	arch   uint32
	number uint32
	args   [6]uint64
}

// words is struct seccomp_data in words of the machine's byte order,
// little-endian: the low half of an argument comes first.
func (c call) words() []uint32 {
	w := []uint32{c.number, c.arch, 0, 0}
	for _, a := range c.args {
		w = append(w, uint32(a), uint32(a>>32))
	}
	return w
}

// trace runs a program on a call, as the kernel does, and notes which ways its
// jumps go. It knows the instructions that filter uses.
type trace struct {
	program []unix.SockFilter
	taken   map[string]bool // "instruction way"
}

func (tr *trace) run(t *testing.T, c call) uint32 {
	t.Helper()
	words := c.words()
	var a uint32
	for i := 0; ; i++ {
		in := tr.program[i]
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = words[in.K/4]
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= in.K
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			i += tr.jump(i, a == in.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			i += tr.jump(i, a >= in.K)
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			i += tr.jump(i, a&in.K != 0)
		default:
			t.Fatalf("instruction %d has unknown code %#x", i, in.Code)
		}
	}
}

func (tr *trace) jump(i int, yes bool) int {
	tr.taken[fmt.Sprintf("%d %t", i, yes)] = true
	if yes {
		return int(tr.program[i].Jt)
	}
	return int(tr.program[i].Jf)
}

// untaken lists the ways of jumps that no call went.
func (tr *trace) untaken() []string {
	var out []string
	for i, in := range tr.program {
		if in.Code&0x07 != unix.BPF_JMP {
			continue
		}
		for _, way := range []bool{true, false} {
			if k := fmt.Sprintf("%d %t", i, way); !tr.taken[k] {
				out = append(out, k)
			}
		}
	}
	return out
}

// runVM runs it in another interpreter, whose loads are big-endian.
func runVM(t *testing.T, p []unix.SockFilter, c call) uint32 {
	t.Helper()
	var raw []netbpf.RawInstruction
	for _, f := range p {
		raw = append(raw, netbpf.RawInstruction{Op: f.Code, Jt: f.Jt, Jf: f.Jf, K: f.K})
	}
	program, ok := netbpf.Disassemble(raw)
	if !ok {
		t.Fatal("the filter has instructions that are none")
	}
	vm, err := netbpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	var packet []byte
	for _, w := range c.words() {
		packet = binary.BigEndian.AppendUint32(packet, w)
	}
	n, err := vm.Run(packet)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

type filterCase struct {
	name string
	call call
	want uint32
}

// modeRow is a call that sets a file's mode: in which argument, and in which its
// flags are if it makes a file only with some.
type modeRow struct {
	number      uint32
	mode, flags int
}

// filterCases are what must come of each call. The lists of numbers are written
// by hand and not taken from the filter's tables: a row that is missing there is
// missed here.
func filterCases(a callABI, refusedCalls, absentCalls, allowedCalls []uint32, modes []modeRow) []filterCase {
	var cases []filterCase
	add := func(name string, want uint32, number uint32, args ...uint64) {
		c := call{arch: a.audit, number: number}
		copy(c.args[:], args)
		cases = append(cases, filterCase{name, c, want})
		// The kernel looks at the low half of all of these arguments only.
		for i := range args {
			c.args[i] |= 0xfedcba98 << 32
		}
		cases = append(cases, filterCase{name + " with high bits", c, want})
	}
	refused, absent := errno(unix.EPERM), errno(unix.ENOSYS)
	cases = append(cases, filterCase{"other architecture", call{arch: unix.AUDIT_ARCH_I386, number: a.socket}, killProcess})
	for _, n := range []uint32{470, 471, 500, 1 << 20, 0x40000000 | unix.SYS_GETPID, 0xffffffff} {
		add(fmt.Sprintf("unknown %d", n), absent, n)
	}
	for _, n := range refusedCalls {
		add(fmt.Sprintf("refused %d", n), refused, n)
	}
	for _, n := range absentCalls {
		add(fmt.Sprintf("absent %d", n), absent, n)
	}
	for _, n := range allowedCalls {
		add(fmt.Sprintf("allowed %d", n), allow, n)
	}
	for _, command := range []uint64{unix.F_SETLEASE, 1040} {
		add("fcntl lease", refused, unix.SYS_FCNTL, 0, command)
	}
	for _, command := range []uint64{unix.F_DUPFD_CLOEXEC, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_SETLK, unix.F_GETLEASE, unix.F_SETPIPE_SZ, unix.F_ADD_SEALS} {
		add("fcntl", allow, unix.SYS_FCNTL, 0, command)
	}
	for _, flag := range []uint64{unix.CLONE_NEWNS, unix.CLONE_NEWCGROUP, unix.CLONE_NEWUTS, unix.CLONE_NEWIPC, unix.CLONE_NEWUSER, unix.CLONE_NEWPID, unix.CLONE_NEWNET} {
		add("clone new", refused, a.clone, flag|uint64(unix.SIGCHLD))
		add("unshare new", refused, a.unshare, flag)
	}
	add("clone thread", allow, a.clone, unix.CLONE_VM|unix.CLONE_FS|unix.CLONE_FILES|unix.CLONE_SIGHAND|unix.CLONE_THREAD)
	add("fork", allow, a.clone, uint64(unix.SIGCHLD))
	add("unshare files", allow, a.unshare, unix.CLONE_FILES)
	add("unshare time", refused, a.unshare, unix.CLONE_NEWTIME)
	for _, request := range []uint64{unix.TIOCSTI, unix.TIOCLINUX} {
		add("ioctl", refused, a.ioctl, 0, request)
	}
	add("ioctl size", allow, a.ioctl, 0, unix.TIOCGWINSZ)
	for v, want := range map[uint64]uint32{0: allow, 0xffffffff: allow, ^uint64(0): allow, 0x0040000: allow, 0x0400000: refused, 8: refused} {
		add(fmt.Sprintf("personality %#x", v), want, a.personal, v)
	}
	for family := range uint64(50) {
		for _, kind := range []uint64{unix.SOCK_STREAM | unix.SOCK_CLOEXEC, unix.SOCK_DGRAM | unix.SOCK_NONBLOCK, unix.SOCK_RAW | unix.SOCK_CLOEXEC, unix.SOCK_SEQPACKET, unix.SOCK_PACKET} {
			for _, protocol := range []uint64{0, unix.IPPROTO_TCP, 255, 256, unix.IPPROTO_MPTCP, 0xffffffff} {
				add(fmt.Sprintf("socket %d %d %d", family, kind, protocol), wantSocket(family, kind, protocol), a.socket, family, kind, protocol)
			}
		}
	}
	add("socketpair", allow, a.pair, unix.AF_UNIX)
	add("socketpair of TIPC", errno(unix.EAFNOSUPPORT), a.pair, unix.AF_TIPC)
	for _, m := range modes {
		for mode, want := range map[uint64]uint32{0o644: allow, 0o4755: refused, 0o2755: refused, 0o1777: allow} {
			var args [6]uint64
			args[m.mode] = mode
			if m.flags >= 0 {
				add("open without making", allow, m.number, args[:]...)
				args[m.flags] = unix.O_TMPFILE
				add("open unnamed", want, m.number, args[:]...)
				args[m.flags] = unix.O_CREAT | unix.O_WRONLY
			}
			add(fmt.Sprintf("mode %d %#o", m.number, mode), want, m.number, args[:]...)
		}
		if m.flags >= 0 {
			var args [6]uint64
			args[m.mode], args[m.flags] = 0o4755, unix.O_DIRECTORY
			add("open directory", allow, m.number, args[:]...)
		}
	}
	return cases
}

// wantSocket says in other words what socketRules say.
func wantSocket(family, kind, protocol uint64) uint32 {
	switch family {
	case unix.AF_NETLINK:
		if protocol != unix.NETLINK_ROUTE {
			return errno(unix.EPERM)
		}
		return allow
	case unix.AF_UNIX, unix.AF_INET, unix.AF_INET6:
		if k := kind & 0xf; k == unix.SOCK_RAW || k == unix.SOCK_PACKET {
			return errno(unix.EPERM)
		}
		if protocol > 255 {
			return errno(unix.EPROTONOSUPPORT)
		}
		return allow
	}
	return errno(unix.EAFNOSUPPORT)
}

// plainABI is an architecture without x32 and old calls.
var plainABI = callABI{
	audit: unix.AUDIT_ARCH_AARCH64, refuse: refuseEverywhere, absent: absentEverywhere, modes: modesEverywhere,
	personal: unix.SYS_PERSONALITY, ioctl: unix.SYS_IOCTL, fcntl: unix.SYS_FCNTL, clone: unix.SYS_CLONE, unshare: unix.SYS_UNSHARE,
	socket: unix.SYS_SOCKET, pair: unix.SYS_SOCKETPAIR,
}

// TestFilter goes every way of every jump.
func TestFilter(t *testing.T) {
	for _, tt := range []struct {
		name  string
		abi   callABI
		cases []filterCase
	}{
		{"plain", plainABI, filterCases(plainABI, mustBeRefused, mustBeAbsent, mustWork, mustLackSetID)},
		{"native", nativeABI, filterCases(nativeABI, append(mustBeRefusedHere, mustBeRefused...), mustBeAbsent, append(mustWorkHere, mustWork...), append(mustLackSetIDHere, mustLackSetID...))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := &trace{program: filter(tt.abi), taken: map[string]bool{}}
			for _, c := range tt.cases {
				if got := tr.run(t, c.call); got != c.want {
					t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
				}
				if got := runVM(t, tr.program, c.call); got != c.want {
					t.Errorf("%s: another interpreter gives %#x, want %#x", c.name, got, c.want)
				}
			}
			if u := tr.untaken(); len(u) > 0 {
				t.Errorf("jumps that no case goes: %v", u)
			}
		})
	}
}
