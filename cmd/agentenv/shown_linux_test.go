package main

import (
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestColour holds when words are coloured, on a terminal and elsewhere.
func TestColour(t *testing.T) {
	tty, _ := openTerminal(t)
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, tt := range []struct {
		f             *os.File
		noColor, term string
		want          bool
	}{
		{tty, "", "xterm", true},
		{tty, "1", "xterm", false},
		{tty, "", "dumb", false},
		{file, "", "xterm", false},
	} {
		t.Setenv("NO_COLOR", tt.noColor)
		t.Setenv("TERM", tt.term)
		if got := colour(tt.f); got != tt.want {
			t.Errorf("%s with NO_COLOR=%q and TERM=%q: %v", tt.f.Name(), tt.noColor, tt.term, got)
		}
	}
}

// TestProgressFitsTheTerminal holds that a line is never wider, which would make
// it two that cannot be drawn again.
func TestProgressFitsTheTerminal(t *testing.T) {
	tty, other := openTerminal(t)
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 10, Col: 30}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERM", "xterm")
	p := newProgress(tty)
	p.line("building '/nix/store/splijx0p433k20pjj9qbb76qlpcnm3m6-a-package-with-a-long-name.drv'...")
	p.done()
	want := "\r\x1b[Kagentenv: building 1: a-pack…\r\x1b[K"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(other, got); err != nil || string(got) != want {
		t.Errorf("drew %q, %v; want %q", got, err, want)
	}
}

// openTerminal is a new terminal, and the other end of it.
func openTerminal(t *testing.T) (tty, other *os.File) {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ptmx.Close() })
	if err := unix.IoctlSetPointerInt(int(ptmx.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	peer, _, errno := unix.Syscall(unix.SYS_IOCTL, ptmx.Fd(), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY)
	if errno != 0 {
		t.Fatal(errno)
	}
	tty = os.NewFile(peer, "terminal")
	t.Cleanup(func() { tty.Close() })
	return tty, ptmx
}
