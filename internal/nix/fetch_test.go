package nix_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/workspace"
)

// repository makes a git repository with one commit, and returns its revision.
func repository(t *testing.T, b bench, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Env = b.cli.Env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "a commit")
	return git("rev-parse", "HEAD")
}

func TestFetch(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(b.dir, "team")
	revision := repository(t, b, dir, map[string]string{"hcl/base.hcl": "# one\n"})
	ref := workspace.Reference{"type": "git", "url": "file://" + dir}
	fetched, err := b.cli.Fetch(t.Context(), t.TempDir(), ref)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(fetched.Path, "hcl/base.hcl")); err != nil || string(text) != "# one\n" || fetched.Revision != revision {
		t.Errorf("%+v has %q (%v), want revision %s", fetched, text, err, revision)
	}
	revision = repository(t, b, dir, map[string]string{"hcl/base.hcl": "# two\n"})
	again, err := b.cli.Fetch(t.Context(), t.TempDir(), ref)
	if err != nil || again.Revision != revision || again.Path == fetched.Path {
		t.Errorf("after another commit: %+v, %v", again, err)
	}
}

// TestFetchTakesData: what is in a reference is not evaluated.
func TestFetchTakesData(t *testing.T) {
	b := newBench(t)
	for _, ref := range []workspace.Reference{
		{"type": "git", "url": "file://" + filepath.Join(b.dir, "absent")},
		{"type": "git", "url": `file:///x"; in throw ("was " + "evaluated"); # ${throw ("was " + "evaluated")}`},
		{"type": "nonsense"},
	} {
		fetched, err := b.cli.Fetch(t.Context(), t.TempDir(), ref)
		if err == nil || strings.Contains(err.Error(), "was evaluated") {
			t.Errorf("%v: %+v, %v", ref, fetched, err)
		}
	}
	var none nix.Fetched
	if fetched, err := b.cli.Fetch(t.Context(), t.TempDir(), workspace.Reference{"x": func() {}}); err == nil || fetched != none {
		t.Errorf("%+v, %v", fetched, err)
	}
}
