package launcher

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
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
	t       testing.TB
	home    string // the host's side of /home/agent
	without layers // what is left out
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
	for _, d := range []string{"/dev/null", "/dev/tty", "/dev/zero", "/dev/urandom"} {
		tr.Mounts = append(tr.Mounts, Mount{Op: OpBind, Source: d, Target: d, Device: true, Identity: identity(tr.t, d)})
		tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{d, AccessDevice})
	}
	tr.add(Mount{Op: OpTmpfs, Target: "/dev/shm", Mode: 0o1777, Size: 1 << 20}, AccessWrite)
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

// run gives the program stdin on a pipe and collects the rest.
func (tr *trial) run(stdin string) outcome {
	tr.t.Helper()
	s := tr.start()
	s.say(stdin)
	return s.wait()
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

// session is a run that the test talks with.
type session struct {
	t       testing.TB
	outside Outside
	cancel  context.CancelFunc
	stdin   *os.File
	stdout  *output
	stderr  *output
	result  outcome
	done    chan struct{}
}

// sessionTime ends a session that hangs.
const sessionTime = time.Minute

func (tr *trial) start(serve ...func(context.Context, []Route, []net.Listener)) *session {
	tr.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sessionTime)
	in, stdin := pipe(tr.t)
	s := &session{t: tr.t, cancel: cancel, stdin: stdin, stdout: newOutput(tr.t), stderr: newOutput(tr.t), done: make(chan struct{})}
	s.outside.without = tr.without
	s.outside.Event = func(e Event) { s.result.events = append(s.result.events, e) }
	if len(serve) > 0 {
		s.outside.Serve = serve[0]
	}
	go func() {
		defer close(s.done)
		s.result.status, s.result.err = Run(ctx, tr.Plan, Stdio{in, s.stdout.w, s.stderr.w}, s.outside)
		in.Close()
		s.stdout.w.Close()
		s.stderr.w.Close()
	}()
	return s
}

func (s *session) say(text string) {
	s.t.Helper()
	if _, err := s.stdin.WriteString(text); err != nil && !errors.Is(err, unix.EPIPE) {
		s.t.Fatal(err)
	}
}

// expect waits until standard output is text, or differs from it.
func (s *session) expect(text string) {
	s.t.Helper()
	if got := s.stdout.until(func(got string) bool { return len(got) >= len(text) || !strings.HasPrefix(text, got) }); got != text {
		s.stdin.Close()
		s.t.Errorf("standard output %q, want %q; standard error %q", got, text, s.stderr.text())
	}
}

// wait closes standard input and waits for the end.
func (s *session) wait() outcome {
	s.t.Helper()
	defer s.cancel()
	s.stdin.Close()
	<-s.done
	s.result.stdout, s.result.stderr = s.stdout.all(), s.stderr.all()
	var setup *SetupError
	if errors.As(s.result.err, &setup) && setup.Step == "namespaces" {
		require.Have(s.t, "userns", setup)
	}
	return s.result
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// output collects what is written to w.
type output struct {
	w     *os.File
	mu    sync.Mutex
	grown *sync.Cond
	buf   bytes.Buffer
	ended bool
}

func newOutput(t testing.TB) *output {
	t.Helper()
	r, w := pipe(t)
	o := newOutputOf(r)
	o.w = w
	return o
}

func newOutputOf(r *os.File) *output {
	o := &output{}
	o.grown = sync.NewCond(&o.mu)
	go o.read(r)
	return o
}

// end gives up waiting.
func (o *output) end() {
	o.mu.Lock()
	o.ended = true
	o.mu.Unlock()
	o.grown.Broadcast()
}

func (o *output) read(r *os.File) {
	defer r.Close()
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		o.mu.Lock()
		o.buf.Write(buf[:n])
		o.ended = o.ended || err != nil
		o.mu.Unlock()
		o.grown.Broadcast()
		if err != nil {
			return
		}
	}
}

// until waits until enough says so or nothing more comes.
func (o *output) until(enough func(string) bool) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	for !o.ended && !enough(o.buf.String()) {
		o.grown.Wait()
	}
	return o.buf.String()
}

func (o *output) all() string  { return o.until(func(string) bool { return false }) }
func (o *output) text() string { return o.until(func(string) bool { return true }) }
