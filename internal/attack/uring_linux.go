package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// Constants and structures of linux/io_uring.h.
const (
	opConnect = 16
	opOpenat  = 18

	offsetSubmissions = 0
	offsetCompletions = 0x8000000
	offsetEntries     = 0x10000000

	enterGetEvents = 1
	entrySize      = 64
)

type ringOffsets struct {
	head, tail, mask, entries, flags, dropped, array, reserved uint32
	address                                                    uint64
}

// completionOffsets differs from ringOffsets in what its last fields mean.
type completionOffsets struct {
	head, tail, mask, entries, overflow, completions, flags, reserved uint32
	address                                                           uint64
}

type ringParams struct {
	submissions, completions, flags, cpu, idle, features, fd uint32
	reserved                                                 [3]uint32
	submission                                               ringOffsets
	completion                                               completionOffsets
}

// entry is struct io_uring_sqe, as far as it is used.
type entry struct {
	opcode, flags  uint8
	priority       uint16
	fd             int32
	offset         uint64
	address        unsafe.Pointer // as wide as the kernel's 64 bits, and kept on the heap
	length, opFlag uint32
	rest           [32]byte
}

func ringSetup(catalogue.Targets) (string, error) {
	var p ringParams
	_, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&p)), 0)
	return passed(errno)
}

// submit carries out one operation by a ring of its own and returns its result.
func submit(e entry) (int32, error) {
	var p ringParams
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&p)), 0)
	if errno != 0 {
		return 0, errno
	}
	ring := int(fd)
	sq, err := mapRing(ring, offsetSubmissions, int(p.submission.array+p.submissions*4))
	if err != nil {
		return 0, err
	}
	cq, err := mapRing(ring, offsetCompletions, int(p.completion.completions+p.completions*16))
	if err != nil {
		return 0, err
	}
	entries, err := mapRing(ring, offsetEntries, int(p.submissions)*entrySize)
	if err != nil {
		return 0, err
	}
	*(*entry)(unsafe.Pointer(&entries[0])) = e
	*(*uint32)(unsafe.Pointer(&sq[p.submission.array])) = 0
	atomic.AddUint32((*uint32)(unsafe.Pointer(&sq[p.submission.tail])), 1)
	if _, _, errno := unix.Syscall6(unix.SYS_IO_URING_ENTER, fd, 1, 1, enterGetEvents, 0, 0); errno != 0 {
		return 0, errno
	}
	runtime.KeepAlive(e)
	// The first completion: user data in 8 bytes, then the result.
	res := *(*int32)(unsafe.Pointer(&cq[p.completion.completions+8]))
	if res < 0 {
		return 0, unix.Errno(-res)
	}
	return res, nil
}

func mapRing(fd int, offset int64, length int) ([]byte, error) {
	mem, err := unix.Mmap(fd, offset, length, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("map ring: %w", err)
	}
	return mem, nil
}

func ringOpen(t catalogue.Targets) (string, error) {
	path, err := unix.BytePtrFromString(t.Secret)
	if err != nil {
		return "", err
	}
	fd, err := submit(entry{opcode: opOpenat, fd: unix.AT_FDCWD, address: unsafe.Pointer(path), opFlag: unix.O_RDONLY})
	if err != nil {
		return "", err
	}
	return readDecoy(int(fd))
}

func ringConnect(t catalogue.Targets) (string, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return "", err
	}
	to := unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: [4]byte{127, 0, 0, 1}}
	to.Port = uint16(t.TCP)>>8 | uint16(t.TCP)<<8 // network order
	e := entry{opcode: opConnect, fd: int32(fd), address: unsafe.Pointer(&to), offset: uint64(unsafe.Sizeof(to))}
	if _, err := submit(e); err != nil {
		return "", err
	}
	return listen(fd)
}
