package nix_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/workspace"
)

func TestFetch(t *testing.T) {
	b := newBench(t)
	repo := filepath.Join(b.dir, "a repo")
	commit := func(text string) string {
		t.Helper()
		cmd := exec.Command("sh", "-ec", `
			mkdir -p "$1"; cd "$1"; git init -q -b main .; echo "$2" >file; git add file
			git -c user.name=n -c user.email=n@example.org commit -q -m "$2"; git rev-parse HEAD`, "sh", repo, text)
		cmd.Env = append(b.cli.Env, "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out[:40])
	}
	reference := workspace.Reference{"type": "git", "url": "file://" + b.dir + "/a%20repo", "ref": "main"}
	for _, text := range []string{"one", "two"} { // what it means now, not what it meant
		want := commit(text)
		got, err := b.cli.Fetch(t.Context(), b.dir, reference)
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(got.Path, "file"))
		if err != nil || string(content) != text+"\n" || got.Revision != want || got.Modified.Format("2006-01-02") != "2026-01-01" {
			t.Errorf("%q, %+v, error %v; want %q at %s", content, got, err, text, want)
		}
	}
	_, err := b.cli.Fetch(t.Context(), b.dir, workspace.Reference{"type": "git", "url": "file://" + b.dir + "/absent"})
	var failure *nix.Error
	if !errors.As(err, &failure) {
		t.Errorf("what is not there: %v", err)
	}
}
