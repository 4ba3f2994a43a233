package launcher

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestChecksFail breaks one layer of a plan each time. The program must not
// start, and the check's name must be told.
func TestChecksFail(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*trial)
		step  string
		words string
	}{
		{"a rule for the canary", func(tr *trial) {
			tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/canary", AccessReadFile})
		}, "check unlisted-file", "landlock is not in force"},
		{"no canary", func(tr *trial) { tr.Checks[0].Path = "/nowhere" }, "check unlisted-file", "proves nothing"},
		{"a writable tree", func(tr *trial) { tr.Checks[1].Path = insideHome }, "check read-only", "not on a read-only mount"},
		{"no tree", func(tr *trial) { tr.Checks[1].Path = "/nowhere" }, "check read-only", "no such file"},
		{"a rule for the root", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/", AccessRead}) }, "landlock", "the root"},
		{"a rule for a link", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/bin", AccessRead}) }, "landlock", "link"},
		{"a rule through a link", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/bin/sh", AccessRead}) }, "landlock", "symbolic"},
		{"a rule for nothing", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/nowhere", AccessRead}) }, "landlock", "no such file"},
		{"rights of a directory for a file", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/canary", AccessRead}) }, "landlock", "directory"},
		{"rights of a file for a directory", func(tr *trial) { tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/usr", AccessEdit}) }, "landlock", "directory"},
		{"unknown access", func(tr *trial) { tr.Landlock.Rules[0].Access = "all" }, "landlock", "unknown access"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTrial(t, "sh", "-c", "echo it runs")
			tt.spoil(tr)
			tr.setupError(tt.step, tt.words)
			if o := tr.run(""); o.stdout != "" {
				t.Errorf("the program started: %q", o.stdout)
			}
		})
	}
}

// TestTrialsOutside shows that the checks can fail: in this process, which is
// under no restriction, they must. What pid 1 of the host shows is its own
// affair, and this process has no descriptor too many.
func TestTrialsOutside(t *testing.T) {
	for name, path := range map[string]string{
		"unlisted-file": "/dev/null", "read-only": t.TempDir(), "socket-family": "", "user-namespace": "",
		"no-new-privs": "", "seccomp": "", "capabilities": "",
	} {
		if err := trials[name](path); err == nil {
			t.Errorf("%s passes without a sandbox", name)
		}
	}
}

func TestDescriptorLeftOpen(t *testing.T) {
	fd, err := unix.Dup(0) // without close-on-exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := tryDescriptors(""); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("descriptor %d ", fd)) {
		t.Errorf("error %v", err)
	}
}
