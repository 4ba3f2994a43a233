package standin

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/require"
)

// claude returns the path of the Claude Code program to drive, as npm installs
// it.
func claude(t *testing.T) string {
	t.Helper()
	dir, err := fixture.Claude(t.Context())
	require.Have(t, "claude", err)
	found, err := filepath.Glob(filepath.Join(dir, "node_modules/@anthropic-ai/claude-code-linux-*/claude"))
	if err != nil || len(found) != 1 {
		t.Fatalf("look for the program in %s: %q %v", dir, found, err)
	}
	return found[0]
}

// TestClaudeCodeFollowsTheScript drives the real agent, outside any sandbox,
// with a home and configuration of its own.
func TestClaudeCodeFollowsTheScript(t *testing.T) {
	program, home, dir := claude(t), t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "greet.txt")
	script := Script{
		{Tool: "Bash", Input: map[string]any{"command": "printf 'hello\\n' > greet.txt && cat greet.txt"}},
		{Tool: "Read", Input: map[string]any{"file_path": path}},
		{Tool: "Edit", Input: map[string]any{"file_path": path, "old_string": "hello", "new_string": "goodbye"}},
		{Tool: "Bash", Input: map[string]any{"command": "echo gone >&2; exit 3"}},
		{Tool: "Read", Input: map[string]any{"file_path": filepath.Join(dir, "absent")}},
		{Text: "that is all"},
	}
	s := New(script)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-p", "go", "--dangerously-skip-permissions")
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CLAUDE_CONFIG_DIR=" + filepath.Join(home, "claude"),
		"ANTHROPIC_BASE_URL=http://" + l.Addr().String(), "ANTHROPIC_API_KEY=sk-stand-in",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
		"IS_SANDBOX=1", // without it, root is refused --dangerously-skip-permissions
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	if got := strings.TrimSpace(string(out)); got != "that is all" {
		t.Errorf("it said %q", got)
	}

	// Only what the tools themselves returned: their wording is the agent's.
	want := []struct {
		Result
		has string
	}{
		{Result{Turn: 0, Tool: "Bash"}, "hello"},
		{Result{Turn: 1, Tool: "Read"}, "hello"},
		{Result{Turn: 2, Tool: "Edit"}, path},
		{Result{Turn: 3, Tool: "Bash", IsError: true}, "gone"},
		{Result{Turn: 4, Tool: "Read", IsError: true}, "not exist"},
	}
	results := s.Results()
	if len(results) != len(want) {
		t.Fatalf("results: %+v", results)
	}
	for i, w := range want {
		got := results[i]
		if !strings.Contains(got.Text, w.has) {
			t.Errorf("turn %d: %q is not in %q", i, w.has, got.Text)
		}
		got.Text = ""
		if diff := cmp.Diff(w.Result, got); diff != "" {
			t.Errorf("turn %d (-want +got):\n%s", i, diff)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "goodbye\n" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}
