package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/google/go-cmp/cmp"
)

// team is a repository that others include, and a project that includes it.
type team struct {
	t                   *testing.T
	repository, project string
	c                   *common
	words               *os.File
}

func newTeam(t *testing.T) team {
	t.Helper()
	fixture.Need(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, kv := range fixture.Environ(dir) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	words, err := os.Create(filepath.Join(dir, "words"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { words.Close() })
	x := team{t: t, repository: filepath.Join(dir, "team"), project: filepath.Join(dir, "project"), words: words}
	x.c = &common{io: streams{Out: words, Err: words}, dev: true}
	x.write(x.project, map[string]string{
		"workspace.hcl": "workspace \"w\" {}\ninclude \"team\" {\n path = \"hcl/base.hcl\"\n url = \"git+file://" + x.repository + "\"\n}\nproject {\n mode = \"direct\"\n}\nenvironment {\n from = \"host\"\n}\n",
	})
	t.Chdir(x.project)
	return x
}

func (x team) write(dir string, files map[string]string) {
	x.t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			x.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			x.t.Fatal(err)
		}
	}
}

// commit commits files to the repository.
func (x team) commit(files map[string]string) {
	x.t.Helper()
	x.write(x.repository, files)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "a commit"}} {
		cmd := exec.Command("git", append([]string{"-C", x.repository, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			x.t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
}

// update is agentenv update team.
func (x team) update() error {
	_, err := x.c.updateIncludes(x.t.Context(), filepath.Join(x.project, "workspace.hcl"), func(name string) bool { return name == "team" })
	return err
}

// files are the vendored files, by name.
func (x team) files() map[string]string {
	x.t.Helper()
	got := map[string]string{}
	err := fs.WalkDir(os.DirFS(x.project), hcl.VendorDir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(x.project, name))
		got[strings.TrimPrefix(name, hcl.VendorDir+"/")] = string(text)
		return err
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return got
}

// TestUpdateInclude fetches by the real Nix: a spec that includes what is not
// there becomes right, and follows its repository.
func TestUpdateInclude(t *testing.T) {
	x := newTeam(t)
	x.commit(map[string]string{"hcl/base.hcl": "environment {\n set = { TEAM = \"one\" }\n}\n", "gone": "x", "run": "#!/bin/sh\n"})
	if _, err := x.c.load(nil); err == nil {
		t.Fatal("a spec that includes what is not there was taken")
	}
	if err := x.update(); err != nil {
		t.Fatal(err)
	}
	ws, err := x.c.load(nil)
	if err != nil || ws.Policy.Set["TEAM"] != "one" {
		t.Fatalf("after the update: %+v, %v", ws, err)
	}
	if err := os.Remove(filepath.Join(x.repository, "gone")); err != nil {
		t.Fatal(err)
	}
	x.commit(map[string]string{"hcl/base.hcl": "environment {\n set = { TEAM = \"two\" }\n}\n"})
	if err := x.update(); err != nil {
		t.Fatal(err)
	}
	if ws, err = x.c.load(nil); err != nil || ws.Policy.Set["TEAM"] != "two" {
		t.Fatalf("after another update: %v", err)
	}
	want := map[string]string{
		".gitattributes":    attributes,
		"team/hcl/base.hcl": "environment {\n set = { TEAM = \"two\" }\n}\n",
		"team/run":          "#!/bin/sh\n",
	}
	if diff := cmp.Diff(want, x.files()); diff != "" {
		t.Errorf("the copy (-want +got)\n%s", diff)
	}
	x.write(x.project, map[string]string{"agentenv.d/team/run": "#!/bin/sh\nevil\n"})
	if _, err := x.c.load(nil); err == nil {
		t.Error("a copy that was changed was taken")
	}
}

// TestUpdateIncludeFails: what cannot be fetched leaves everything as it is.
func TestUpdateIncludeFails(t *testing.T) {
	x := newTeam(t)
	if err := x.update(); err == nil {
		t.Error("a repository that is not there was fetched")
	}
	for _, name := range []string{hcl.VendorDir, hcl.LockFile} {
		if _, err := os.Lstat(filepath.Join(x.project, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}

// TestVendorFollowsNoLink: the agent may have left a link where the copy goes.
func TestVendorFollowsNoLink(t *testing.T) {
	x := newTeam(t)
	x.commit(map[string]string{"hcl/base.hcl": ""})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(x.project, hcl.VendorDir)); err != nil {
		t.Fatal(err)
	}
	if err := x.update(); err == nil {
		t.Error("the copy went through a link")
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
