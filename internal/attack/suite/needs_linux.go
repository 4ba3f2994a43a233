package suite

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// met returns why a need is not met outside, or nil.
func (w *World) met(need catalogue.Need) error {
	switch need {
	case catalogue.Root:
		return there(w.Setuid)
	case catalogue.Keyring:
		return there(w.Key)
	case catalogue.Queues:
		return there(w.Queue)
	case catalogue.IPv6:
		return there(numbered(w.TCP6))
	case catalogue.MPTCP:
		return there(numbered(w.MPTCP))
	case catalogue.Userns:
		return errors.Join(
			sysctl("kernel/unprivileged_userns_clone", func(n int) bool { return n == 1 }), // Debian
			sysctl("kernel/apparmor_restrict_unprivileged_userns", func(n int) bool { return n == 0 }),
			sysctl("user/max_user_namespaces", func(n int) bool { return n > 0 }))
	case catalogue.IOUring:
		return sysctl("kernel/io_uring_disabled", func(n int) bool { return n == 0 })
	case catalogue.Perf:
		return sysctl("kernel/perf_event_paranoid", func(n int) bool { return n <= 2 })
	case catalogue.TIOCSTI:
		return sysctl("dev/tty/legacy_tiocsti", func(n int) bool { return n == 1 })
	case catalogue.FastOpen:
		return sysctl("net/ipv4/tcp_fastopen", func(n int) bool { return n&1 == 1 })
	}
	panic("suite: need " + string(need) + " has no probe")
}

func there(target string) error {
	if target == "" {
		return errors.New("this machine has none")
	}
	return nil
}

func numbered(port int) string {
	if port == 0 {
		return ""
	}
	return strconv.Itoa(port)
}

// sysctl checks a kernel setting. One that does not exist restricts nothing.
func sysctl(name string, fits func(int) bool) error {
	text, err := os.ReadFile("/proc/sys/" + name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	if !fits(n) {
		return fmt.Errorf("%s is %d", name, n)
	}
	return nil
}
