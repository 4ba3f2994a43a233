package launcher

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// background is a launcher in a process group of its own, as a shell with job
// control starts it.
type background struct {
	t      *testing.T
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr strings.Builder
}

func (tr *trial) background(t *testing.T) *background {
	t.Helper()
	b := &background{t: t, cmd: tr.launcherCommand()}
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	b.cmd.Stderr = &b.stderr
	out, err := b.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	b.out = bufio.NewReader(out)
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Kill(b.cmd.Process.Pid, unix.SIGKILL) })
	return b
}

func (b *background) line() string {
	b.t.Helper()
	l, err := b.out.ReadString('\n')
	if err != nil {
		b.t.Fatalf("%q, %v", l, err)
	}
	return strings.TrimSuffix(l, "\n")
}

// stops waits until the launcher has stopped, as its shell does.
func (b *background) stops() {
	b.t.Helper()
	var ws unix.WaitStatus
	err := ignoringInterrupts(func() error {
		_, err := unix.Wait4(b.cmd.Process.Pid, &ws, unix.WUNTRACED, nil)
		return err
	})
	if err != nil || !ws.Stopped() {
		b.t.Fatalf("it did not stop: %#x, %v", ws, err)
	}
}

// inside are the processes of the sandbox but its first.
func (b *background) inside() []int {
	b.t.Helper()
	below := descendantPIDs(b.t, b.cmd.Process.Pid)
	return below[1:]
}

// state is the state of a process, of which it is waited for that it is want.
func state(pid int, want string) string {
	var got string
	for end := time.Now().Add(20 * time.Second); got != want && time.Now().Before(end); time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return "gone"
		}
		got = string(stat[strings.LastIndexByte(string(stat), ')')+2])
	}
	return got
}

// Nothing inside runs on while the launcher is stopped, in whatever process group
// or session it is. What somebody inside had stopped stays stopped afterwards.
func TestStopStopsEverything(t *testing.T) {
	tr := newTrial(t, "sh", "-c", `sleep 1001 & sleeper=$!; setsid sleep 1002 & sleep 1003 & kill -STOP $!; stopped=$!
until test $(cut -d' ' -f3 /proc/$stopped/stat) = T; do :; done; echo up; kill -STOP $$
cut -d' ' -f3 /proc/$stopped/stat; kill -0 $sleeper && echo again`)
	b := tr.background(t)
	if got := b.line(); got != "up" {
		t.Fatalf("%q, %s", got, b.stderr.String())
	}
	b.stops()
	inside := b.inside()
	if len(inside) != 4 {
		t.Errorf("%d processes inside", len(inside))
	}
	for _, pid := range inside {
		if got := state(pid, "T"); got != "T" {
			t.Errorf("process %d is in state %s while the launcher is stopped", pid, got)
		}
	}
	if err := b.cmd.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if got := b.line() + " " + b.line(); got != "T again" {
		t.Errorf("%q", got)
	}
	if err := b.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// A mount that is lost while the launcher is stopped ends everything inside, even
// what does not stay stopped.
func TestLostMountWhileStopped(t *testing.T) {
	dir := treeOf(t, map[string]string{".env": "SECRET"})
	tr := newTrial(t, "sh", "-c", "sleep 1000 & echo up; kill -STOP $$; while :; do :; done")
	tr.bind(dir, "/project", AccessWrite)
	tr.add(Mount{Op: OpMask, Target: "/project/.env", At: "spec.hcl:3:4"}, "")
	b := tr.background(t)
	b.line()
	b.stops()
	inside := b.inside()
	for _, pid := range inside {
		state(pid, "T")
		if err := unix.Kill(pid, unix.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, map[string]string{".env.new": "SECRET"})
	if err := os.Rename(filepath.Join(dir, ".env.new"), filepath.Join(dir, ".env")); err != nil {
		t.Fatal(err)
	}
	for _, pid := range inside {
		if got := state(pid, "gone"); got != "gone" && got != "Z" {
			t.Errorf("process %d is in state %s after the loss", pid, got)
		}
	}
	if err := b.cmd.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_ = b.cmd.Wait()
	want := &LostMountError{Target: "/project/.env", At: "spec.hcl:3:4"}
	if diff := cmp.Diff(want.Error()+"\n", b.stderr.String()); diff != "" || b.cmd.ProcessState.ExitCode() != 137 {
		t.Errorf("status %d (-want +got):\n%s", b.cmd.ProcessState.ExitCode(), diff)
	}
}

// A program that ignores all signals does not outlive its being asked to end.
func TestDeafProgram(t *testing.T) {
	const script = `trap "" HUP TERM INT QUIT; echo up; while :; do sleep 1000; done`
	ends := map[string]*exec.Cmd{}
	below := map[string][]int{}
	for name, sig := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP} {
		b := newTrial(t, "sh", "-c", script).background(t)
		b.line()
		below[name], ends[name] = descendants(t, b.cmd.Process.Pid), b.cmd
		if err := b.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	tr := newTrial(t, "sh", "-c", script)
	h := tr.sitDown(t, tr.launcherCommand())
	h.sees("up\r\n")
	below["hang-up"], ends["hang-up"] = descendants(t, h.cmd.Process.Pid), h.cmd
	h.slave.Close()
	h.master.Close()
	for name, cmd := range ends {
		allEnd(t, below[name])
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != 137 {
			t.Errorf("%s: status %d", name, got)
		}
	}
}
