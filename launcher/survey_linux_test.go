package launcher_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/launcher"
	"github.com/google/go-cmp/cmp"
)

// files makes files below a new directory; a name that ends in a slash is a
// directory.
func files(t *testing.T, content map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range content {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(file, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func survey(t *testing.T, root string) map[string]string {
	t.Helper()
	found, err := launcher.Survey(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range found {
		out[f.Path] = strings.TrimSpace(map[bool]string{true: "hide "}[f.Hide] + map[bool]string{true: "runs"}[f.Runs])
	}
	return out
}

// TestSurveyOfHardLinks: another name of a hidden or protected file would show or
// change it.
func TestSurveyOfHardLinks(t *testing.T) {
	root := files(t, map[string]string{".env": "KEY=", ".vscode/tasks.json": "{}", "cache/": "", "plain": "", "workspace.hcl": ""})
	for from, to := range map[string]string{".env": "notes", ".vscode/tasks.json": "cache/x", "plain": "plain2", "workspace.hcl": "cache/w"} {
		if err := os.Link(filepath.Join(root, from), filepath.Join(root, to)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{".env": "hide", "notes": "hide", ".vscode": "runs", "cache/x": "runs", "workspace.hcl": "runs", "cache/w": "runs"}
	if diff := cmp.Diff(want, survey(t, root)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSurveyAtDepth: repositories and what is obeyed by standing in a directory
// count at any depth, the rest at the top.
func TestSurveyAtDepth(t *testing.T) {
	root := files(t, map[string]string{
		"a/sub/.git/config": "", "b/sub/.git": "gitdir: x", "c/workspace.hcl": "", "d/.vscode/tasks.json": "", ".vscode/tasks.json": "",
		"e/.jj/x": "", "f/.envrc": "", "mirror.git/HEAD": "", "mirror.git/objects/": "", "mirror.git/refs/": "", "g/objects/x": "",
	})
	want := map[string]string{
		"a/sub/.git": "hide runs", "b/sub/.git": "runs", "c/workspace.hcl": "runs", ".vscode": "runs", "e/.jj": "hide runs",
		"f/.envrc": "hide runs", "mirror.git/objects": "hide",
	}
	if diff := cmp.Diff(want, survey(t, root)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSurveyOfClosedDirectories: an agent that took the rights of a directory away
// still knows the names in it.
func TestSurveyOfClosedDirectories(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root lists every directory; the tests run as an ordinary user too")
	}
	root := files(t, map[string]string{"deploy/.env": "KEY="})
	if err := os.Chmod(filepath.Join(root, "deploy"), 0o311); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "deploy"), 0o755)
	if diff := cmp.Diff(map[string]string{"deploy": "hide"}, survey(t, root)); diff != "" {
		t.Error(diff)
	}
}

// TestSurveyOfOddNames: what must be hidden and cannot be named exactly in a plan
// ends the launch; other names are nobody's business.
func TestSurveyOfOddNames(t *testing.T) {
	root := files(t, map[string]string{"caf\xe9.txt": ""})
	if diff := cmp.Diff(map[string]string{}, survey(t, root)); diff != "" {
		t.Error(diff)
	}
	root = files(t, map[string]string{"prod\xe9.env": ""})
	if _, err := launcher.Survey(root, nil); err == nil || !strings.Contains(err.Error(), `"prod\xe9.env"`) {
		t.Errorf("error %v does not name the file", err)
	}
}

func TestAppeared(t *testing.T) {
	root := files(t, map[string]string{"flake.nix": "", "a/x": ""})
	before, err := launcher.Obeyed(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/sub/.git/config", ".vscode/tasks.json", "b/workspace.hcl", "b/flake.nix"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now, err := launcher.Obeyed(root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{".vscode", "a/sub/.git", "b/workspace.hcl"}, launcher.Appeared(before, now)); diff != "" {
		t.Error(diff)
	}
}
