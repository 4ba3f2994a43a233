package main

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// address returns where b lies.
func address(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(&b[0]))) }

func (v *victim) sharedMemory() error {
	v.targets.Shm = 0x61000000 | os.Getpid()
	id, err := unix.SysvShmGet(v.targets.Shm, 4096, unix.IPC_CREAT|unix.IPC_EXCL|0o600)
	if err != nil {
		return fmt.Errorf("shmget: %w", err)
	}
	v.undo = append(v.undo, func() { unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	mem, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return fmt.Errorf("shmat: %w", err)
	}
	copy(mem, v.decoy)
	return nil
}

func (v *victim) shmFile() error {
	path := fmt.Sprintf("/dev/shm/agentenv-victim-%d", os.Getpid())
	v.targets.ShmFile = path
	v.undo = append(v.undo, func() { os.Remove(path) })
	return os.WriteFile(path, []byte(v.decoy), 0o600)
}

// queue makes a message queue with the decoy in it. The kernel's
// names have no leading slash.
func (v *victim) queue() error {
	name := fmt.Sprintf("agentenv-victim-%d", os.Getpid())
	raw, err := unix.BytePtrFromString(name)
	if err != nil {
		return err
	}
	q, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(raw)),
		unix.O_CREAT|unix.O_EXCL|unix.O_RDWR, 0o600, 0, 0, 0)
	if absent(errno) {
		return nil
	}
	if errno != 0 {
		return fmt.Errorf("mq_open: %w", errno)
	}
	v.undo = append(v.undo, func() { unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(raw)), 0, 0) })
	v.targets.Queue = name
	text := []byte(v.decoy)
	_, _, errno = unix.Syscall6(unix.SYS_MQ_TIMEDSEND, q, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("mq_timedsend: %w", errno)
	}
	return nil
}

// keyPermissions lets the possessor and the user do anything with a key, as
// `keyctl setperm` 0x3f3f0000.
const keyPermissions = 0x3f3f0000

func (v *victim) key() error {
	name := fmt.Sprintf("agentenv-victim-%d", os.Getpid())
	kind, _ := unix.BytePtrFromString("user")
	description, _ := unix.BytePtrFromString(name)
	text := []byte(v.decoy)
	ring := unix.KEY_SPEC_USER_KEYRING
	id, _, errno := unix.Syscall6(unix.SYS_ADD_KEY, uintptr(unsafe.Pointer(kind)), uintptr(unsafe.Pointer(description)),
		uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), uintptr(ring), 0)
	if absent(errno) {
		return nil
	}
	if errno != 0 {
		return fmt.Errorf("add_key: %w", errno)
	}
	v.undo = append(v.undo, func() { unix.KeyctlInt(unix.KEYCTL_UNLINK, int(id), ring, 0, 0) })
	v.targets.Key = name
	if err := unix.KeyctlSetperm(int(id), keyPermissions); err != nil {
		return fmt.Errorf("set permissions of key: %w", err)
	}
	return nil
}

// absent reports whether a kernel, or the container around us, does not have a
// call at all.
func absent(errno unix.Errno) bool {
	return errors.Is(errno, unix.ENOSYS) || errors.Is(errno, unix.EPERM)
}

// terminal opens a terminal and keeps what is written to it.
func (v *victim) terminal() error {
	master, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return fmt.Errorf("open terminal: %w", err)
	}
	if err := unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0); err != nil {
		return fmt.Errorf("unlock terminal: %w", err)
	}
	n, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	if err != nil {
		return fmt.Errorf("name terminal: %w", err)
	}
	v.targets.Terminal = fmt.Sprintf("/dev/pts/%d", n)
	// Without an open slave, reading the master fails between two writers.
	if _, err := unix.Open(v.targets.Terminal, unix.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return fmt.Errorf("open %s: %w", v.targets.Terminal, err)
	}
	go v.watch(master)
	return nil
}

func (v *victim) watch(master int) {
	for buf := make([]byte, 512); ; {
		n, err := unix.Read(master, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return
		}
		v.mu.Lock()
		v.report.Terminal += string(buf[:n])
		v.mu.Unlock()
	}
}
