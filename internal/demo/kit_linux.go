package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/internal/fixture"
)

// kit is what all worlds share: the package set, the repository as a flake and
// the agentenv program, none of them writable by an agent.
type kit struct {
	dir      string
	nixpkgs  string // path of the package set
	self     string // path of the copy of this repository
	agentenv string // the program
	goCache  string // the caller's, for what is compiled outside of the sandbox
}

func newKit(ctx context.Context) (*kit, error) {
	claude, err := fixture.Claude(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "agentenv-kit-")
	if err != nil {
		return nil, err
	}
	k := &kit{dir: dir, agentenv: filepath.Join(dir, "bin", "agentenv")}
	if err := k.fill(ctx, claude); err != nil {
		return nil, errors.Join(err, k.remove())
	}
	return k, nil
}

func (k *kit) fill(ctx context.Context, claude string) (err error) {
	if k.nixpkgs, err = fixture.Nixpkgs(filepath.Join(k.dir, "nixpkgs"), claude); err != nil {
		return err
	}
	if k.self, err = fixture.Self(filepath.Join(k.dir, "agentenv")); err != nil {
		return err
	}
	root, err := fixture.Root()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", k.agentenv, "./cmd/agentenv")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build agentenv: %w\n%s", err, out)
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("ask go for its cache: %w", err)
	}
	k.goCache = strings.TrimSpace(string(out))
	return nil
}

func (k *kit) remove() error { return os.RemoveAll(k.dir) }
