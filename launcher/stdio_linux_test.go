package launcher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func open(t testing.TB, path string, flags int) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func (tr *trial) runOn(in, out, err *os.File) (int, error) {
	return Run(context.Background(), tr.Plan, Stdio{in, out, err}, Outside{})
}

// A program must not get at a file again that one of its descriptors is: it
// would read a log that it was only to append to, or empty it.
func TestFilesAreRelayed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"in": "input\n", "log": "earlier\n"})
	tr := newTrial(t, "sh", "-c", `cat; echo out; echo err >&2; readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 | sed s/:.*//; cat /proc/self/fd/1 < /dev/null & sleep 0.1; kill $!; : > /proc/self/fd/1`)
	log := open(t, filepath.Join(dir, "log"), os.O_WRONLY|os.O_APPEND)
	other := open(t, filepath.Join(dir, "err"), os.O_WRONLY|os.O_CREATE)
	if status, err := tr.runOn(open(t, filepath.Join(dir, "in"), os.O_RDONLY), log, other); status != 0 || err != nil {
		t.Errorf("status %d, error %v", status, err)
	}
	for name, want := range map[string]string{"log": "earlier\ninput\nout\npipe\npipe\npipe\n", "err": "err\n"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("%s (-want +got, %v):\n%s", name, err, diff)
		}
	}
}

// With both on one file, what the program writes comes in its order.
func TestOneFileForBoth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	tr := newTrial(t, "sh", "-c", `i=0; while [ $i -lt 200 ]; do echo $i; echo $i >&2; i=$((i+1)); done`)
	f := open(t, path, os.O_WRONLY|os.O_CREATE)
	if _, err := tr.runOn(open(t, os.DevNull, os.O_RDONLY), f, f); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(got))
	if len(lines) != 400 {
		t.Fatalf("%d lines", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		if lines[i] != lines[i+1] {
			t.Fatalf("line %d is %s and the next %s", i, lines[i], lines[i+1])
		}
	}
}

func TestLargeOutputIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big")
	tr := newTrial(t, "head", "-c", "20000000", "/dev/zero")
	if status, err := tr.runOn(open(t, os.DevNull, os.O_RDONLY), open(t, path, os.O_WRONLY|os.O_CREATE), os.Stderr); status != 0 || err != nil {
		t.Fatalf("status %d, error %v", status, err)
	}
	if st, err := os.Stat(path); err != nil || st.Size() != 20000000 {
		t.Errorf("%v, error %v", st.Size(), err)
	}
}

func TestSocketAndFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	end := open(t, fifo, os.O_RDWR)
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	defer ours.Close()
	defer theirs.Close()
	if _, err := ours.WriteString("question\n"); err != nil {
		t.Fatal(err)
	}
	tr := newTrial(t, "sh", "-c", `read q; echo "answer to $q"; echo err >&2; readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 | sed s/:.*// >&2`)
	if status, err := tr.runOn(theirs, theirs, end); status != 0 || err != nil {
		t.Fatalf("status %d, error %v", status, err)
	}
	for f, want := range map[*os.File]string{ours: "answer to question\n", end: "err\npipe\npipe\npipe\n"} {
		b := make([]byte, 64)
		n, err := f.Read(b)
		if diff := cmp.Diff(want, string(b[:n])); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
}

// files are one of each kind that a shell may connect a launcher with: what is
// given to the launcher, and an end that the test keeps.
func files(t *testing.T) map[string]func() (given, kept *os.File) {
	named := func() (string, *os.File) {
		path := filepath.Join(t.TempDir(), "fifo")
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		return path, open(t, path, os.O_RDWR)
	}
	return map[string]func() (given, kept *os.File){
		"pipe to read":  func() (*os.File, *os.File) { r, w := pipe(t); return r, w },
		"pipe to write": func() (*os.File, *os.File) { r, w := pipe(t); return w, r },
		"FIFO to read": func() (*os.File, *os.File) {
			path, kept := named()
			return open(t, path, os.O_RDONLY), kept
		},
		"FIFO to write": func() (*os.File, *os.File) {
			path, kept := named()
			return open(t, path, os.O_WRONLY), kept
		},
		"socket": func() (*os.File, *os.File) {
			fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			return os.NewFile(uintptr(fds[0]), "given"), os.NewFile(uintptr(fds[1]), "kept")
		},
		"file": func() (*os.File, *os.File) {
			path := filepath.Join(t.TempDir(), "file")
			kept := open(t, path, os.O_RDWR|os.O_CREATE)
			return open(t, path, os.O_RDWR), kept
		},
		"directory": func() (*os.File, *os.File) { return open(t, t.TempDir(), os.O_RDONLY), nil },
		"device":    func() (*os.File, *os.File) { return open(t, "/dev/zero", os.O_RDWR), nil },
	}
}

// probeIdentity writes down what its descriptors 0 to 2 are.
func probeIdentity([]string) error {
	var text string
	for fd := range 3 {
		var st unix.Stat_t
		if err := unix.Fstat(fd, &st); err != nil {
			return err
		}
		text += fmt.Sprintf("%d:%d\n", st.Dev, st.Ino)
	}
	return os.WriteFile("identity", []byte(text), 0o600)
}

// Whatever file a descriptor of the launcher is, the program has another.
func TestNoFileIsPassed(t *testing.T) {
	for name, make := range files(t) {
		for fd := range 3 {
			t.Run(fmt.Sprintf("%s as %d", name, fd), func(t *testing.T) {
				given, kept := make()
				defer given.Close()
				if kept != nil {
					defer kept.Close()
				}
				tr := newTrial(t, "/probe", "identity")
				tr.Dir = insideHome
				null := open(t, os.DevNull, os.O_RDWR)
				stdio := [3]*os.File{null, null, null}
				stdio[fd] = given
				if status, err := tr.runOn(stdio[0], stdio[1], stdio[2]); status != 0 || err != nil {
					t.Fatalf("status %d, error %v", status, err)
				}
				text, err := os.ReadFile(filepath.Join(tr.home, "identity"))
				if err != nil {
					t.Fatal(err)
				}
				var st unix.Stat_t
				if err := unix.Fstat(int(given.Fd()), &st); err != nil {
					t.Fatal(err)
				}
				if got := strings.Fields(string(text))[fd]; got == fmt.Sprintf("%d:%d", st.Dev, st.Ino) {
					t.Errorf("the program has the launcher's own file, %s", got)
				}
			})
		}
	}
}

// TestPipesLeadNowhere tries through each descriptor to write to what the human
// reads from next, and to read what the human writes.
func TestPipesLeadNowhere(t *testing.T) {
	for _, name := range []string{"pipe to read", "FIFO to read", "pipe to write", "FIFO to write"} {
		t.Run(name, func(t *testing.T) {
			given, kept := files(t)[name]()
			tr := newTrial(t, "/probe", "meddle")
			reader, stdio := given, [3]*os.File{given, open(t, os.DevNull, os.O_RDWR), open(t, os.DevNull, os.O_RDWR)}
			if strings.HasSuffix(name, "write") {
				reader, stdio = kept, [3]*os.File{stdio[1], given, given}
			}
			if status, err := tr.runOn(stdio[0], stdio[1], stdio[2]); status != 0 || err != nil {
				t.Fatalf("status %d, error %v", status, err)
			}
			want := ""
			if reader == kept { // what is written to standard output is what it prints
				want = meddled + meddled
			}
			got := make([]byte, 256)
			fd := int(reader.Fd()) // which makes it block
			if err := unix.SetNonblock(fd, true); err != nil {
				t.Fatal(err)
			}
			n, _ := unix.Read(fd, got)
			if diff := cmp.Diff(want, string(got[:max(n, 0)])); diff != "" {
				t.Errorf("who reads next gets (-want +got):\n%s", diff)
			}
		})
	}
}

const meddled = "rm -rf important\n"

// probeMeddle opens what its descriptors 0 to 2 stand for again, and writes.
func probeMeddle([]string) error {
	for fd := range 3 {
		again, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		_, _ = unix.FcntlInt(uintptr(again), unix.F_SETPIPE_SZ, 1<<16)
		if _, err := unix.Write(again, []byte(meddled)); err != nil {
			return err
		}
	}
	return nil
}

// probeUnblock sets O_NONBLOCK on its descriptors 0 to 2.
func probeUnblock([]string) error {
	for fd := range 3 {
		if err := unix.SetNonblock(fd, true); err != nil {
			return err
		}
	}
	return nil
}

func TestFlagsAreTheHumans(t *testing.T) {
	for name, make := range files(t) {
		t.Run(name, func(t *testing.T) {
			given, _ := make()
			flags := func() int {
				f, err := unix.FcntlInt(given.Fd(), unix.F_GETFL, 0)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			before := flags()
			if status, err := newTrial(t, "/probe", "unblock").runOn(given, given, given); status != 0 || err != nil {
				t.Fatalf("status %d, error %v", status, err)
			}
			if after := flags(); after != before {
				t.Errorf("flags %#o, were %#o", after, before)
			}
		})
	}
}

// TestRestOfInput: what the program has not read is there for the next.
func TestRestOfInput(t *testing.T) {
	large := strings.Repeat("0123456789", 100_000)
	for _, tt := range []struct {
		name, script, in, rest string
	}{
		{"nothing read", "true", "a\nb\nc\n", "a\nb\nc\n"},
		{"a line read", "read a", "a\nb\nc\n", "b\nc\n"},
		{"all read", "cat", "a\nb\nc\n", ""},
		{"closed", "exec <&-; echo up", "a\nb\n", "a\nb\n"},
		{"much read", "head -c 654321 >/dev/null", large, large[654321:]},
		{"pages read", "head -c 131072 >/dev/null", large, large[131072:]},
		{"much not read", "read -r a <<E\nE\ntrue", large, large},
		{"written into", "head -c 4 >/dev/null; exec /probe meddle", "a\nb\nc\nd\n", ""},
		{"written into at first", "/probe meddle; head -c 4 >/dev/null", "a\nb\nc\nd\n", ""},
	} {
		for _, kind := range []string{"pipe", "file"} {
			t.Run(tt.name+" of a "+kind, func(t *testing.T) {
				in := inputOf(t, kind, tt.in)
				null := open(t, os.DevNull, os.O_RDWR)
				if status, err := newTrial(t, "bash", "-c", tt.script).runOn(in, null, null); status != 0 || err != nil {
					t.Fatalf("status %d, error %v", status, err)
				}
				rest, err := io.ReadAll(in)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(tt.name, "written into") {
					// It may have spoilt it, but not brought in anything else.
					if !strings.HasSuffix(tt.in, string(rest)) {
						t.Errorf("the next reads %.100q", rest)
					}
					return
				}
				if string(rest) != tt.rest {
					t.Errorf("the next reads %d bytes, %.100q; want %d", len(rest), rest, len(tt.rest))
				}
			})
		}
	}
}

// Of a large pipe that is not read to its end some may be lost, and nothing else
// happens to it.
func TestRestOfLargeInput(t *testing.T) {
	var b strings.Builder
	for i := range 400_000 {
		fmt.Fprintf(&b, "%09d\n", i)
	}
	in := inputOf(t, "pipe", b.String())
	out := newOutput(t)
	if status, err := newTrial(t, "head", "-c", "3000000").runOn(in, out.w, open(t, os.DevNull, os.O_RDWR)); status != 0 || err != nil {
		t.Fatalf("status %d, error %v", status, err)
	}
	out.w.Close()
	rest, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.all(); got != b.String()[:3_000_000] {
		t.Errorf("the program read %d bytes that are not the first of them", len(got))
	}
	if lost := 1_000_000 - len(rest); lost < 0 || lost > 128<<10 || !strings.HasSuffix(b.String(), string(rest)) {
		t.Errorf("%d bytes are left for the next, and not the last ones", len(rest))
	}
}

func inputOf(t *testing.T, kind, content string) *os.File {
	t.Helper()
	if kind == "file" {
		dir := t.TempDir()
		write(t, dir, map[string]string{"in": content})
		return open(t, filepath.Join(dir, "in"), os.O_RDONLY)
	}
	r, w := pipe(t)
	go func() {
		_, _ = w.WriteString(content)
		w.Close()
	}()
	t.Cleanup(func() { r.Close() })
	return r
}

// TestLoop is what the exactness is for.
func TestLoop(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "read own; echo own $own")
	cmd := exec.Command("sh", append([]string{"-c", `while read line; do echo line $line; "$@"; done`, "sh"}, tr.launcherCommand().Args...)...)
	cmd.Stdin = strings.NewReader("1\n2\n3\n4\n5\n")
	out, err := cmd.Output()
	if diff := cmp.Diff("line 1\nown 2\nline 3\nown 4\nline 5\nown\n", string(out)); err != nil || diff != "" {
		t.Errorf("(-want +got, %v):\n%s", err, diff)
	}
}

// A reader that goes away is told as a pipe tells it: to who writes, and to who
// waits for it.
func TestReaderGone(t *testing.T) {
	for _, name := range []string{"pipe to write", "socket"} {
		given, kept := files(t)[name]()
		kept.Close()
		null := open(t, os.DevNull, os.O_RDONLY)
		if status, err := newTrial(t, "cat", "/dev/zero").runOn(null, given, given); status != 128+13 || err != nil {
			t.Errorf("%s: status %d, error %v", name, status, err)
		}
		if status, err := newTrial(t, "/probe", "broken").runOn(null, given, given); status != 0 || err != nil {
			t.Errorf("%s: status %d, error %v", name, status, err)
		}
		given.Close()
	}
}

// probeBroken waits until nobody reads its standard output any more.
func probeBroken([]string) error {
	return poll([]unix.PollFd{{Fd: 1}})
}

// A file that takes nothing is an error, though the program cannot be told.
func TestOutputFails(t *testing.T) {
	null := open(t, os.DevNull, os.O_RDWR)
	for fd, stdio := range [][3]*os.File{1: {null, open(t, "/dev/full", os.O_WRONLY), null}, 2: {null, null, open(t, "/dev/full", os.O_WRONLY)}} {
		if fd == 0 {
			continue
		}
		status, err := newTrial(t, "sh", "-c", fmt.Sprintf("echo lost >&%d; exit 3", fd)).runOn(stdio[0], stdio[1], stdio[2])
		if !errors.Is(err, unix.ENOSPC) || status != 3 {
			t.Errorf("descriptor %d: status %d, error %v", fd, status, err)
		}
	}
}

// The null device is one of the sandbox's own, so that it can be opened by name.
func TestNullDevice(t *testing.T) {
	null := open(t, os.DevNull, os.O_RDWR)
	tr := newTrial(t, "sh", "-c", "cat && echo x > /proc/self/fd/1 && echo x >/proc/self/fd/2 && readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 > ~/links")
	if status, err := tr.runOn(null, null, null); status != 0 || err != nil {
		t.Errorf("status %d, error %v", status, err)
	}
	got, err := os.ReadFile(filepath.Join(tr.home, "links"))
	if diff := cmp.Diff("/dev/null\n/home/agent/links\n/dev/null\n", string(got)); err != nil || diff != "" {
		t.Errorf("(-want +got, %v):\n%s", err, diff)
	}
	tr = newTrial(t, "sh", "-c", "cat; echo x")
	tr.Mounts = slices.DeleteFunc(tr.Mounts, func(m Mount) bool { return m.Target == os.DevNull })
	tr.Landlock.Rules = slices.DeleteFunc(tr.Landlock.Rules, func(r Rule) bool { return r.Path == os.DevNull })
	if status, err := tr.runOn(null, null, null); status != 0 || err != nil {
		t.Errorf("without a null device inside: status %d, error %v", status, err)
	}
}

// TestThroughPipes has more than pipes hold go both ways.
func TestThroughPipes(t *testing.T) {
	const size = 8 << 20
	in := inputOf(t, "pipe", strings.Repeat("x", size))
	out := newOutput(t)
	if status, err := newTrial(t, "cat").runOn(in, out.w, open(t, os.DevNull, os.O_WRONLY)); status != 0 || err != nil {
		t.Errorf("status %d, error %v", status, err)
	}
	out.w.Close()
	if got := len(out.all()); got != size {
		t.Errorf("%d bytes of %d", got, size)
	}
}

// Standard input that is never read keeps nothing waiting.
func TestUnreadInput(t *testing.T) {
	for _, path := range []string{"/dev/zero", os.DevNull} {
		out, _ := pipe(t)
		if status, err := newTrial(t, "true").runOn(open(t, path, os.O_RDONLY), open(t, os.DevNull, os.O_WRONLY), open(t, os.DevNull, os.O_WRONLY)); status != 0 || err != nil {
			t.Errorf("%s: status %d, error %v", path, status, err)
		}
		out.Close()
	}
}
