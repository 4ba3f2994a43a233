package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

func TestHandled(t *testing.T) {
	const scopes = landlock.ScopedSet(ll.ScopeAbstractUnixSocket | ll.ScopeSignal)
	for _, tt := range []struct {
		abi  int
		want landlock.Config
	}{
		{1, landlock.Config{HandledAccessFS: 1<<13 - 1}},
		{6, landlock.Config{HandledAccessFS: 1<<16 - 1, Scoped: scopes}},
		{7, landlock.Config{HandledAccessFS: 1<<16 - 1, Scoped: scopes}},
		{9, landlock.Config{HandledAccessFS: 1<<17 - 1, Scoped: scopes}},
		{99, landlock.Config{HandledAccessFS: 1<<17 - 1, Scoped: scopes}},
	} {
		got, err := handled(tt.abi)
		if err != nil || got.String() != tt.want.String() {
			t.Errorf("ABI %d: %v, %v; want %v", tt.abi, got, err, tt.want)
		}
	}
	if _, err := handled(0); err == nil {
		t.Error("ABI 0 is handled")
	}
}

// TestRights holds what each access grants under each ABI, in numbers of the
// kernel's header, so that no row follows a table of ours or the library's.
func TestRights(t *testing.T) {
	const (
		execute, writeFile, readFile, readDir   = 1 << 0, 1 << 1, 1 << 2, 1 << 3
		inDirectories                           = 0x1ff0 // remove and make, all kinds
		refer, truncate, ioctlDev, connectsUnix = 1 << 13, 1 << 14, 1 << 15, 1 << 16
	)
	const base = execute | writeFile | readFile | readDir | inDirectories
	every := func(abi int) uint64 {
		r := uint64(base)
		for from, right := range map[int]uint64{2: refer, 3: truncate, 5: ioctlDev} {
			if abi >= from {
				r |= right
			}
		}
		return r
	}
	for abi := 1; abi <= 11; abi++ {
		config, err := handled(abi)
		if err != nil {
			t.Fatal(err)
		}
		wantHandled := every(abi)
		if abi >= 9 {
			wantHandled |= connectsUnix
		}
		if got := uint64(config.HandledAccessFS); got != wantHandled {
			t.Errorf("ABI %d handles %#x, want %#x", abi, got, wantHandled)
		}
		if got := uint64(config.Scoped); abi >= 6 && got != 3 || abi < 6 && got != 0 {
			t.Errorf("ABI %d has scopes %#x", abi, got)
		}
		if config.HandledAccessNet != 0 {
			t.Errorf("ABI %d handles network rights %v", abi, config.HandledAccessNet)
		}
		for access, want := range map[Access]uint64{
			AccessRead:     execute | readFile | readDir,
			AccessReadFile: execute | readFile,
			AccessWrite:    every(abi),
			AccessEdit:     (execute | readFile | writeFile | truncate) & every(abi),
			AccessDevice:   (readFile | writeFile | ioctlDev) & every(abi),
			AccessTerminal: (readFile | writeFile | readDir | ioctlDev) & every(abi),
			AccessScratch:  every(abi) &^ execute,
		} {
			if got := uint64(accesses[access].rights & config.HandledAccessFS); got != want {
				t.Errorf("ABI %d: %s grants %#x, want %#x", abi, access, got, want)
			}
		}
	}
	if len(accesses) != 7 {
		t.Errorf("%d accesses, and 7 are tested", len(accesses))
	}
}

// attempts is what each access is tried on, in a directory d or on a file f.
const attempts = `try() { "$@" >/dev/null 2>&1 && echo "$1 $2 works" || echo "$1 $2 fails"; }
rd() { cat $1; }; ls_() { ls $1; }; wr() { echo x > $1; }; app() { echo x >> $1; }; mk() { mkdir $1/new; }; mv_() { mv $1/f $1/sub/f && mv $1/sub/f $1/f; }; run() { $1; }; ln_() { ln -s x $1/link; }; fifo() { mkfifo $1/fifo; }
`

func TestAccesses(t *testing.T) {
	program, err := os.ReadFile(canonical(t, "/usr/bin/true"))
	if err != nil {
		t.Fatal(err)
	}
	dir := treeOf(t, map[string]string{"d/f": "x", "d/sub/": "", "f": string(program)})
	if err := os.WriteFile(filepath.Join(dir, "d/true"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "f"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		access Access
		tries  []string
		want   string
	}{
		{AccessRead, []string{"rd /d/f", "ls_ /d", "run /d/true", "wr /d/f", "mk /d", "mv_ /d", "ln_ /d"}, "works works works fails fails fails fails"},
		{AccessWrite, []string{"rd /d/f", "ls_ /d", "run /d/true", "wr /d/f", "mk /d", "mv_ /d", "ln_ /d", "fifo /d"}, "works works works works works works works works"},
		{AccessScratch, []string{"rd /d/f", "ls_ /d", "run /d/true", "wr /d/f", "mk /d"}, "works works fails works works"},
		{AccessTerminal, []string{"rd /d/f", "ls_ /d", "run /d/true", "app /d/f", "mk /d"}, "works works fails works fails"},
		{AccessReadFile, []string{"run /f", "rd /f", "wr /f"}, "works works fails"},
		{AccessDevice, []string{"rd /f", "run /f", "app /f"}, "works fails works"},
		{AccessEdit, []string{"run /f", "rd /f", "app /f", "wr /f"}, "works works works works"},
	} {
		t.Run(string(tt.access), func(t *testing.T) {
			var script strings.Builder
			script.WriteString(attempts)
			for _, try := range tt.tries {
				fmt.Fprintf(&script, "try %s\n", try)
			}
			tr := newTrial(t, "sh", "-c", script.String())
			name := "/d"
			if !accesses[tt.access].dir {
				name = "/f"
			}
			// The mount is writable, so that Landlock alone decides.
			m := Mount{Op: OpBind, Source: dir + name, Target: name, Identity: identity(t, dir+name)}
			tr.add(m, tt.access)
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(tr.ok("").stdout), "\n") {
				got = append(got, line[strings.LastIndexByte(line, ' ')+1:])
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%v (-want +got):\n%s", tt.tries, diff)
			}
			for _, left := range []string{"d/new", "d/link", "d/fifo"} {
				os.Remove(filepath.Join(dir, left))
			}
		})
	}
}
