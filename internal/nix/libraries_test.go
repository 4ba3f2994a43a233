package nix_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/workspace"
)

const cgoProgram = `package main

// #cgo pkg-config: libgreet
// #include <greet.h>
// #include <hour.h>
// #include <stdio.h>
import "C"

func main() {
	text := C.GoString(C.greet_text(C.greet_part_of_day(C.HOURS + 9)))
	println(text, C.BUFSIZ > 0)
}
`

// TestLibraries compiles, links and runs a cgo program where nothing is to be
// seen but the closure of the environment, with a compiler that is wrapped for
// the set's libc and with one that knows none.
func TestLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a compiler and the runtime of cgo")
	}
	b := newBench(t)
	for name, test := range map[string]struct{ packages, libraries []workspace.Package }{
		"wrapped":   {packages("gcc", "go", "pkg-config"), packages("libgreet")},
		"unwrapped": {packages("gcc-unwrapped", "go", "pkg-config"), packages("glibc", "glibc-dev", "libgreet")},
	} {
		t.Run(name, func(t *testing.T) {
			env := b.mustBuild(b.workspace(func(n *workspace.Nix) {
				n.Base, n.Loader = true, true
				n.Packages, n.Libraries = test.packages, test.libraries
			}))
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "main.go"), cgoProgram)
			writeFile(t, filepath.Join(dir, "go.mod"), "module greet\n")
			out := closed(t, env, dir, "CGO_ENABLED=1 go build -o greet . && env -i ./greet")
			if want := "Good morning true\n"; out != want {
				t.Errorf("got %q, want %q", out, want)
			}
		})
	}
}

// closed runs a script where nothing is to be seen but the closure of env and
// dir, and returns what it prints.
func closed(t *testing.T, env *workspace.Environment, dir, script string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	// Compiling Go's library anew takes half a minute.
	cache = filepath.Join(cache, "agentenv-test", "go-build")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{"--unshare-all", "--clearenv", "--tmpfs", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
		"--bind", dir, "/work", "--bind", cache, "/cache", "--chdir", "/work",
		"--setenv", "GOCACHE", "/cache", "--setenv", "HOME", "/tmp", "--setenv", "PATH", env.Path + "/bin",
		"--symlink", env.Shell, "/bin/sh", "--symlink", env.Loader, "/lib64/" + filepath.Base(env.Loader)}
	for _, object := range env.Closure {
		args = append(args, "--ro-bind", object, object)
	}
	for name, value := range env.Vars {
		args = append(args, "--setenv", name, value)
	}
	out, err := exec.Command("bwrap", append(args, "--", "/bin/sh", "-c", script)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.ReplaceAll(string(out), "\r", "")
}
