package launcher

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// trials is how each check is made. A trial does what the program could do and
// returns an error when it goes otherwise than it must. Where it must fail, the
// errno tells which layer stopped it: another one proves nothing.
var trials = map[string]func(path string) error{
	"unlisted-file":  tryUnlistedFile,
	"read-only":      tryReadOnly,
	"socket-family":  trySocketFamily,
	"user-namespace": tryUserNamespace,
	"init-environ":   tryInitEnviron,
	"descriptors":    tryDescriptors,
	"capabilities":   tryCapabilities,
	"no-new-privs":   tryNoNewPrivs,
	"seccomp":        trySeccomp,
}

// alwaysChecked needs no mention in a plan.
func alwaysChecked() []Check {
	return []Check{{Name: "capabilities"}, {Name: "no-new-privs"}, {Name: "seccomp"}, {Name: "descriptors"}}
}

func try(c Check) error {
	t, ok := trials[c.Name]
	if !ok {
		return fmt.Errorf("unknown check")
	}
	return t(c.Path)
}

// tryUnlistedFile opens a file that exists and that no rule covers.
func tryUnlistedFile(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
		return fmt.Errorf("open %s: it can be read, so landlock is not in force", path)
	}
	return mustBe(err, "open "+path, unix.EACCES)
}

// tryReadOnly holds the mount to it as well as the attempt: below a writable
// directory Landlock's rights add up, and the mount alone protects.
func tryReadOnly(path string) error {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return fmt.Errorf("look at the mount of %s: %w", path, err)
	}
	if st.Flags&unix.ST_RDONLY == 0 {
		return fmt.Errorf("%s is not on a read-only mount", path)
	}
	var is unix.Stat_t
	if err := unix.Lstat(path, &is); err != nil {
		return fmt.Errorf("look at %s: %w", path, err)
	}
	name, flags := path, unix.O_WRONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK
	if fileType(is) == unix.S_IFDIR {
		name, flags = filepath.Join(path, ".agentenv-check"), flags|unix.O_CREAT|unix.O_EXCL
	}
	fd, err := unix.Open(name, flags, 0o600)
	if err == nil {
		unix.Close(fd)
		return fmt.Errorf("open %s for writing: it works", name)
	}
	return mustBe(err, "open "+name+" for writing", unix.EROFS, unix.EACCES)
}

func trySocketFamily(string) error {
	fd, err := unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
		return fmt.Errorf("open a socket to the hypervisor: it works")
	}
	return mustBe(err, "open a socket to the hypervisor", unix.EAFNOSUPPORT)
}

// tryUserNamespace must get the filter's EPERM: without the filter it would be
// EINVAL, since this process has threads.
func tryUserNamespace(string) error {
	return mustBe(unix.Unshare(unix.CLONE_NEWUSER), "make a user namespace", unix.EPERM)
}

func tryInitEnviron(string) error {
	_, err := os.ReadFile("/proc/1/environ")
	return mustBe(err, "read /proc/1/environ", unix.EACCES)
}

// tryDescriptors holds that the program gets 0 to 2 and nothing else.
func tryDescriptors(string) error {
	const dir = "/proc/self/fd"
	names, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list descriptors: %w", err)
	}
	for _, n := range names {
		fd, err := strconv.Atoi(n.Name())
		if err != nil || fd < 3 {
			continue
		}
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err == unix.EBADF {
			continue // the one that listed the directory
		}
		if err != nil || flags&unix.FD_CLOEXEC == 0 {
			to, _ := os.Readlink(filepath.Join(dir, n.Name()))
			return fmt.Errorf("descriptor %d stays open in the program: %s", fd, to)
		}
	}
	return nil
}

// tryCapabilities reads /proc, which shows all five sets of this thread.
func tryCapabilities(string) error {
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		v, err := threadStatus(set)
		if err != nil {
			return err
		}
		if strings.Trim(v, "0") != "" {
			return fmt.Errorf("%s is %s", set, v)
		}
	}
	return nil
}

func tryNoNewPrivs(string) error {
	v, err := threadStatus("NoNewPrivs")
	if err == nil && v != "1" {
		err = fmt.Errorf("no_new_privs is %s", v)
	}
	return err
}

// trySeccomp wants mode 2, a filter.
func trySeccomp(string) error {
	v, err := threadStatus("Seccomp")
	if err == nil && v != "2" {
		err = fmt.Errorf("seccomp mode is %s", v)
	}
	return err
}

func threadStatus(key string) (string, error) {
	text, err := os.ReadFile("/proc/thread-self/status")
	if err != nil {
		return "", fmt.Errorf("read own status: %w", err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if v, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(v), nil
		}
	}
	return "", fmt.Errorf("read own status: no %s in it", key)
}

func mustBe(err error, attempt string, want ...unix.Errno) error {
	for _, e := range want {
		if errors.Is(err, e) {
			return nil
		}
	}
	if err == nil {
		return fmt.Errorf("%s: it works", attempt)
	}
	return fmt.Errorf("%s: it fails with %w, which proves nothing; it must be %w", attempt, err, want[0])
}
