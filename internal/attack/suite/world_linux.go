package suite

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// OrdinaryUID is the user and group that attacks run as when the tests run as
// root: nobody's, so that no limit or keyring of a real user is touched.
const OrdinaryUID = 30033

// Programs are the two programs of the suite, as static binaries.
type Programs struct{ Attack, Victim string }

// Build builds the programs, for all worlds of a test.
func Build(t testing.TB) Programs {
	t.Helper()
	dir, err := os.MkdirTemp("", "agentenv-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := Programs{Attack: filepath.Join(dir, "attack"), Victim: filepath.Join(dir, "victim")}
	for path, name := range map[string]string{p.Attack: "attack", p.Victim: "attack/victim"} {
		cmd := exec.Command("go", "build", "-o", path, "github.com/agentenv/agentenv/internal/"+name)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", name, err, out)
		}
	}
	return p
}

// World is a human's machine in small: a home with keys, a checkout, a project
// and a process of theirs, all made for one attack.
type World struct {
	catalogue.Targets
	Dir    string // holds Home and Scratch
	Attack string // the attack program, in the project
	Decoy  string // the secret that Targets.Secret and the rest hold
	// Scratch is an empty directory beside the home. What is written there
	// counts as no change: it is the place for a launcher's own state.
	Scratch string

	uid    int
	victim process
}

// NewWorld makes a world that ends with the test.
func NewWorld(t testing.TB, p Programs) *World {
	t.Helper()
	dir, err := os.MkdirTemp("", "attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { remove(t, dir) })
	w := &World{Dir: dir, Scratch: dir + "/scratch", Decoy: catalogue.Marker + random(), uid: os.Getuid()}
	if w.uid == 0 {
		w.uid = OrdinaryUID
	}
	w.Home = dir + "/home"
	w.Secret, w.Bashrc, w.Units = w.Home+"/.ssh/id_rsa", w.Home+"/.bashrc", w.Home+"/.config/systemd/user"
	w.Link, w.Upstream, w.Project = w.Home+"/link", w.Home+"/src/upstream", w.Home+"/src/project"
	w.HardLink, w.Calls, w.Attack = w.Project+"/hardlink", w.Project+"/calls", w.Project+"/attack"
	if err := w.furnish(p); err != nil {
		t.Fatalf("make world: %v", err)
	}
	w.start(t, p.Victim)
	return w
}

func random() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails, by its documentation
	return hex.EncodeToString(b)
}

// remove clears a world away, directories without rights included.
func remove(t testing.TB, dir string) {
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}

// furnish makes the files.
func (w *World) furnish(p Programs) error {
	attack, err := os.ReadFile(p.Attack)
	if err != nil {
		return err
	}
	git := w.Project + "/.git"
	for _, dir := range []string{
		w.Scratch, filepath.Dir(w.Secret), w.Units, w.Upstream, w.Project + "/.claude",
		git + "/hooks", git + "/objects", git + "/refs/heads",
		w.Upstream + "/.git/objects", w.Project + "/vendor/lib/.git/hooks", w.Project + "/.githooks",
	} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		path, content string
		mode          os.FileMode
	}{
		{w.Secret, w.Decoy + "\n", 0o600},
		{w.Bashrc, "# the human's\n", 0o644},
		{w.Upstream + "/README", "upstream\n", 0o644},
		{w.Project + "/file", "project\n", 0o644},
		{w.Project + "/.envrc", "# the human's\n", 0o644},
		{w.Project + "/.claude/settings.json", "{}\n", 0o644},
		{git + "/HEAD", "ref: refs/heads/main\n", 0o644},
		{git + "/config", "[core]\n\trepositoryformatversion = 0\n\thooksPath = .githooks\n", 0o644},
		{w.Upstream + "/.env", w.Decoy + "\n", 0o644},
		{w.Upstream + "/.git/objects/blob", w.Decoy + "\n", 0o644},
		{w.Project + "/.env", w.Decoy + "\n", 0o644},
		{w.Project + "/.githooks/pre-commit", "#!/bin/sh\n", 0o755},
		{w.Project + "/vendor/lib/.git/HEAD", "ref: refs/heads/main\n", 0o644},
		{w.Project + "/vendor/lib/.git/config", "[core]\n", 0o644},
		{w.Attack, string(attack), 0o755},
	} {
		if err := os.WriteFile(f.path, []byte(f.content), f.mode); err != nil {
			return err
		}
	}
	if err := w.link(); err != nil {
		return err
	}
	return w.own(attack)
}

func (w *World) link() error {
	if err := os.Symlink("to-"+w.Decoy, w.Link); err != nil {
		return err
	}
	if err := os.Link(w.Secret, w.HardLink); err != nil {
		return err
	}
	if err := os.Link(w.Project+"/.env", w.Project+"/notes"); err != nil {
		return err
	}
	return unix.Setxattr(w.Secret, "user.agentenv", []byte(w.Decoy), 0)
}

// own gives all files to the ordinary user, and makes the setuid program where
// root is there to make it.
func (w *World) own(attack []byte) error {
	if os.Getuid() != 0 {
		return nil
	}
	err := filepath.WalkDir(w.Dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, w.uid, w.uid)
	})
	if err != nil {
		return err
	}
	w.Setuid = w.Project + "/setuid"
	if err := os.WriteFile(w.Setuid, attack, 0o755); err != nil {
		return err
	}
	return os.Chmod(w.Setuid, 0o755|os.ModeSetuid)
}

// Command returns a command that runs as the ordinary user in the project,
// with the files from descriptor 3 on and next to no environment.
func (w *World) Command(ctx context.Context, argv []string, files []*os.File) *exec.Cmd {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.ExtraFiles = w.Project, files
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + w.Home}
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(w.uid), Gid: uint32(w.uid)}
	}
	return cmd
}

// Run runs a program outside of any sandbox.
func (w *World) Run(ctx context.Context, argv []string, files []*os.File) ([]byte, error) {
	return w.Command(ctx, argv, files).Output()
}

// inherit opens what an attack on inherited descriptors finds.
func (w *World) inherit(t testing.TB, row catalogue.Row) (catalogue.Targets, []*os.File) {
	t.Helper()
	targets := w.Targets
	if !map[string]bool{"R15": true, "R16": true, "R17": true}[row.ID] {
		return targets, nil
	}
	targets.InheritedFile, targets.InheritedDir, targets.InheritedPath = 3, 4, 5
	var files []*os.File
	for _, o := range []struct {
		path string
		flag int
	}{{w.Secret, unix.O_RDONLY}, {w.Home, unix.O_RDONLY | unix.O_DIRECTORY}, {w.Secret, unix.O_PATH}} {
		fd, err := unix.Open(o.path, o.flag|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatalf("open %s: %v", o.path, err)
		}
		f := os.NewFile(uintptr(fd), o.path)
		t.Cleanup(func() { f.Close() })
		files = append(files, f)
	}
	return targets, files
}

// process is the running victim. It answers one line with one line.
type process struct {
	mu    sync.Mutex
	in    io.Writer
	lines *bufio.Scanner
}

func (p *process) ask(question, answer any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := json.NewEncoder(p.in).Encode(question); err != nil {
		return err
	}
	if !p.lines.Scan() {
		return fmt.Errorf("victim says nothing: %w", io.ErrUnexpectedEOF)
	}
	return json.Unmarshal(p.lines.Bytes(), answer)
}

// start starts the victim and takes over the targets that it has set up.
func (w *World) start(t testing.TB, program string) {
	t.Helper()
	cmd := w.Command(context.Background(), []string{program, w.Decoy}, nil)
	cmd.Env = append(cmd.Env, "TOKEN="+w.Decoy)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start victim: %v", err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("victim: %v", err)
		}
	})
	w.victim = process{in: in, lines: bufio.NewScanner(out)}
	if err := w.victim.ask(w.Targets, &w.Targets); err != nil {
		t.Fatalf("start victim: %v", err)
	}
}
