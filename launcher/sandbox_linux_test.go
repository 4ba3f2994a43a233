package launcher

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/require"
)

func TestMain(m *testing.M) {
	Stage()
	probe()
	os.Exit(m.Run())
}

// identity is what is at path, for a plan made by hand.
func identity(t testing.TB, path string) Identity {
	t.Helper()
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		t.Fatalf("stat %s: %v", path, err)
	}
	return Identity{Device: st.Dev, Inode: st.Ino, Dir: st.Mode&unix.S_IFMT == unix.S_IFDIR}
}

func canonical(t testing.TB, path string) string {
	t.Helper()
	p, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// trial is a plan made by hand over the host's programs, with a private home, a
// scratch /tmp and this test binary as /probe.
type trial struct {
	*Plan
	t    testing.TB
	home string // the host's side of /home/agent
}

const insideHome = "/home/agent"

func newTrial(t testing.TB, argv ...string) *trial {
	t.Helper()
	abi, err := LandlockABI()
	require.Have(t, "landlock", err)
	p := &Plan{
		Workspace: "test", Tier: "full", Argv: argv, Path: []string{"/usr/bin", "/bin"}, Dir: "/",
		Env: []string{"HOME=" + insideHome, "PATH=/usr/bin:/bin", "TERM=dumb"},
		UID: os.Getuid(), GID: os.Getgid(), Hostname: "inside",
		Landlock: Ruleset{ABI: abi}, Seccomp: Seccomp{Arch: runtime.GOARCH},
	}
	tr := &trial{Plan: p, t: t, home: canonical(t, t.TempDir())}
	tr.system()
	tr.bind(tr.home, insideHome, AccessWrite)
	p.Checks = []Check{
		{Name: "unlisted-file", Path: "/canary"}, {Name: "read-only", Path: "/usr"}, {Name: "socket-family"},
		{Name: "user-namespace"}, {Name: "init-environ"}, {Name: "descriptors"},
	}
	return tr
}

func (tr *trial) system() {
	tr.bind("/usr", "/usr", AccessRead)
	for _, d := range []string{"/bin", "/sbin", "/lib", "/lib64"} {
		if to, err := os.Readlink(d); err == nil {
			tr.add(Mount{Op: OpSymlink, Source: to, Target: d}, "")
		} else if _, err := os.Stat(d); err == nil {
			tr.bind(d, d, AccessRead)
		}
	}
	if c, err := filepath.EvalSymlinks("/etc/ld.so.cache"); err == nil {
		tr.bind(c, "/etc/ld.so.cache", AccessReadFile)
	}
	self, err := os.Executable()
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.bind(canonical(tr.t, self), "/probe", AccessReadFile)
	tr.add(Mount{Op: OpProc, Target: "/proc"}, AccessScratch)
	tr.add(Mount{Op: OpTmpfs, Target: "/tmp", Mode: 0o1777, Size: 64 << 20}, AccessWrite)
	tr.add(Mount{Op: OpDir, Target: "/dev", Mode: 0o755}, AccessRead)
	for _, d := range []string{"/dev/null", "/dev/tty", "/dev/zero"} {
		tr.Mounts = append(tr.Mounts, Mount{Op: OpBind, Source: d, Target: d, Device: true, Identity: identity(tr.t, d)})
		tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{d, AccessDevice})
	}
	tr.add(Mount{Op: OpDevpts, Target: "/dev/pts"}, AccessTerminal)
	tr.add(Mount{Op: OpSymlink, Source: "pts/ptmx", Target: "/dev/ptmx"}, "")
	tr.add(Mount{Op: OpFile, Target: "/canary", Content: "x\n", Mode: 0o644}, "")
	tr.add(Mount{Op: OpFile, Target: "/etc/passwd", Content: "agent:x:0:0::/:/bin/sh\n", Mode: 0o644}, AccessReadFile)
}

func (tr *trial) add(m Mount, a Access) {
	tr.Mounts = append(tr.Mounts, m)
	if a != "" {
		tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{Path: m.Target, Access: a})
	}
}

// bind shows a host path; it is writable when the access is.
func (tr *trial) bind(source, target string, a Access) {
	tr.t.Helper()
	ro := !slices.Contains([]Access{AccessWrite, AccessEdit, AccessDevice}, a)
	tr.add(Mount{Op: OpBind, Source: source, Target: target, ReadOnly: ro, Identity: identity(tr.t, source), At: "spec.hcl:1:2"}, a)
}

// outcome is how a run ended and what it printed.
type outcome struct {
	status         int
	err            error
	stdout, stderr string
	events         []Event
}

func (tr *trial) run(stdin string) outcome {
	tr.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return tr.runContext(ctx, stdin)
}

// runContext connects the program with pipes.
func (tr *trial) runContext(ctx context.Context, stdin string) outcome {
	tr.t.Helper()
	var o outcome
	var stdout, stderr bytes.Buffer
	in, waitIn := feed(tr.t, stdin)
	out, waitOut := drainTo(tr.t, &stdout)
	errs, waitErr := drainTo(tr.t, &stderr)
	o.status, o.err = Run(ctx, tr.Plan, Stdio{in, out, errs}, Outside{Event: func(e Event) { o.events = append(o.events, e) }})
	in.Close()
	out.Close()
	errs.Close()
	waitIn()
	waitOut()
	waitErr()
	o.stdout, o.stderr = stdout.String(), stderr.String()
	var setup *SetupError
	if errors.As(o.err, &setup) && setup.Step == "namespaces" {
		require.Have(tr.t, "userns", setup)
	}
	return o
}

// ok runs and wants status 0.
func (tr *trial) ok(stdin string) outcome {
	tr.t.Helper()
	o := tr.run(stdin)
	if o.err != nil || o.status != 0 {
		tr.t.Fatalf("status %d, error %v\n%s%s", o.status, o.err, o.stdout, o.stderr)
	}
	return o
}

// setupError runs and wants one in this step.
func (tr *trial) setupError(step, words string) {
	tr.t.Helper()
	o := tr.run("")
	var e *SetupError
	if !errors.As(o.err, &e) || e.Step != step || !strings.Contains(e.Error(), words) {
		tr.t.Fatalf("status %d, error %v; want step %q with %q\n%s%s", o.status, o.err, step, words, o.stdout, o.stderr)
	}
}

func feed(t testing.TB, text string) (*os.File, func()) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.WriteString(text)
		w.Close()
	}()
	return r, func() { <-done }
}

func drainTo(t testing.TB, b *bytes.Buffer) (*os.File, func()) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.ReadFrom(r)
		r.Close()
	}()
	return w, func() { <-done }
}
