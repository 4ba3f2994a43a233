package launcher

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write makes files below dir; a path that ends in / is a directory.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(p, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func symlink(t testing.TB, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

// treeOf is a directory of the host with files in it, by its canonical name.
func treeOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := canonical(t, t.TempDir())
	write(t, dir, files)
	return dir
}

func TestSwappedSourceIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		swap func(t *testing.T, granted, secret string)
	}{
		{"by a link", func(t *testing.T, granted, secret string) { symlink(t, secret, granted) }},
		{"by another directory", func(t *testing.T, granted, secret string) {
			if err := os.Rename(secret, granted); err != nil {
				t.Fatal(err)
			}
		}},
		{"by nothing", func(*testing.T, string, string) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := treeOf(t, map[string]string{"granted/file": "", "secret/key": "x"})
			granted := filepath.Join(dir, "granted")
			tr := newTrial(t, "ls", "/granted")
			tr.bind(granted, "/granted", AccessRead)
			if err := os.Rename(granted, granted+".old"); err != nil {
				t.Fatal(err)
			}
			tt.swap(t, granted, filepath.Join(dir, "secret"))
			tr.setupError("mount", "spec.hcl:1:2")
		})
	}
}

func TestLinkOnTheWayToASourceIsRefused(t *testing.T) {
	dir := treeOf(t, map[string]string{"real/tree/file": ""})
	symlink(t, "real", filepath.Join(dir, "link"))
	tr := newTrial(t, "true")
	tr.bind(filepath.Join(dir, "link/tree"), "/tree", AccessRead)
	tr.setupError("mount", "too many levels of symbolic links")
}

// What an earlier run left in the private home must not lead a mount elsewhere.
func TestPlantedInHome(t *testing.T) {
	outside := treeOf(t, map[string]string{"victim/keep": "x"})
	project := treeOf(t, map[string]string{"file": "the project\n"})
	for _, tt := range []struct {
		name  string
		plant func(t *testing.T, home string)
		moved string
	}{
		{"link for the mount point", func(t *testing.T, home string) {
			write(t, home, map[string]string{"src/": ""})
			symlink(t, filepath.Join(outside, "victim"), filepath.Join(home, "src/p"))
		}, "src/p"},
		{"link above it", func(t *testing.T, home string) { symlink(t, outside, filepath.Join(home, "src")) }, "src"},
		{"link to nowhere", func(t *testing.T, home string) { symlink(t, "/nowhere", filepath.Join(home, "src")) }, "src"},
		{"file above it", func(t *testing.T, home string) { write(t, home, map[string]string{"src": "mine"}) }, "src"},
		{"file for it", func(t *testing.T, home string) { write(t, home, map[string]string{"src/p": "mine"}) }, "src/p"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTrial(t, "sh", "-c", "cat ~/src/p/file; : > ~/src/p/new")
			tt.plant(t, tr.home)
			tr.bind(project, insideHome+"/src/p", AccessWrite)
			o := tr.ok("")
			if o.stdout != "the project\n" {
				t.Errorf("inside: %q", o.stdout)
			}
			want := []Event{{EventMoved, insideHome + "/" + tt.moved, insideHome + "/" + tt.moved + ".agentenv-moved-1", "spec.hcl:1:2"}}
			if diff := cmp.Diff(want, o.events); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if _, err := os.Lstat(filepath.Join(tr.home, tt.moved+".agentenv-moved-1")); err != nil {
				t.Error(err)
			}
			names, err := filepath.Glob(outside + "/*/*")
			if diff := cmp.Diff([]string{outside + "/victim/keep"}, names); err != nil || diff != "" {
				t.Errorf("outside (-want +got, %v):\n%s", err, diff)
			}
			if o := tr.ok(""); len(o.events) != 0 {
				t.Errorf("the second run moved something too: %v", o.events)
			}
		})
	}
}

func TestMountPointsAreNotMadeInOthersTrees(t *testing.T) {
	for _, a := range []Access{AccessRead, AccessWrite} {
		t.Run(string(a), func(t *testing.T) {
			outer := treeOf(t, map[string]string{"there/": ""})
			inner := treeOf(t, map[string]string{"file": ""})
			tr := newTrial(t, "ls", "/outer/there")
			tr.bind(outer, "/outer", a)
			tr.bind(inner, "/outer/there", AccessRead)
			if o := tr.ok(""); o.stdout != "file\n" {
				t.Errorf("inside: %q", o.stdout)
			}
			tr.bind(inner, "/outer/missing", AccessRead)
			tr.setupError("mount", "spec.hcl:1:2")
			if _, err := os.Lstat(filepath.Join(outer, "missing")); !os.IsNotExist(err) {
				t.Errorf("the mount point was made in the tree: %v", err)
			}
		})
	}
}

func TestOverlayHides(t *testing.T) {
	dir := treeOf(t, map[string]string{
		".env": "SECRET=1", "main.go": "package main\n", "deploy/key.pem": "SECRET", "deploy/README": "read me\n", "private/a/b": "SECRET",
	})
	if err := os.Chmod(filepath.Join(dir, "deploy"), 0o750); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "agent.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	tr := newTrial(t, "sh", "-c", `cd /co; find . -type f | sort; cat .env deploy/key.pem private/a/b; stat -c %a deploy; echo up
read go; ls -a; cat .env gone/x; cat main.go; touch new; /probe connect agent.sock`)
	tr.Mounts = append(tr.Mounts, Mount{
		Op: OpOverlay, Source: dir, Target: "/co", Identity: identity(t, dir),
		Hide: []string{".env", "deploy/key.pem", "private", "private/a/b", "gone/x"},
	})
	tr.Landlock.Rules = append(tr.Landlock.Rules, Rule{"/co", AccessRead})
	tr.Checks = append(tr.Checks, Check{"read-only", "/co"})
	s := tr.start()
	s.expect("./deploy/README\n./main.go\n750\nup\n")
	// The human saves the hidden file by rename, as editors do, and makes one that
	// was not there, while the program runs.
	write(t, dir, map[string]string{".env.tmp": "SECRET=2", "gone/x": "SECRET"})
	if err := os.Rename(filepath.Join(dir, ".env.tmp"), filepath.Join(dir, ".env")); err != nil {
		t.Fatal(err)
	}
	s.say("go\n")
	o := s.wait()
	want := "./deploy/README\n./main.go\n750\nup\n.\n..\nagent.sock\ndeploy\nmain.go\npackage main\nECONNREFUSED\n"
	if diff := cmp.Diff(want, o.stdout); diff != "" {
		t.Errorf("inside (-want +got, %v):\n%s%s", o.err, diff, o.stderr)
	}
	if strings.Contains(o.stdout+o.stderr, "SECRET") || !strings.Contains(o.stderr, "Read-only file system") {
		t.Errorf("errors inside:\n%s", o.stderr)
	}
}

// A name to hide that is the name of nothing hides nothing, and the launch ends.
func TestNothingToHide(t *testing.T) {
	dir := treeOf(t, map[string]string{"sub/.env": "SECRET"})
	for _, name := range []string{".env", "sub/.env\ufffd", "sub/.ENV"} {
		tr := newTrial(t, "true")
		tr.add(Mount{Op: OpOverlay, Source: dir, Target: "/co", Identity: identity(t, dir), Hide: []string{name}, At: "spec.hcl:7:7"}, AccessRead)
		tr.setupError("mount", "it is not there")
	}
}

func TestMaskAndFiles(t *testing.T) {
	dir := treeOf(t, map[string]string{".env": "SECRET", "secrets/key": "SECRET", "main.go": "package main\n"})
	tr := newTrial(t, "sh", "-c", `cd /co; cat .env secrets/key; ls secrets; chmod 600 .env; mv .env x; rm -r secrets; cat main.go ~/guide/AGENTS.md /etc/passwd; readlink ~/link; echo x > ~/guide/AGENTS.md; ls -A ~`)
	tr.bind(dir, "/co", AccessWrite)
	write(t, tr.home, map[string]string{"victim": "untouched"})
	symlink(t, "victim", filepath.Join(tr.home, "link"))
	for _, m := range []Mount{
		{Op: OpMask, Target: "/co/.env", ReadOnly: true},
		{Op: OpMask, Target: "/co/secrets", ReadOnly: true, Identity: Identity{Dir: true}},
		{Op: OpFile, Target: insideHome + "/guide/AGENTS.md", Content: "the guide\n", Mode: 0o644},
		{Op: OpSymlink, Target: insideHome + "/link", Source: "/co"},
	} {
		tr.add(m, "")
	}
	tr.Checks = append(tr.Checks, Check{"read-only", "/co/.env"}, Check{"read-only", "/co/secrets"})
	o := tr.run("")
	want := "package main\nthe guide\nagent:x:0:0::/:/bin/sh\n/co\nguide\nlink\nlink.agentenv-moved-1\nvictim\n"
	if diff := cmp.Diff(want, o.stdout); diff != "" {
		t.Errorf("inside (-want +got, %v):\n%s%s", o.err, diff, o.stderr)
	}
	if n := strings.Count(o.stderr, "\n"); n < 7 {
		t.Errorf("only %d refusals:\n%s", n, o.stderr)
	}
	for name, want := range map[string]string{".env": "SECRET", "secrets/key": "SECRET"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s outside: %q, %v", name, got, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(tr.home, "victim")); err != nil || string(got) != "untouched" {
		t.Errorf("the link of the home was followed: %q, %v", got, err)
	}
}

func TestNothingToMask(t *testing.T) {
	dir := treeOf(t, nil)
	symlink(t, "/etc", filepath.Join(dir, "link"))
	for _, name := range []string{"absent", "link"} {
		tr := newTrial(t, "true")
		tr.bind(dir, "/co", AccessWrite)
		tr.add(Mount{Op: OpMask, Target: "/co/" + name, At: "spec.hcl:9:9"}, "")
		tr.setupError("mount", "spec.hcl:9:9")
	}
}

func TestReadOnlyTmpfs(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "cat /ro/file; : > /ro/new")
	tr.add(Mount{Op: OpTmpfs, Target: "/ro", Mode: 0o755, ReadOnly: true}, AccessWrite)
	tr.add(Mount{Op: OpFile, Target: "/ro/file", Mode: 0o644, Content: "there\n"}, "")
	tr.Checks = append(tr.Checks, Check{"read-only", "/ro"})
	if o := tr.run(""); o.stdout != "there\n" || !strings.Contains(o.stderr, "Read-only") {
		t.Errorf("%q %q %v", o.stdout, o.stderr, o.err)
	}
}

// TestMountTable reads what the kernel says of every mount inside: there are
// those of the plan and no other, and each has the attributes that it must.
func TestMountTable(t *testing.T) {
	dir := treeOf(t, map[string]string{".env": "", "x": ""})
	tr := newTrial(t, "cat", "/proc/self/mountinfo")
	tr.bind(dir, "/rw", AccessWrite)
	tr.bind(dir, "/ro", AccessRead)
	tr.add(Mount{Op: OpMask, Target: "/rw/.env"}, "")
	tr.add(Mount{Op: OpOverlay, Source: dir, Target: "/co", Identity: identity(t, dir), Hide: []string{".env"}}, AccessRead)
	want := map[string]string{"/": "ro nodev"}
	for _, m := range tr.Mounts {
		switch {
		case m.Op == OpDir || m.Op == OpFile || m.Op == OpSymlink:
		case m.Op == OpMask || m.Op == OpOverlay || m.ReadOnly:
			want[m.Target] = "ro nodev"
		case m.Device:
			want[m.Target] = "rw dev"
		case m.Op == OpDevpts:
			want[m.Target] = "rw dev noexec"
		case m.Op == OpProc:
			want[m.Target] = "rw nodev noexec"
		default:
			want[m.Target] = "rw nodev"
		}
	}
	got := map[string]string{}
	for line := range strings.Lines(tr.ok("").stdout) {
		f := strings.Fields(line)
		if strings.HasPrefix(f[4], "/proc/") {
			if options := strings.Join(strings.Split(f[5], ",")[:4], ","); options != "ro,nosuid,nodev,noexec" {
				t.Errorf("%s is mounted %s", f[4], f[5])
			}
			continue
		}
		options := "," + f[5] + ","
		if !strings.Contains(options, ",nosuid,") {
			t.Errorf("%s is mounted %s, without nosuid", f[4], f[5])
		}
		if got[f[4]] != "" {
			t.Errorf("%s is mounted twice", f[4])
		}
		got[f[4]] = f[5][:2] + " dev"
		if strings.Contains(options, ",nodev,") {
			got[f[4]] = f[5][:2] + " nodev"
		}
		if strings.Contains(options, ",noexec,") {
			got[f[4]] += " noexec"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mounts inside (-want +got):\n%s", diff)
	}
}

func TestManyMounts(t *testing.T) {
	dir := treeOf(t, nil)
	tr := newTrial(t, "true")
	tr.bind(dir, "/many", AccessRead)
	for i := range 1000 {
		name := fmt.Sprintf("f%d", i)
		write(t, dir, map[string]string{name: ""})
		tr.add(Mount{Op: OpMask, Target: "/many/" + name}, "")
	}
	tr.ok("")
}
