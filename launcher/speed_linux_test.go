package launcher

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkLaunch starts true in turns: by itself, in this sandbox and in a
// bubblewrap sandbox with the same mounts and no Landlock, seccomp or self-test.
// It reports the medians' ratios, since absolute times say more of the machine.
//
// The launcher here is the test binary, and reads its plan from a file.
func BenchmarkLaunch(b *testing.B) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		b.Skip("bwrap is not here to be compared with")
	}
	tr := newTrial(b, "true")
	args := []string{"--unshare-all", "--die-with-parent", "--clearenv"}
	for _, m := range tr.Mounts {
		args = append(args, bwrapArguments(m)...)
	}
	args = append(args, "true")
	ours := tr.launcherCommand()
	commands := map[string][]string{"true": {"/usr/bin/true"}, "bwrap": append([]string{bwrap}, args...), "ours": ours.Args}
	times := map[string][]time.Duration{}
	for b.Loop() {
		for name, argv := range commands {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, nil, os.Stderr
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			times[name] = append(times[name], time.Since(start))
		}
	}
	median := map[string]float64{}
	for name, d := range times {
		slices.Sort(d)
		median[name] = float64(d[len(d)/2])
	}
	b.ReportMetric(median["ours"]/median["bwrap"], "ours/bwrap")
	b.ReportMetric(median["ours"]/median["true"], "ours/true")
	b.ReportMetric(median["ours"]/1e6, "ms")
}

func bwrapArguments(m Mount) []string {
	switch m.Op {
	case OpBind:
		if m.Device {
			return []string{"--dev-bind", m.Source, m.Target}
		}
		if m.ReadOnly {
			return []string{"--ro-bind", m.Source, m.Target}
		}
		return []string{"--bind", m.Source, m.Target}
	case OpSymlink:
		return []string{"--symlink", m.Source, m.Target}
	case OpTmpfs:
		return []string{"--tmpfs", m.Target}
	case OpProc:
		return []string{"--proc", m.Target}
	case OpDir, OpDevpts:
		return []string{"--dir", m.Target}
	case OpFile:
		return []string{"--ro-bind", filepath.Join("/etc/hostname"), m.Target}
	}
	return nil
}
