package main

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

func signalVictim(t catalogue.Targets) (string, error) {
	return did("sent", unix.Kill(t.Victim, unix.SIGUSR1))
}

func signalByPidfd(t catalogue.Targets) (string, error) {
	fd, err := unix.PidfdOpen(t.Victim, 0)
	if err != nil {
		return "", err
	}
	return did("sent", unix.PidfdSendSignal(fd, unix.SIGUSR2, nil, 0))
}

// signalByOwner makes the victim the owner of a socket's signals. Where the
// kernel keeps the signal back it says nothing: the victim's count decides.
func signalByOwner(t catalogue.Targets) (string, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return "", err
	}
	if _, err := unix.FcntlInt(uintptr(pair[0]), unix.F_SETOWN, t.Victim); err != nil {
		return "", err
	}
	if _, err := unix.FcntlInt(uintptr(pair[0]), unix.F_SETFL, unix.O_ASYNC); err != nil {
		return "", err
	}
	_, err = unix.Write(pair[1], []byte("x"))
	return did("asked for", err)
}

func limitVictim(t catalogue.Targets) (string, error) {
	return did("core limited to 1", unix.Prlimit(t.Victim, unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1}, nil))
}

func scheduleVictim(t catalogue.Targets) (string, error) {
	if err := unix.Setpriority(unix.PRIO_PROCESS, t.Victim, 19); err != nil {
		return "", err
	}
	var first unix.CPUSet
	first.Set(0)
	return did("nice 19 on one processor", unix.SchedSetaffinity(t.Victim, &first))
}

func adjustOOM(t catalogue.Targets) (string, error) {
	fd, err := unix.Open(victimFile(t, "oom_score_adj"), unix.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	_, err = unix.Write(fd, []byte("1000"))
	return did("1000", err)
}

// From linux/ioprio.h: who is a process, and the idle class.
const (
	ioprioWhoProcess = 1
	ioprioIdle       = 3 << 13
)

func setIOPriority(t catalogue.Targets) (string, error) {
	if _, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, ioprioWhoProcess, uintptr(t.Victim), ioprioIdle); errno != 0 {
		return "", errno
	}
	return "idle", nil
}

// cloneUserNamespace calls clone3, which a filter can only refuse whole: its
// flags lie behind a pointer. The child leaves at once.
func cloneUserNamespace(catalogue.Targets) (string, error) {
	args := cloneArgs{flags: unix.CLONE_NEWUSER, exitSignal: uint64(unix.SIGCHLD)}
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
	if errno != 0 {
		return "", errno
	}
	if pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	_, err := unix.Wait4(int(pid), nil, 0, nil)
	return did("made", err)
}

// cloneArgs is the first version of struct clone_args in linux/sched.h.
type cloneArgs struct {
	flags, pidfd, childTID, parentTID, exitSignal, stack, stackSize, tls uint64
}

func enterNamespace(t catalogue.Targets) (string, error) {
	fd, err := unix.Open(victimFile(t, "ns/mnt"), unix.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	return did("entered", unix.Setns(fd, unix.CLONE_NEWNS))
}
