package launcher

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mountTable is the mounts of the sandbox: mount ID to mount point inside.
type mountTable map[int]string

// readBaseline remembers the mounts before the program starts, and establishes
// that each mount of the plan is among them.
func (r *running) readBaseline() (err error) {
	if r.mounts < 0 {
		return fmt.Errorf("no mount table was passed out")
	}
	if r.baseline, err = readMounts(r.mounts); err != nil {
		return err
	}
	there := map[string]bool{}
	for _, target := range r.baseline {
		there[target] = true
	}
	for _, m := range r.plan.Mounts {
		if isMount(m) && !there[m.Target] {
			return &LostMountError{Target: m.Target, At: m.At}
		}
	}
	return nil
}

// isMount says whether an operation always leaves a mount.
func isMount(m Mount) bool {
	return m.Op != OpDir && m.Op != OpFile && m.Op != OpSymlink
}

// watch tells when a mount is lost. Nothing inside can take one off, so every
// mount that goes was detached by a rename or a removal outside.
//
// poll(2) on a mountinfo file answers POLLPRI at each change of its namespace
// (proc_pid_mountinfo(5)).
func (r *running) watch() <-chan error {
	lost := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := r.waitForLoss(); err != nil {
			lost <- err
		}
	}()
	r.closers = append(r.closers, func() { r.streams.stopCopying(); <-done })
	return lost
}

// waitForLoss returns nil when the copying is to end.
func (r *running) waitForLoss() error {
	if r.outside.without.leaveOut(layerOutsideEyes) {
		return nil
	}
	for ready(r.mounts, unix.POLLPRI, r.streams.halt[0]) {
		if err := r.lost(); err != nil {
			return err
		}
	}
	return nil
}

// lost compares the mounts with those that there were.
func (r *running) lost() error {
	now, err := readMounts(r.mounts)
	if err != nil {
		return err
	}
	if target, ok := r.baseline.lost(now); ok {
		return &LostMountError{Target: target, At: r.asked(target)}
	}
	return nil
}

// lost is where one of the mounts was that are there no more.
func (t mountTable) lost(now mountTable) (target string, ok bool) {
	for id, target := range t {
		if _, ok := now[id]; !ok {
			return target, true
		}
	}
	return "", false
}

// asked is the line that asked for the mount on target.
func (r *running) asked(target string) string {
	for _, m := range r.plan.Mounts {
		if m.Target == target {
			return m.At
		}
	}
	return ""
}

// readMounts reads a mountinfo file from its start.
func readMounts(fd int) (mountTable, error) {
	var text []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Pread(fd, buf, int64(len(text)))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read mount table: %w", err)
		}
		if n == 0 {
			return parseMounts(string(text))
		}
		text = append(text, buf[:n]...)
	}
}

// parseMounts reads the first and fifth field of each line; space, tab, newline
// and backslash are written in octal.
func parseMounts(text string) (mountTable, error) {
	t := mountTable{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			return nil, fmt.Errorf("read mount table: short line %q", line)
		}
		id, err := strconv.Atoi(fields[0])
		if err != nil {
			return nil, fmt.Errorf("read mount table: %w", err)
		}
		t[id] = unescapeOctal.Replace(fields[4])
	}
	return t, nil
}

var unescapeOctal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`, `\043`, "#")
