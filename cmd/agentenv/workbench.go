package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// workbench is where Nix works for one command: a private directory that holds
// generated files and a lock, and nothing of the project.
type workbench struct {
	cli  nix.CLI
	dir  string
	lock []byte // what the inputs are locked to
}

// attribute is what is built of a generated flake.
var attribute = "packages." + systems[runtime.GOARCH] + ".manifest"

// systems are Nix's names of the systems that agentenv runs on, by GOARCH.
var systems = map[string]string{"amd64": "x86_64-linux", "arm64": "aarch64-linux"}

// withNix calls do with a workbench, which is gone afterwards. A signal ends
// Nix, and then do.
func (c *common) withNix(ctx context.Context, ws *workspace.Workspace, dirs state.Dirs, do func(context.Context, *workbench) error) error {
	refused, err := untrusted(ws, dirs)
	if err != nil {
		return coded(codeFailed, err)
	}
	return c.bench(ctx, refused, do)
}

// bench is withNix for programs that do not lie where refused says.
func (c *common) bench(ctx context.Context, refused func(dir string) bool, do func(context.Context, *workbench) error) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	program, err := nix.Find(os.Getenv("PATH"), refused)
	if errors.Is(err, nix.ErrNotFound) {
		err = fmt.Errorf("%w; install it from https://nixos.org/download, or take the programs of this machine: environment { from = \"host\" }", err)
	}
	if err != nil {
		return coded(codeFailed, err)
	}
	temp, err := os.MkdirTemp("", "agentenv-")
	if err != nil {
		return coded(codeFailed, err)
	}
	defer os.RemoveAll(temp)
	shown := newProgress(c.io.Err)
	defer shown.done()
	w := &workbench{dir: temp, cli: nix.CLI{Program: program, Env: safeEnviron(os.Environ(), refused), Progress: shown.line}}
	if c.verbose {
		w.cli.Stderr, w.cli.Progress = cleaned{c.io.Err}, nil
	}
	err = oldEnough(ctx, w.cli)
	if err == nil {
		err = do(ctx, w)
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// oldEnough fails for a nix that is too old to work with.
func oldEnough(ctx context.Context, cli nix.CLI) error {
	version, err := cli.Version(ctx)
	if err == nil && version.Before(nix.Oldest) {
		err = fmt.Errorf("use %s: it is older than %d.%d; upgrade Nix", version.Text, nix.Oldest.Major, nix.Oldest.Minor)
	}
	return coded(codeFailed, err)
}

// stage makes a directory of the flake of ws.
func (w *workbench) stage(ws *workspace.Workspace) (string, error) {
	tree, err := nixgen.Generate(ws, version)
	if err != nil {
		return "", coded(codeUsage, err)
	}
	dir, err := nix.Stage(tree, w.lock, w.dir)
	return dir, coded(codeFailed, err)
}

// pin has do lock inputs of ws, and remembers to what.
func (w *workbench) pin(ws *workspace.Workspace, lock []byte, do func(stage string) error) error {
	w.lock = lock
	stage, err := w.stage(ws)
	if err != nil {
		return err
	}
	if err := do(stage); err != nil {
		return err
	}
	w.lock, err = os.ReadFile(filepath.Join(stage, nix.LockFile))
	return coded(codeFailed, err)
}

// complete locks the inputs of ws that the lock lacks.
func (w *workbench) complete(ctx context.Context, ws *workspace.Workspace, lock []byte) error {
	return w.pin(ws, lock, func(stage string) error { return w.cli.Lock(ctx, stage) })
}

// check evaluates ws and builds nothing.
func (w *workbench) check(ctx context.Context, ws *workspace.Workspace) error {
	stage, err := w.stage(ws)
	if err != nil {
		return err
	}
	return w.cli.Check(ctx, stage, attribute)
}

// build builds ws, has link lead to its manifest, and reads that.
func (w *workbench) build(ctx context.Context, ws *workspace.Workspace, link string) (*workspace.Environment, error) {
	stage, err := w.stage(ws)
	if err != nil {
		return nil, err
	}
	manifest, err := w.cli.Build(ctx, stage, attribute, link)
	if err != nil {
		return nil, err
	}
	return nix.ReadManifest(manifest)
}

// cleaned takes out of what Nix writes all that a terminal would obey. A
// character that is cut in two is lost.
type cleaned struct{ out io.Writer }

func (c cleaned) Write(p []byte) (int, error) {
	_, err := io.WriteString(c.out, visible(strings.ReplaceAll(string(p), "\r", "\n")))
	return len(p), err
}
