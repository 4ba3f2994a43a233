package launcher

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// launcherCommand is a process of its own that runs the plan.
func (tr *trial) launcherCommand() *exec.Cmd {
	tr.t.Helper()
	data, err := json.Marshal(tr.Plan)
	if err != nil {
		tr.t.Fatal(err)
	}
	file := filepath.Join(tr.t.TempDir(), "plan.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		tr.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		tr.t.Fatal(err)
	}
	args := []string{launchWord, file}
	for _, l := range tr.without {
		args = append(args, string(l))
	}
	return exec.Command(self, args...)
}

// descendantPIDs are every process below pid, those nearer to it first.
func descendantPIDs(t *testing.T, pid int) []int {
	t.Helper()
	parents := map[int][]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stats {
		text, err := os.ReadFile(s)
		if err != nil {
			continue // it has ended
		}
		child, _ := strconv.Atoi(strings.Split(s, "/")[2])
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		parents[parent] = append(parents[parent], child)
	}
	below := parents[pid]
	for i := 0; i < len(below); i++ {
		below = append(below, parents[below[i]]...)
	}
	return below
}

// descendants are pidfds of them, by asking the kernel.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	var fds []int
	for _, p := range descendantPIDs(t, pid) {
		fd, err := unix.PidfdOpen(p, 0)
		if err != nil {
			t.Fatalf("open process %d: %v", p, err)
		}
		fds = append(fds, fd)
	}
	return fds
}

// allEnd waits until the processes have ended.
func allEnd(t *testing.T, pidfds []int) {
	t.Helper()
	for _, fd := range pidfds {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 20000)
		if err != nil && err != unix.EINTR || n == 0 {
			t.Errorf("a process of the sandbox is still there (%v)", err)
		}
		unix.Close(fd)
	}
}

// family starts children that would outlive a careless launcher.
const family = `setsid sleep 1000 & (trap "" HUP TERM INT; sleep 1001) & setsid setsid sleep 1002 & echo up; `

func TestKilledLauncherLeavesNothing(t *testing.T) {
	tr := newTrial(t, "sh", "-c", family+"sleep 1003")
	cmd := tr.launcherCommand()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	below := descendants(t, cmd.Process.Pid)
	if len(below) < 4 {
		t.Errorf("only %d processes to look after", len(below))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	allEnd(t, below)
}

func TestEndOfProgramEndsAll(t *testing.T) {
	tr := newTrial(t, "sh", "-c", family+"read go; exit 7")
	cmd := tr.launcherCommand()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	below := descendants(t, cmd.Process.Pid)
	fmt.Fprintln(in, "go")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("status %v", err)
	}
	allEnd(t, below)
}

func TestSignalsReachTheProgram(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2} {
		t.Run(unix.SignalName(sig), func(t *testing.T) {
			name := strings.TrimPrefix(unix.SignalName(sig), "SIG")
			tr := newTrial(t, "sh", "-c", fmt.Sprintf("trap 'echo got; exit 9' %s; echo up; read go", name))
			cmd := tr.launcherCommand()
			if _, err := cmd.StdinPipe(); err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 16)
			if _, err := out.Read(b[:3]); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			n, _ := out.Read(b)
			_ = cmd.Wait()
			if diff := cmp.Diff("got\n", string(b[:n])); diff != "" || cmd.ProcessState.ExitCode() != 9 {
				t.Errorf("status %d, printed %q", cmd.ProcessState.ExitCode(), b[:n])
			}
		})
	}
}

func TestNohupIsKept(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "echo up; read go; exit 5")
	cmd := tr.launcherCommand()
	cmd = exec.Command("nohup", cmd.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, "go")
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 5 {
		t.Errorf("status %d", cmd.ProcessState.ExitCode())
	}
}

// TestStageByHand: without orders a stage does nothing to the machine.
func TestStageByHand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []string{stageInit, stageExec} {
		out, err := exec.Command(self, stage).CombinedOutput()
		if code := err.(*exec.ExitError).ExitCode(); code != 125 || !strings.Contains(string(out), "cannot be run by itself") {
			t.Errorf("%s: status %d, %s", stage, code, out)
		}
	}
}

func TestDescriptors(t *testing.T) {
	tr := newTrial(t, "/probe", "descriptors")
	cmd := tr.launcherCommand()
	secret, err := os.Open("/etc/passwd")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.Open("/")
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{secret, dir, secret, secret}
	cmd.Stdin, cmd.Stderr = strings.NewReader(""), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		number, to, _ := strings.Cut(line, " ")
		switch {
		case number < "3" && len(number) == 1 && strings.HasPrefix(to, "pipe:"):
		case strings.HasPrefix(to, "anon_inode:"), strings.HasPrefix(to, "/proc/"):
			// the Go runtime's own, and the directory that is being read
		default:
			t.Errorf("the program has %s", line)
		}
	}
}
