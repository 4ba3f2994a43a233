package launcher

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// freezer stops and continues everything inside at once, so that nothing runs on
// while the launcher is stopped.
//
// It keeps no process from continuing another that means to: a timer can send
// SIGCONT to a stopped process. It is guard that never sleeps.
type freezer struct {
	mu     sync.Mutex
	frozen bool
	before map[int]bool // processes that were stopped by somebody inside, and stay so
}

// freeze is called when the program has stopped.
func (z *freezer) freeze(program int) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if !z.frozen {
		z.before = map[int]bool{}
		for _, p := range processes() {
			z.before[p.pid] = p.stopped && p.pid != program
		}
	}
	z.frozen = true
	// All but pid 1 itself, and none that is being forked escapes: the kernel
	// forks nothing while a signal is pending.
	_ = unix.Kill(-1, unix.SIGSTOP)
}

// thaw continues what freeze stopped, and says whether it had.
func (z *freezer) thaw() bool {
	z.mu.Lock()
	defer z.mu.Unlock()
	if !z.frozen {
		return false
	}
	z.frozen = false
	for _, p := range processes() {
		if !z.before[p.pid] {
			_ = unix.Kill(p.pid, unix.SIGCONT) // it may have ended
		}
	}
	return true
}

type process struct {
	pid     int
	stopped bool
}

// processes are those inside but pid 1.
func processes() (ps []process) {
	names, _ := os.ReadDir("/proc") // an entry that went while it was read is no matter
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil || pid == 1 {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// The name in parentheses may hold anything; the state follows it.
		rest := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
		ps = append(ps, process{pid, strings.HasPrefix(rest, " T")})
	}
	return ps
}

// openGuard remembers the mounts for guard. The file is not the one that the
// launcher has: what one poll has seen, another of the same file does not see.
func (s *sandbox) openGuard() (err error) {
	if s.guarded, err = unix.Openat(s.proc, "self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0); err != nil {
		return fmt.Errorf("open mountinfo: %w", err)
	}
	s.mounts, err = readMounts(s.guarded)
	return err
}

// guard kills everything inside when a mount is lost, as the launcher does: the
// launcher may be stopped. It leaves to the launcher to say what was lost.
func (s *sandbox) guard() {
	for ready(s.guarded, unix.POLLPRI, -1) {
		now, err := readMounts(s.guarded)
		if err != nil {
			break
		}
		if _, ok := s.mounts.lost(now); ok {
			break
		}
	}
	_ = unix.Kill(-1, unix.SIGKILL) // and pid 1 ends, since the program has
}
