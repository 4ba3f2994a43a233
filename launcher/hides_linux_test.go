package launcher_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentenv/agentenv/launcher"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestSurvey(t *testing.T) {
	root := t.TempDir()
	for name, content := range map[string]string{
		"main.go": "", ".env": "", ".env.example": "", "a/b/.env.local": "", "a/id_rsa": "", "a/id_rsa.pub": "",
		"tls/cert.pem": "-----BEGIN CERTIFICATE-----\n", "tls/key.pem": "-----BEGIN EC PRIVATE KEY-----\n",
		"web/.npmrc": "registry=https://npm.example\n", "app/.npmrc": "//npm.example/:_authToken=x\n", ".git/config": "", "sub/.git": "gitdir: ../.git/modules/sub\n", "fixtures/private/x": "", "keep/private.txt": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "a", ".netrc")); err != nil {
		t.Fatal(err)
	}
	got, err := launcher.Survey(root, []string{"**/private/**", "fixtures/none"})
	if err != nil {
		t.Fatal(err)
	}
	want := []launcher.Found{
		{Path: ".env", Hide: true}, {Path: ".git", Dir: true, Git: true, Hide: true, Runs: true}, {Path: "a/.netrc", Link: true, Hide: true},
		{Path: "a/b/.env.local", Hide: true}, {Path: "a/id_rsa", Hide: true}, {Path: "app/.npmrc", Hide: true}, {Path: "fixtures/private", Dir: true, Hide: true}, {Path: "pipe", Hide: true},
		{Path: "sub/.git", Runs: true}, {Path: "tls/key.pem", Hide: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, err := launcher.Survey(root, []string{"[a"}); err == nil {
		t.Error("a broken glob is no error")
	}
}

// TestResolve also holds that a link of proc is taken by its text.
func TestResolve(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"data/src", "home"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"home/src": "../data/src", "home/again": filepath.Join(root, "home/src"), "home/loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := launcher.Resolve(filepath.Join(root, "home/again"))
	if err != nil {
		t.Fatal(err)
	}
	want := launcher.Resolved{Path: filepath.Join(root, "data/src"), Links: []string{filepath.Join(root, "home/again"), filepath.Join(root, "home/src")}, Identity: got.Identity}
	if diff := cmp.Diff(want, got); diff != "" || !got.Identity.Dir {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, path := range []string{"home/loop", "home/absent"} {
		if _, err := launcher.Resolve(filepath.Join(root, path)); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if r, err := launcher.Resolve("/proc/self/root/etc"); err != nil || r.Path != "/etc" {
		t.Errorf("/proc/self/root/etc: %v %v", r, err)
	}
}

// TestGlob: only directories, through links, and no dot files.
func TestGlob(t *testing.T) {
	root := t.TempDir()
	for _, d := range []string{"a", "b", ".hidden"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	host, err := launcher.ThisHost([]string{"HOME=" + root})
	if err != nil {
		t.Fatal(err)
	}
	got, err := host.Glob(root + "/*")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{root + "/a", root + "/b", root + "/link"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
