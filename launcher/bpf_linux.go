package launcher

import "golang.org/x/sys/unix"

// bpf is a classic BPF program, or a part of one, over the kernel's
// struct seccomp_data. A part that is jumped into must end in ret on every way
// through it; jumps go forward by less than 256 instructions.
type bpf []unix.SockFilter

// Offsets into struct seccomp_data.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

// argument is the offset of the low half of an argument on a little-endian
// machine. For every argument that the filter looks at, the kernel uses the low
// half only.
func argument(n int) uint32 { return offsetArgs + 8*uint32(n) }

// What the filter answers.
const (
	allow       = unix.SECCOMP_RET_ALLOW
	killProcess = unix.SECCOMP_RET_KILL_PROCESS
)

func errno(e unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(e) }

func ret(answer uint32) bpf { return bpf{}.ret(answer) }

func (p bpf) ret(answer uint32) bpf {
	return append(p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: answer})
}

func (p bpf) load(offset uint32) bpf {
	return append(p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (p bpf) and(mask uint32) bpf {
	return append(p, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask})
}

// on runs part when the loaded value is k.
func (p bpf) on(k uint32, part bpf) bpf { return p.branch(unix.BPF_JEQ, k, part) }

// atLeast runs part when the loaded value is k or more.
func (p bpf) atLeast(k uint32, part bpf) bpf { return p.branch(unix.BPF_JGE, k, part) }

// ifBits runs part when the loaded value has any of the bits.
func (p bpf) ifBits(bits uint32, part bpf) bpf { return p.branch(unix.BPF_JSET, bits, part) }

// unless runs part when the loaded value is not k.
func (p bpf) unless(k uint32, part bpf) bpf {
	jump := unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: distance(part), K: k}
	return append(append(p, jump), part...)
}

func (p bpf) branch(test uint16, k uint32, part bpf) bpf {
	jump := unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jf: distance(part), K: k}
	return append(append(p, jump), part...)
}

func distance(part bpf) uint8 {
	if len(part) > 255 {
		panic("launcher: a part of the filter is too long to be jumped over")
	}
	return uint8(len(part))
}
