package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
	"golang.org/x/sys/unix"
)

// environment is the built environment of ws: from the cache when all that it
// is made from is unchanged, else built. It is nil when the workspace takes its
// programs from the host.
func (c *common) environment(ctx context.Context, ws *workspace.Workspace, dirs state.Dirs) (*workspace.Environment, error) {
	if ws.Nix.From == workspace.FromHost {
		return nil, nil
	}
	tree, err := nixgen.Generate(ws, version)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	lock, err := usual(ws).read(nix.LockFile)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	if env, err := cached(dirs.Environment(key(ws, tree, lock))); err == nil {
		return env, nil
	}
	link, locked, err := c.build(ctx, ws, tree, lock, dirs)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(lock, locked) {
		if err := keepLock(ws, locked); err != nil {
			return nil, coded(codeFailed, err)
		}
	}
	env, err := cached(link)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	if len(env.MissingBase) > 0 {
		fmt.Fprintf(c.io.Err, "agentenv: this package set lacks parts of the base: %s\n", strings.Join(env.MissingBase, ", "))
	}
	return env, nil
}

// keepLock copies the lock that Nix made to the generated files.
func keepLock(ws *workspace.Workspace, lock []byte) error {
	root, err := usual(ws).make()
	if err != nil {
		return err
	}
	defer root.Close()
	return nixgen.Replace(root, nix.LockFile, lock)
}

// cached reads the manifest behind the link that roots it. A garbage collection
// that ignored the root leaves a dangling link, which is an error as any other.
func cached(link string) (*workspace.Environment, error) {
	path, err := filepath.EvalSymlinks(link)
	if err != nil {
		return nil, err
	}
	return nix.ReadManifest(path)
}

// key names an environment by all that decides its content. The policy side is
// not in it: a change of grants builds nothing.
func key(ws *workspace.Workspace, tree nixgen.Tree, lock []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(version), []byte(nixgen.Digest(ws.Nix)), tree["flake.nix"], lock} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// build has Nix build the manifest in a private directory that holds only the
// generated files. It returns the link that roots the manifest, and the lock
// that Nix left.
func (c *common) build(ctx context.Context, ws *workspace.Workspace, tree nixgen.Tree, lock []byte, dirs state.Dirs) (link string, locked []byte, err error) {
	// Only here: a session passes signals on to its program.
	ctx, stop := signal.NotifyContext(ctx, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	refused, err := untrusted(ws, dirs)
	if err != nil {
		return "", nil, coded(codeFailed, err)
	}
	program, err := nix.Find(os.Getenv("PATH"), refused)
	if err != nil {
		return "", nil, coded(codeFailed, err)
	}
	temp, err := os.MkdirTemp("", "agentenv-")
	if err != nil {
		return "", nil, coded(codeFailed, err)
	}
	defer os.RemoveAll(temp)
	stage, err := nix.Stage(tree, lock, temp)
	if err != nil {
		return "", nil, coded(codeFailed, err)
	}
	cli := nix.CLI{Program: program, Env: safeEnviron(os.Environ(), refused), Progress: func(line string) { fmt.Fprintln(c.io.Err, line) }}
	if err := cli.Lock(ctx, stage); err != nil {
		return "", nil, explain(ws, err)
	}
	if locked, err = os.ReadFile(filepath.Join(stage, nix.LockFile)); err != nil {
		return "", nil, coded(codeFailed, err)
	}
	link = dirs.Environment(key(ws, tree, locked))
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return "", nil, coded(codeFailed, err)
	}
	if _, err := cli.Build(ctx, stage, "packages."+systems[runtime.GOARCH]+".manifest", link); err != nil {
		return "", nil, explain(ws, err)
	}
	return link, locked, nil
}

// systems are Nix's names of the systems that agentenv runs on, by GOARCH.
var systems = map[string]string{"amd64": "x86_64-linux", "arm64": "aarch64-linux"}

// explain says what Nix found wrong, each finding with the line of the spec that
// it is about.
func explain(ws *workspace.Workspace, err error) error {
	var e *nix.Error
	if !errors.As(err, &e) || len(e.Findings) == 0 {
		return coded(codeFailed, err)
	}
	var lines []string
	for _, f := range e.Findings {
		line := f.Message
		if at, ok := ws.Nix.Positions[f.Entry]; ok {
			line = at.String() + ": " + line
		} else if f.Entry != "" {
			line = f.Entry + ": " + line
		}
		lines = append(lines, line)
	}
	return exit{codeFailed, fmt.Errorf("build environment: %s", strings.Join(lines, "\n          "))}
}
