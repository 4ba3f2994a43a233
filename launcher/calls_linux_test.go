package launcher

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// errorName is the errno's name, "works" without one.
func errorName(err error) string {
	var e syscall.Errno
	switch {
	case err == nil:
		return "works"
	case errors.As(err, &e) && e != 0:
		return unix.ErrnoName(e)
	}
	return err.Error()
}

func raw(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, e := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); e != 0 {
		return e
	}
	return nil
}

func socket(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// calls are real system calls, with what must come of them under the filter and
// the namespaces.
var calls = []struct {
	name string
	want string
	do   func() error
}{
	{"mount", "EPERM", func() error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") }},
	{"umount", "EPERM", func() error { return unix.Unmount("/proc", unix.MNT_DETACH) }},
	{"chroot", "EPERM", func() error { return unix.Chroot("/tmp") }},
	{"open_tree", "EPERM", func() error { _, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE); return err }},
	{"fsopen", "EPERM", func() error { _, err := unix.Fsopen("tmpfs", 0); return err }},
	{"setns", "EPERM", func() error { return unix.Setns(0, 0) }},
	{"unshare", "EPERM", func() error { return unix.Unshare(unix.CLONE_NEWNET) }},
	{"unshare semaphores", "works", func() error { return unix.Unshare(unix.CLONE_SYSVSEM) }},
	{"clone3", "ENOSYS", func() error { return raw(unix.SYS_CLONE3, 0, 0) }},
	{"new user namespace", "EPERM", func() error {
		_, err := syscall.ForkExec("/probe", []string{"/probe", "open"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}})
		return err
	}},
	{"io_uring_setup", "ENOSYS", func() error { return raw(unix.SYS_IO_URING_SETUP, 1, 0) }},
	{"openat2", "ENOSYS", func() error { _, err := unix.Openat2(unix.AT_FDCWD, "/", &unix.OpenHow{}); return err }},
	{"bpf", "EPERM", func() error { return raw(unix.SYS_BPF) }},
	{"perf_event_open", "EPERM", func() error { return raw(unix.SYS_PERF_EVENT_OPEN) }},
	{"userfaultfd", "EPERM", func() error { return raw(unix.SYS_USERFAULTFD, 1) }},
	{"fanotify_init", "EPERM", func() error { return raw(unix.SYS_FANOTIFY_INIT, 0x200) }},
	{"keyctl", "EPERM", func() error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, false); return err }},
	{"name_to_handle_at", "EPERM", func() error { _, _, err := unix.NameToHandleAt(unix.AT_FDCWD, "/usr", 0); return err }},
	{"personality", "EPERM", func() error { return raw(unix.SYS_PERSONALITY, 0x0400000) }},
	{"ask personality", "works", func() error { return raw(unix.SYS_PERSONALITY, 0xffffffff) }},
	{"TIOCSTI", "EPERM", func() error { return raw(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(new(byte)))) }},
	{"TIOCSTI with high bits", "EPERM", func() error { return raw(unix.SYS_IOCTL, 0, 1<<32|unix.TIOCSTI, uintptr(unsafe.Pointer(new(byte)))) }},
	{"lease", "EPERM", func() error { return fcntlOf("file", unix.F_SETLEASE, unix.F_RDLCK) }},
	{"lease with high bits", "EPERM", func() error { return fcntlOf("file", 1<<32|unix.F_SETLEASE, unix.F_WRLCK) }},
	{"ask for leases", "works", func() error { return fcntlOf("file", unix.F_GETLEASE, 0) }},
	{"unknown call", "ENOSYS", func() error { return raw(470) }},
	{"vsock", "EAFNOSUPPORT", func() error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0) }},
	{"packet", "EAFNOSUPPORT", func() error { return socket(unix.AF_PACKET, unix.SOCK_DGRAM, 0) }},
	{"raw", "EPERM", func() error { return socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) }},
	{"MPTCP", "EPROTONOSUPPORT", func() error { return socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP) }},
	{"TCP", "works", func() error { return socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_TCP) }},
	{"UDP", "works", func() error { return socket(unix.AF_INET6, unix.SOCK_DGRAM, 0) }},
	{"unix", "works", func() error { return socket(unix.AF_UNIX, unix.SOCK_STREAM, 0) }},
	{"route netlink", "works", func() error { return socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE) }},
	{"audit netlink", "EPERM", func() error { return socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT) }},
	{"socketpair", "works", func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err }},
	{"interfaces", "works", func() error { _, err := net.Interfaces(); return err }},
	{"setuid bit", "EPERM", func() error { return unix.Fchmodat(unix.AT_FDCWD, "file", 0o4755, 0) }},
	{"setgid bit", "EPERM", func() error { return unix.Fchmodat(unix.AT_FDCWD, "file", 0o2755, 0) }},
	{"mode", "works", func() error { return unix.Fchmodat(unix.AT_FDCWD, "file", 0o755, 0) }},
	{"open setuid", "EPERM", func() error { _, err := unix.Open("other", unix.O_CREAT|unix.O_WRONLY, 0o4755); return err }},
	{"open unnamed setuid", "EPERM", func() error { _, err := unix.Open(".", unix.O_TMPFILE|unix.O_WRONLY, 0o4755); return err }},
	{"mknod setuid", "EPERM", func() error { return unix.Mknod("other", unix.S_IFREG|0o4755, 0) }},
	{"sysctl", "EROFS", func() error { return os.WriteFile("/proc/sys/kernel/core_pattern", []byte("x"), 0) }},
	{"signal pid 1", "EPERM", func() error { return unix.Kill(1, unix.SIGKILL) }},
	{"stop pid 1", "EPERM", func() error { return unix.Kill(1, unix.SIGSTOP) }},
	{"environment of pid 1", "EACCES", func() error { _, err := os.ReadFile("/proc/1/environ"); return err }},
	{"memory of pid 1", "EACCES", func() error { _, err := os.Open("/proc/1/mem"); return err }},
	{"binary of pid 1", "EACCES", func() error { _, err := os.Readlink("/proc/1/exe"); return err }},
	{"root of pid 1", "EACCES", func() error { _, err := os.ReadDir("/proc/1/root/"); return err }},
	{"write root", "EROFS", func() error { return os.Mkdir("/new", 0o700) }},
	{"write root's files", "EROFS", func() error { return os.Chmod("/canary", 0o777) }},
	{"write programs", "EROFS", func() error { return os.Chmod("/usr/bin", 0o777) }},
	{"read unlisted", "EACCES", func() error { _, err := os.ReadFile("/canary"); return err }},
	{"list unlisted", "EACCES", func() error { _, err := os.ReadDir("/home"); return err }},
	{"scratch directory of the stages", "ENOENT", func() error { _, err := os.Lstat("/" + scratchName); return err }},
	{"more user namespaces", "works", func() error { return fileIs("/proc/sys/user/max_user_namespaces", "0\n") }},
	{"owner of pid 1", "works", initIsUndumpable},
	{"capabilities of pid 1", "works", initHasNone},
	{"scratch", "works", func() error { return os.WriteFile("/tmp/x", []byte("x"), 0o600) }},
	{"fill scratch", "ENOSPC", func() error { return os.WriteFile("/tmp/big", make([]byte, 65<<20), 0o600) }},
	{"truncate null", "works", func() error { return os.WriteFile("/dev/null", []byte("x"), 0o600) }},
	{"rename across directories", "works", func() error {
		return errors.Join(os.MkdirAll("a/b", 0o700), os.MkdirAll("c", 0o700), os.Rename("a/b", "c/b"))
	}},
}

func fcntlOf(path string, command, argument uintptr) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return raw(unix.SYS_FCNTL, f.Fd(), command, argument)
}

func fileIs(path, want string) error {
	got, err := os.ReadFile(path)
	if err == nil && string(got) != want {
		err = fmt.Errorf("%s has %q", path, got)
	}
	return err
}

// initIsUndumpable looks who the kernel gives the files of pid 1 to: root, whom
// this user namespace does not have, and not the user that it runs as
// (proc_pid_environ(5) and PR_SET_DUMPABLE). For root itself there is no telling.
func initIsUndumpable() error {
	const overflow = 65534
	var st unix.Stat_t
	if err := unix.Stat("/proc/1/environ", &st); err != nil || os.Getuid() == 0 {
		return err
	}
	if st.Uid != overflow {
		return fmt.Errorf("they are of user %d", st.Uid)
	}
	return nil
}

// probeWatchers takes all inotify instances that it can get, says how many, and
// keeps them until its input ends.
func probeWatchers([]string) error {
	n := 0
	for ; n < 100_000; n++ {
		if _, err := unix.InotifyInit1(unix.IN_CLOEXEC); err != nil {
			break
		}
	}
	fmt.Println(n)
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// TestWatchersAreLeft: the program cannot take all that the human has.
func TestWatchersAreLeft(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/user/max_inotify_instances")
	if err != nil {
		t.Fatal(err)
	}
	limit, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	s := newTrial(t, "/probe", "watchers").start()
	got := s.stdout.until(func(text string) bool { return strings.HasSuffix(text, "\n") })
	if n, err := strconv.Atoi(strings.TrimSpace(got)); err != nil || n < 1 || n > limit/2 {
		t.Errorf("it has %q of %d", got, limit)
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		t.Errorf("none is left outside: %v", err)
	}
	unix.Close(fd)
	if o := s.wait(); o.err != nil || o.status != 0 {
		t.Errorf("status %d, error %v", o.status, o.err)
	}
}

// initHasNone looks at the capabilities of every thread of pid 1.
func initHasNone() error {
	threads, err := filepath.Glob("/proc/1/task/*/status")
	if err != nil || len(threads) < 2 {
		return fmt.Errorf("%d threads, %v", len(threads), err)
	}
	for _, s := range threads {
		text, err := os.ReadFile(s)
		if err != nil {
			return err
		}
		for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
			if !strings.Contains(string(text), set+":\t0000000000000000\n") {
				return fmt.Errorf("%s: %s", s, text)
			}
		}
	}
	return nil
}

func probeCall([]string) error {
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		return err
	}
	for _, c := range calls {
		fmt.Printf("%s: %s\n", c.name, errorName(c.do()))
	}
	return nil
}

func TestCalls(t *testing.T) {
	tr := newTrial(t, "/probe", "call")
	tr.Dir = insideHome
	var want strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&want, "%s: %s\n", c.name, c.want)
	}
	if diff := cmp.Diff(want.String(), tr.ok("").stdout); diff != "" {
		t.Errorf("inside (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(tr.home + "/other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a setuid file was made: %v", err)
	}
}

func TestProcTellsNothingOfTheHost(t *testing.T) {
	tr := newTrial(t, "sh", "-c", `cd /proc; for f in cmdline kallsyms keys config.gz timer_list interrupts; do test -e $f && cat $f; done; for d in acpi scsi; do test -d $d && ls -A $d; done; exit 0`)
	if o := tr.ok(""); o.stdout != "" || o.stderr != "" {
		t.Errorf("masked files of proc are not empty: %.300q %.300q", o.stdout, o.stderr)
	}
}
