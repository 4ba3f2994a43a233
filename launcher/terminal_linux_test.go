package launcher

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// human is a terminal with somebody in front of it, and a launcher on it.
type human struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	cmd    *exec.Cmd
	screen *output
}

// sitDown starts the launcher as a shell does: leader of a session (or, with a
// shell around it, a child of one) on the terminal, which is all of its standard
// files but those that cmd has already.
func (tr *trial) sitDown(t *testing.T, cmd *exec.Cmd) *human {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	slave := slaveOf(t, master)
	h := &human{t: t, master: master, slave: slave, cmd: cmd, screen: newOutputOf(master)}
	h.resize(100, 33)
	if cmd.Stdin == nil {
		cmd.Stdin = slave
	}
	if cmd.Stdout == nil {
		cmd.Stdout = slave
	}
	if cmd.Stderr == nil {
		cmd.Stderr = slave
	}
	cmd.ExtraFiles = []*os.File{slave}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return h
}

// slaveOf leaves master non-blocking, so that closing it ends a read from it.
func slaveOf(t *testing.T, master *os.File) *os.File {
	t.Helper()
	c, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	slave := -1
	if err := c.Control(func(fd uintptr) { slave, err = openSlave(int(fd)) }); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(slave), "slave")
}

func (h *human) resize(columns, rows uint16) {
	h.t.Helper()
	if err := unix.IoctlSetWinsize(int(h.slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: columns, Row: rows}); err != nil {
		h.t.Fatal(err)
	}
}

func (h *human) types(keys string) {
	h.t.Helper()
	if _, err := h.master.WriteString(keys); err != nil {
		h.t.Fatal(err)
	}
}

// sees waits until text is on the screen.
func (h *human) sees(text string) {
	h.t.Helper()
	timer := time.AfterFunc(20*time.Second, h.screen.end)
	defer timer.Stop()
	if got := h.screen.until(func(s string) bool { return strings.Contains(s, text) }); !strings.Contains(got, text) {
		h.t.Fatalf("the screen shows %q, and not %q", got[max(0, len(got)-500):], text)
	}
}

func (h *human) settings() unix.Termios {
	h.t.Helper()
	s, err := unix.IoctlGetTermios(int(h.slave.Fd()), unix.TCGETS)
	if err != nil {
		h.t.Fatal(err)
	}
	return *s
}

// leaves waits for the launcher's end and checks that the terminal is as before.
func (h *human) leaves(status int, before unix.Termios) {
	h.t.Helper()
	_ = h.cmd.Wait()
	if got := h.cmd.ProcessState.ExitCode(); got != status {
		h.t.Errorf("status %d, want %d; the screen shows %q", got, status, h.screen.text())
	}
	if now := h.settings(); now != before {
		h.t.Errorf("the terminal is %+v and was %+v", now, before)
	}
	h.slave.Close()
	h.master.Close()
}

func TestTerminal(t *testing.T) {
	tr := newTrial(t, "sh", "-c", `tty; readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2; stty size; ls /dev/pts
sleep 1000 & trap 'stty size' WINCH; trap 'echo interrupted; kill $!' INT; echo up; while kill -0 $! 2>/dev/null; do wait; done; read word; echo "read $word"; ps -o pid=,tpgid=,pgid= -p $$ | { read p t g; test $t = $g && echo foreground; }; exit 3`)
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("/dev/pts/0\r\n/dev/pts/0\r\n/dev/pts/0\r\n/dev/pts/0\r\n33 100\r\n0  ptmx\r\nup\r\n")
	if now := h.settings(); now.Lflag&unix.ICANON != 0 || now.Oflag&unix.OPOST != 0 {
		t.Error("the terminal is not raw while the program runs")
	}
	h.resize(90, 44)
	h.sees("44 90\r\n")
	h.types("\x03")
	h.sees("interrupted\r\n")
	h.types("a line\r")
	h.sees("a line\r\n") // the program's terminal echoes
	h.sees("read a line\r\nforeground\r\n")
	h.leaves(3, before)
}

// Keys that nobody read must not go to the human's shell.
func TestKeysLeftOverAreDropped(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "stty -echo; echo up; read word; sleep 0.2; exit 4")
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("up\r\n")
	h.types("word\rrm -rf important\r")
	_ = h.cmd.Wait()
	if err := unix.SetNonblock(int(h.slave.Fd()), true); err != nil {
		t.Fatal(err)
	}
	if n, err := unix.Read(int(h.slave.Fd()), make([]byte, 64)); err != unix.EAGAIN {
		t.Errorf("%d bytes are left for the shell (%v)", n, err)
	}
	_ = before
	h.slave.Close()
	h.master.Close()
}

// With standard input elsewhere the human's keys are not the program's, neither
// on descriptor 1 nor on /dev/tty.
func TestKeysOfAnotherAreNotRead(t *testing.T) {
	tr := newTrial(t, "sh", "-c", `cat; stty size < /dev/tty; echo up; (read -t 1 a <&1; echo "fd 1: $a"); (read -t 1 a </dev/tty; echo "tty: $a")`)
	tr.Argv[0] = "bash"
	cmd := tr.launcherCommand()
	cmd.Stdin = strings.NewReader("from the pipe\n")
	h := tr.sitDown(t, cmd)
	before := h.settings()
	h.sees("from the pipe\r\n33 100\r\nup\r\n")
	if now := h.settings(); now.Lflag&unix.ICANON == 0 {
		t.Error("the terminal is raw")
	}
	h.types("password\r")
	h.sees("fd 1: \r\n")
	h.sees("tty: \r\n")
	h.leaves(0, before)
}

func TestOnlyInputIsATerminal(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "read word; echo got $word; echo seen > /dev/tty")
	cmd := tr.launcherCommand()
	cmd.Stderr = os.Stderr
	r, w := pipe(t)
	cmd.Stdout = w
	h := tr.sitDown(t, cmd)
	before := h.settings()
	w.Close()
	h.types("hello\r")
	b := make([]byte, 64)
	if n, err := r.Read(b); err != nil || string(b[:n]) != "got hello\n" {
		t.Errorf("%q, %v", b[:n], err)
	}
	h.sees("seen\r\n")
	h.leaves(0, before)
}

func TestTerminalOutputIsWhole(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "seq 20000; printf '\\033]52;c;c2VjcmV0\\007'; printf last")
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("20000\r\n\x1b\\last")
	if strings.Contains(h.screen.text(), "]52") {
		t.Error("the clipboard was reached")
	}
	h.leaves(0, before)
}

// What a program leaves behind that is killed is set back.
func TestModesAreSetBack(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "printf '\\033[?1049h\\033[?1003;2004h\\033[?25l\\033]0;title'; kill -KILL $$")
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("\x1b]0;title\x1b\\\x1b[?1049l\x1b[?25h\x1b[?1003l\x1b[?2004l")
	h.leaves(137, before)
}

func TestTerminalAfterKill(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "echo up; kill -KILL $$")
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.leaves(137, before)
}

func TestTerminalAfterFailedCheck(t *testing.T) {
	tr := newTrial(t, "true")
	tr.Checks = []Check{{Name: "unlisted-file", Path: "/usr/bin/env"}}
	h := tr.sitDown(t, tr.launcherCommand())
	h.leaves(125, h.settings())
	tr = newTrial(t, "true")
	tr.Mounts = slices.DeleteFunc(tr.Mounts, func(m Mount) bool { return m.Op == OpDevpts })
	h = tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("no terminal devices")
	h.leaves(125, before)
}

func TestHangUp(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "echo up; sleep 1000")
	h := tr.sitDown(t, tr.launcherCommand())
	h.sees("up\r\n")
	below := descendants(t, h.cmd.Process.Pid)
	h.slave.Close()
	h.master.Close()
	_ = h.cmd.Wait()
	if got := h.cmd.ProcessState.ExitCode(); got != 129 {
		t.Errorf("status %d", got)
	}
	allEnd(t, below)
}

// TestStop has a real shell with job control around the launcher.
func TestStop(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "stty -echo; echo up; read a; echo again $a; stty size; exit 6")
	launcher := tr.launcherCommand()
	cmd := exec.Command("bash", "--norc", "-i")
	cmd.Env = []string{"PS1=$ ", "PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}
	h := tr.sitDown(t, cmd)
	h.sees("$ ")
	h.types(strings.Join(launcher.Args, " ") + "\r")
	h.sees("up\r\n")
	h.types("\x1a") // ^Z
	h.sees("Stopped")
	h.types("echo shell $((6*7))\r")
	h.sees("shell 42\r\n")
	h.resize(81, 22)
	h.types("fg\r")
	h.sees("fg\r\n" + strings.Join(launcher.Args, " ") + "\r\n") // the shell says what it continues
	h.types("after\r")
	h.sees("again after\r\n22 81\r\n$ ")
	h.types("echo status $((6*7)) $?\r")
	h.sees("status 42 6\r\n")
	h.types("exit\r")
	_ = h.cmd.Wait()
}

// A terminal's only program has nobody to continue it: it is not to hang.
func TestStopOrphaned(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "echo up; read a; echo again $a")
	h := tr.sitDown(t, tr.launcherCommand())
	before := h.settings()
	h.sees("up\r\n")
	h.types("\x1aafter\r")
	h.sees("again after\r\n")
	h.leaves(0, before)
}

func ExampleSetupError() {
	fmt.Println(&SetupError{Step: "mount", At: "workspace.hcl:3:10", Err: unix.ENOENT})
	// Output: workspace.hcl:3:10: set up mount: no such file or directory
}
