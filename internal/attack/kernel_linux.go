package main

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// passed is the outcome of a call that must not be let through at all.
func passed(errno unix.Errno) (string, error) {
	if errno != 0 {
		return "", errno
	}
	return "let through", nil
}

func userFault(catalogue.Targets) (string, error) {
	const userModeOnly = 1 // UFFD_USER_MODE_ONLY: what an ordinary user may ask for
	_, _, errno := unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|userModeOnly, 0, 0)
	return passed(errno)
}

func perfEvent(catalogue.Targets) (string, error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	_, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
	return did("let through", err)
}

func loadBPF(catalogue.Targets) (string, error) {
	// An array map: type 2, key and value of 4 bytes, one entry.
	attr := [4]uint32{2, 4, 4, 1}
	_, _, errno := unix.Syscall(unix.SYS_BPF, unix.BPF_MAP_CREATE, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
	return passed(errno)
}

func setPersonality(catalogue.Targets) (string, error) {
	const readImpliesExec = 0x0400000
	_, _, errno := unix.Syscall(unix.SYS_PERSONALITY, readImpliesExec, 0, 0)
	return passed(errno)
}

func fanotify(catalogue.Targets) (string, error) {
	// FAN_REPORT_FID is what an ordinary user may ask for since Linux 5.13.
	_, err := unix.FanotifyInit(unix.FAN_CLASS_NOTIF|unix.FAN_REPORT_FID, unix.O_RDONLY)
	return did("let through", err)
}

func kernelLog(catalogue.Targets) (string, error) {
	buf := make([]byte, 4096)
	_, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, buf)
	return did("read", err)
}

func writeCorePattern(catalogue.Targets) (string, error) {
	return did("written", write("/proc/sys/kernel/core_pattern", 0))
}

func writeSys(catalogue.Targets) (string, error) {
	return did("written", write("/sys/kernel/uevent_helper", 0))
}

func overwriteInit(catalogue.Targets) (string, error) {
	return did("written", write("/proc/1/exe", 0))
}

// readInit reads what the first process of the sandbox knows: its environment
// is that of the launcher.
func readInit(catalogue.Targets) (string, error) {
	for _, name := range []string{"/proc/1/mem", "/proc/1/environ"} {
		fd, err := unix.Open(name, unix.O_RDONLY, 0)
		if err != nil {
			return "", err
		}
		unix.Close(fd)
	}
	return "opened", nil
}

func writeTerminal(t catalogue.Targets) (string, error) {
	return did("written", write(t.Terminal, unix.O_NOCTTY))
}
