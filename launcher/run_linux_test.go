package launcher

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestStatus(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/nowhere/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		argv   []string
		status int
		errno  error // of an ExecError
	}{
		{"success", []string{"true"}, 0, nil},
		{"own status", []string{"sh", "-c", "exit 3"}, 3, nil},
		{"own status above 128", []string{"sh", "-c", "exit 200"}, 200, nil},
		{"ended by a signal", []string{"sh", "-c", "kill -TERM $$"}, 128 + 15, nil},
		{"killed", []string{"sh", "-c", "kill -KILL $$"}, 128 + 9, nil},
		{"absolute path", []string{"/usr/bin/env", "sh", "-c", "exit 4"}, 4, nil},
		{"no such name", []string{"no-such-program"}, 127, syscall.ENOENT},
		{"no such file", []string{"/usr/bin/no-such-program"}, 127, syscall.ENOENT},
		{"not executable", []string{"/etc/passwd"}, 126, syscall.EACCES},
		{"no right to execute", []string{"/tmp"}, 126, syscall.EACCES},
		{"no interpreter", []string{"/script"}, 127, syscall.ENOENT},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTrial(t, tt.argv...)
			tr.bind(canonical(t, script), "/script", AccessReadFile)
			o := tr.run("")
			if o.status != tt.status {
				t.Errorf("status %d, want %d (%v)", o.status, tt.status, o.err)
			}
			var e *ExecError
			if wantExec := tt.errno != nil; errors.As(o.err, &e) != wantExec {
				t.Errorf("error %v", o.err)
			}
			if tt.errno != nil && !errors.Is(o.err, tt.errno) {
				t.Errorf("error %v, want %v", o.err, tt.errno)
			}
		})
	}
}

func TestView(t *testing.T) {
	t.Setenv("SECRET_OF_THE_CALLER", "x")
	tr := newTrial(t, "sh", "-c", `cat; echo err >&2; pwd; id -u; hostname; echo $0 $1; env | sort; set -- /proc/[0-9]*; echo $# $1`, "first", "second")
	tr.Dir = insideHome
	tr.Env = append(tr.Env, "A=b c")
	o := tr.ok("in\n")
	want := fmt.Sprintf(`in
/home/agent
%d
inside
first second
A=b c
HOME=/home/agent
PATH=/usr/bin:/bin
PWD=/home/agent
TERM=dumb
2 /proc/1
`, os.Getuid())
	if diff := cmp.Diff(want, o.stdout); diff != "" {
		t.Errorf("inside (-want +got):\n%s", diff)
	}
	if o.stderr != "err\n" {
		t.Errorf("standard error %q", o.stderr)
	}
}

func TestRefusedPlans(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*trial)
		step  string
		words string
	}{
		{"other user", func(tr *trial) { tr.UID++ }, "plan", "user"},
		{"no program", func(tr *trial) { tr.Argv = nil }, "plan", "no program"},
		{"relative path", func(tr *trial) { tr.Path = []string{"."} }, "plan", "absolute"},
		{"a name that is no text", func(tr *trial) {
			tr.Mounts = append(tr.Mounts, Mount{Op: OpOverlay, Source: "/usr", Target: "/co", Hide: []string{"key-\xe9"}})
		}, "plan", "UTF-8"},
		{"a source that is no text", func(tr *trial) { tr.Mounts[0].Source = "/\xe9" }, "plan", "UTF-8"},
		{"an argument that is no text", func(tr *trial) { tr.Argv = append(tr.Argv, "\xff") }, "plan", "UTF-8"},
		{"a rule that is no text", func(tr *trial) { tr.Landlock.Rules[0].Path = "/\xe9" }, "plan", "UTF-8"},
		{"a check that is no text", func(tr *trial) { tr.Checks[0].Path = "/\xe9" }, "plan", "UTF-8"},
		{"other tier", func(tr *trial) { tr.Tier = "landlock" }, "plan", "tier"},
		{"low ABI", func(tr *trial) { tr.Landlock.ABI = 5 }, "plan", "ABI 6"},
		{"other ABI", func(tr *trial) { tr.Landlock.ABI += 100 }, "landlock", "ABI"},
		{"other processor", func(tr *trial) { tr.Seccomp.Arch = "s390x" }, "seccomp", "s390x"},
		{"relative target", func(tr *trial) { tr.Mounts[0].Target = "usr" }, "plan", "clean"},
		{"target with dots", func(tr *trial) { tr.Mounts[0].Target = "/a/../usr" }, "plan", "clean"},
		{"target is the root", func(tr *trial) { tr.Mounts[0].Target = "/" }, "plan", "clean"},
		{"no proc", func(tr *trial) { tr.Mounts = tr.Mounts[:1] }, "plan", "no proc"},
		{"unknown mount", func(tr *trial) { tr.Mounts[0].Op = "loop" }, "mount", `"loop"`},
		{"unknown check", func(tr *trial) { tr.Checks[0].Name = "luck" }, "check luck", "unknown"},
		{"unknown limit", func(tr *trial) { tr.Limits = []Limit{{"luck", 1}} }, "limits", "luck"},
		{"no directory", func(tr *trial) { tr.Dir = "/nowhere" }, "working directory", "/nowhere"},
		{"nobody serves", func(tr *trial) { tr.Routes = []Route{{Name: "a.example"}} }, "plan", "serves"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTrial(t, "true")
			tt.spoil(tr)
			tr.setupError(tt.step, tt.words)
		})
	}
}

func TestLimits(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "ulimit -n; ulimit -Hn; ulimit -f; ulimit -Hf; ulimit -c; ulimit -Hc; cat /proc/self/oom_score_adj")
	tr.Argv[0] = "bash"
	tr.Limits = []Limit{{"nofile", 77}, {"fsize", 4096}, {"core", 1 << 20}}
	if diff := cmp.Diff("77\n77\n4\n4\n0\n0\n500\n", tr.ok("").stdout); diff != "" {
		t.Error(diff)
	}
}

// Both limits, by the kernel's own word.
func TestLimitOfProcesses(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root's processes are not counted, and the limit is refused: see TestForkBomb")
	}
	tr := newTrial(t, "grep", "processes", "/proc/self/limits")
	tr.Limits = []Limit{{"nproc", 91}}
	if got := strings.Join(strings.Fields(tr.ok("").stdout), " "); got != "Max processes 91 91 processes" {
		t.Errorf("%q", got)
	}
}

func TestUmaskIsTheCallers(t *testing.T) {
	before := unix.Umask(0o027)
	defer unix.Umask(before)
	tr := newTrial(t, "sh", "-c", "umask; stat -c %a /tmp /canary /dev")
	if diff := cmp.Diff("0027\n1777\n644\n755\n", tr.ok("").stdout); diff != "" {
		t.Error(diff)
	}
}

func TestForkBomb(t *testing.T) {
	tr := newTrial(t, "sh", "-c", `i=0; while [ $i -lt 60 ]; do sleep 100 & i=$((i+1)); done; echo forked all`)
	tr.Limits = []Limit{{"nproc", 30}}
	if os.Getuid() == 0 {
		tr.setupError("limits", "root")
		return
	}
	if o := tr.run(""); o.status == 0 || strings.Contains(o.stdout, "forked all") {
		t.Errorf("status %d, %s", o.status, o.stdout)
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	null := open(t, os.DevNull, os.O_RDWR)
	status, err := Run(ctx, newTrial(t, "true").Plan, Stdio{null, null, null}, Outside{})
	var setup *SetupError
	if status != 0 || !errors.As(err, &setup) || !errors.Is(err, context.Canceled) {
		t.Errorf("status %d, error %v", status, err)
	}
}

func TestCancelKills(t *testing.T) {
	s := newTrial(t, "sh", "-c", "echo up; exec sleep 1000").start()
	s.expect("up\n")
	s.cancel()
	if o := s.wait(); o.status != 137 || !errors.Is(o.err, context.Canceled) {
		t.Errorf("status %d, error %v", o.status, o.err)
	}
}
