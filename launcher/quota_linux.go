package launcher

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// quota is a limit of /proc/sys/user for the sandbox's user namespace.
//
// What is counted there is counted in every namespace above as well, against the
// human's own limit: a program that takes all inotify instances would leave none
// for the human's editor. The limit of the namespace is reached first, if it is
// lower. Some limits have no such counter and are shared for good: pages in pipes
// (fs.pipe-user-pages-soft), descriptors on their way through sockets
// (RLIMIT_NOFILE, unix(7)) and epoll watches (fs.epoll.max_user_watches).
type quota struct {
	Name  string
	Value int
}

// halved are the counters of which a sandbox gets half of what the human has.
var halved = []string{"max_inotify_instances", "max_inotify_watches"}

// quotas is no user namespace at all, as a twin of the seccomp filter, and half of
// what is shared with the human.
func quotas() ([]quota, error) {
	qs := []quota{{"max_user_namespaces", 0}}
	for _, name := range halved {
		text, err := os.ReadFile("/proc/sys/user/" + name)
		if err != nil {
			return nil, fmt.Errorf("read limit: %w", err)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, fmt.Errorf("read limit %s: %w", name, err)
		}
		qs = append(qs, quota{name, n / 2})
	}
	return qs, nil
}

// setQuotas lowers the limits. The outside's are others.
func (s *sandbox) setQuotas() error {
	for _, q := range s.order.Quotas {
		if err := setQuota(s.proc, q); err != nil {
			return fmt.Errorf("set %s to %d: %w", q.Name, q.Value, err)
		}
	}
	return nil
}

func setQuota(proc int, q quota) error {
	fd, err := unix.Openat(proc, "sys/user/"+q.Name, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(strconv.Itoa(q.Value)))
	return err
}
