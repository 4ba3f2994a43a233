package suite_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/agentenv/agentenv/internal/attack/suite"
	"github.com/agentenv/agentenv/internal/require"
	"github.com/agentenv/agentenv/launcher"
)

// spec is the workspace of the world: the environment is the host's, so that
// the suite needs no Nix.
const spec = `workspace "attack" {}
environment { from = "host" }
project { mode = "direct" }
checkout "upstream" { path = "~/src/upstream" }
`

// TestInside runs the attacks by `agentenv exec`, as a human would start them.
func TestInside(t *testing.T) {
	_, err := launcher.LandlockABI()
	require.Have(t, "landlock", err)
	require.Have(t, "userns", userNamespace())
	agentenv := buildAgentenv(t)
	suite.Inside(t, func(t *testing.T, w *suite.World) suite.Run {
		if err := os.WriteFile(w.Project+"/workspace.hcl", []byte(spec), 0o644); err != nil {
			t.Fatal(err)
		}
		return func(ctx context.Context, argv []string, files []*os.File) ([]byte, error) {
			cmd := w.Command(ctx, append([]string{agentenv, "exec", "--"}, argv...), files)
			cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+w.Scratch+"/state", "XDG_CACHE_HOME="+w.Scratch+"/cache")
			cmd.Stderr = os.Stderr
			return cmd.Output()
		}
	})
}

// userNamespace makes one, as whoever runs the tests.
func userNamespace() error {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
	return cmd.Run()
}

func buildAgentenv(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agentenv-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "agentenv")
	cmd := exec.Command("go", "build", "-o", program, "github.com/agentenv/agentenv/cmd/agentenv")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build agentenv: %v\n%s", err, out)
	}
	return program
}
