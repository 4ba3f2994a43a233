package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agentenv/agentenv/internal/fixture"
)

// TestInterrupt ends a build by a signal while a builder runs: the exit code is
// a shell's for it, and nothing is left, neither files nor the builder.
func TestInterrupt(t *testing.T) {
	fixture.Need(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set, err := fixture.Nixpkgs(filepath.Join(dir, "nixpkgs"), "")
	if err != nil {
		t.Fatal(err)
	}
	project, temp := filepath.Join(dir, "project"), filepath.Join(dir, "tmp")
	// The builder tells its process by a file, and never ends by itself.
	overlay := fmt.Sprintf(`{
  outputs = _: {
    overlays.default = final: prev: {
      blocking = derivation {
        name = "blocking";
        system = "%s";
        builder = "/bin/sh";
        args = [ "-c" "PATH=/bin:/usr/bin; echo $$ >%s/builder; exec tail -f /dev/null" ];
      };
    };
  };
}
`, systems[runtime.GOARCH], dir)
	spec := fmt.Sprintf(`workspace "w" { agentenv = "path:%s" }
nixpkgs {
  url      = "path:%s"
  overlays = ["more"]
}
input "more" { url = "path:%s/more" }
packages = ["blocking"]
project { mode = "direct" }
`, launcherFlake(t, filepath.Join(dir, "agentenv")), set, dir)
	for name, text := range map[string]string{"project/workspace.hcl": spec, "more/flake.nix": overlay, "tmp/.keep": "", "project/.git/HEAD": ""} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("agentenv", "--dev", "build")
	cmd.Dir, cmd.Env = project, append(fixture.Environ(dir), "TMPDIR="+temp)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), ": blocking") {
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	var exited *exec.ExitError
	if !errors.As(err, &exited) || exited.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("ended with %v, want exit code 143\n%s", err, strings.Join(said, "\n"))
	}
	if last := said[len(said)-1]; last != "agentenv: ended by SIGTERM" {
		t.Errorf("said at last %q", last)
	}
	left, err := filepath.Glob(filepath.Join(temp, "agentenv-*"))
	if err != nil || left != nil {
		t.Errorf("left %q, %v", left, err)
	}
	if pid, err := os.ReadFile(filepath.Join(dir, "builder")); err == nil && !ends(strings.TrimSpace(string(pid))) {
		t.Errorf("the builder %s still runs", pid)
	}
}

// ends waits for a process that is nobody's child here: it is gone, or it is dead
// and whoever adopted it has not looked yet.
func ends(pid string) bool {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); <-time.After(10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
	}
	return false
}
