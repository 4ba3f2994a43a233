package suite

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// snapshot describes all that an attack could have changed outside: every file
// of the human's, with its contents, and the human's process.
func (w *World) snapshot(t testing.TB) map[string]string {
	t.Helper()
	state := map[string]string{}
	err := filepath.WalkDir(w.Home, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && e.IsDir() {
			return fs.SkipDir // its own mode is in the snapshot already
		}
		if err != nil || w.theAgents(path) {
			return err
		}
		state[path], err = describe(path)
		return err
	})
	if err != nil {
		t.Fatalf("describe %s: %v", w.Home, err)
	}
	if err := w.describeVictim(state); err != nil {
		t.Fatal(err)
	}
	return state
}

// changes lists what differs between two snapshots.
func changes(before, after map[string]string) string {
	keys := map[string]bool{}
	for _, state := range []map[string]string{before, after} {
		for key := range state {
			keys[key] = true
		}
	}
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if before[key] != after[key] {
			fmt.Fprintf(&text, "%s\n\twas %s\n\tis  %s\n", key, cmp.Or(before[key], "absent"), cmp.Or(after[key], "absent"))
		}
	}
	return text.String()
}

// theAgents reports whether path is in the project and the agent may do with it
// what it likes.
func (w *World) theAgents(path string) bool {
	return path == w.Calls || path == w.Project+"/planted" || strings.HasPrefix(path, w.Project+"/planted/")
}

// describe returns all of a file but the time of its last reading, and of a
// directory its mode and owner: what lies in it has entries of its own.
func describe(path string) (string, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return "", err
	}
	text := fmt.Sprintf("%o uid %d", st.Mode, st.Uid)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		content, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
		text += fmt.Sprintf(" links %d at %d.%09d %x", st.Nlink, st.Mtim.Sec, st.Mtim.Nsec, sha256.Sum256(content))
	case unix.S_IFLNK:
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		text += " to " + to
	}
	attributes := make([]byte, 4096)
	n, err := unix.Llistxattr(path, attributes)
	if err != nil && !errors.Is(err, unix.ENOTSUP) {
		return "", err
	}
	return text + fmt.Sprintf(" %q", attributes[:max(n, 0)]), nil
}

// describeVictim adds what the victim has met, and what the kernel says of it.
func (w *World) describeVictim(state map[string]string) error {
	var report catalogue.Report
	if err := w.victim.ask("report", &report); err != nil {
		return err
	}
	state["met"] = fmt.Sprintf("%+v", report)
	nice, err := unix.Getpriority(unix.PRIO_PROCESS, w.Victim)
	if err != nil {
		return err
	}
	var cpus unix.CPUSet
	if err := unix.SchedGetaffinity(w.Victim, &cpus); err != nil {
		return err
	}
	const whoProcess = 1 // IOPRIO_WHO_PROCESS of linux/ioprio.h
	ioprio, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, whoProcess, uintptr(w.Victim), 0)
	if errno != 0 {
		return errno
	}
	state["scheduling"] = fmt.Sprintf("nice %d, %d processors, io priority %d", nice, cpus.Count(), ioprio)
	for _, name := range []string{"limits", "oom_score_adj"} {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", w.Victim, name))
		if err != nil {
			return err
		}
		state[name] = string(content)
	}
	return nil
}
