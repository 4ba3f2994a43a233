package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/require"
	"github.com/agentenv/agentenv/launcher"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

// TestMain is agentenv itself when a script runs it, and its hidden stages.
func TestMain(m *testing.M) {
	launcher.Stage()
	testscript.Main(fixture.M{Tests: m}, map[string]func(){"agentenv": main})
}

// TestScripts runs testdata/script: what the commands print and how they exit.
// HOME is the script's own.
func TestScripts(t *testing.T) {
	_, err := launcher.LandlockABI()
	require.Have(t, "landlock", err)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               ownHome,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": cmdStatus},
	})
}

func ownHome(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	e.Setenv("HOME", home)
	e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
	e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "cache"))
	e.Setenv("TERM", "dumb")
	return os.MkdirAll(home, 0o700)
}

// cmdStatus is `status CODE exec ARG…`: the command must exit with the code.
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[1] != "exec" {
		ts.Fatalf("usage: status CODE exec PROGRAM [ARG...]")
	}
	err := ts.Exec(args[2], args[3:]...)
	got := 0
	var e *exec.ExitError
	if errors.As(err, &e) {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("run %s: %v", args[2], err)
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}
