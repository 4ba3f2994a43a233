package launcher

import (
	"context"
	"os"
	"path/filepath"
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
	errors := open(t, filepath.Join(dir, "err"), os.O_WRONLY|os.O_CREATE)
	if status, err := tr.runOn(open(t, filepath.Join(dir, "in"), os.O_RDONLY), log, errors); status != 0 || err != nil {
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

// A reader that goes away is told as a pipe tells it.
func TestReaderGone(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(fds[0])
	theirs := os.NewFile(uintptr(fds[1]), "theirs")
	defer theirs.Close()
	if status, err := newTrial(t, "cat", "/dev/zero").runOn(open(t, os.DevNull, os.O_RDONLY), theirs, theirs); status != 128+13 || err != nil {
		t.Errorf("status %d, error %v", status, err)
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
