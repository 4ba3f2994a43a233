package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestColour holds when words are coloured, on a terminal and elsewhere.
func TestColour(t *testing.T) {
	tty := openTerminal(t)
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

// openTerminal is a new terminal that nothing reads.
func openTerminal(t *testing.T) *os.File {
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
	tty := os.NewFile(peer, "terminal")
	t.Cleanup(func() { tty.Close() })
	return tty
}
