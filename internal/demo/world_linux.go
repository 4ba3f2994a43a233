package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/standin"
)

// world is the human's machine in small: a home with a key, two checkouts and a
// project, and two services of the host that no agent should reach.
type world struct {
	kit     *kit
	dir     string
	home    string
	project string // a git repository, the only place the agent may write
	secret  string // what ~/.ssh/id_rsa holds

	model *standin.Server
	port  int // of the model, on 127.0.0.1

	agent    door // a unix socket, as an ssh agent's
	database door // a TCP port of the host's loopback

	before map[string]string // of all that must not change
	said   bytes.Buffer      // what agentenv and the agent have printed
}

// door is a service of the host that counts who comes in.
type door struct {
	listener net.Listener
	visits   atomic.Int64
}

func (d *door) open(network, address string) (err error) {
	if d.listener, err = net.Listen(network, address); err != nil {
		return err
	}
	go func() {
		for {
			c, err := d.listener.Accept()
			if err != nil {
				return
			}
			d.visits.Add(1)
			c.Close()
		}
	}()
	return nil
}

// newWorld makes a world; prepare makes it ready for the agent.
func newWorld(ctx context.Context, k *kit) (*world, error) {
	dir, err := os.MkdirTemp("", "agentenv-demo-")
	if err != nil {
		return nil, err
	}
	w := &world{kit: k, dir: dir, home: filepath.Join(dir, "home"), secret: "decoy key " + random() + "\n"}
	w.project = filepath.Join(w.home, "src", "shop")
	if err := w.furnish(ctx); err != nil {
		return nil, errors.Join(err, w.remove())
	}
	return w, nil
}

func random() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails, by its documentation
	return hex.EncodeToString(b)
}

// remove ends the services and clears the world away.
func (w *world) remove() error {
	if w.model != nil {
		w.model.Close()
	}
	for _, d := range []*door{&w.agent, &w.database} {
		if d.listener != nil {
			d.listener.Close()
		}
	}
	return os.RemoveAll(w.dir)
}

// write makes a file below the home.
func (w *world) write(name, content string) error {
	path := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

func (w *world) furnish(ctx context.Context) error {
	for name, content := range homeFiles {
		if err := w.write(name, content); err != nil {
			return err
		}
	}
	key := filepath.Join(w.home, ".ssh", "id_rsa")
	if err := errors.Join(os.Mkdir(filepath.Dir(key), 0o700), os.WriteFile(key, []byte(w.secret), 0o600)); err != nil {
		return err
	}
	if err := w.serve(); err != nil {
		return err
	}
	if err := w.write("src/shop/workspace.hcl", w.spec()); err != nil {
		return err
	}
	for _, name := range []string{"billing", "platform", "shop"} {
		if err := w.commit(ctx, filepath.Join(w.home, "src", name)); err != nil {
			return err
		}
	}
	return nil
}

// commit makes dir a git repository of all that is in it, or adds to it.
func (w *world) commit(ctx context.Context, dir string) error {
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "-A"},
		{"-c", "user.name=Human", "-c", "user.email=human@example.org", "commit", "-q", "-m", "Start"},
	} {
		if _, err := w.command(ctx, dir, "git", args...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program as the human, outside of the sandbox, and returns
// what it printed.
func (w *world) command(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, w.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// environ is the human's: with a key for the model, and with the address of
// their ssh agent, which no agent should learn.
func (w *world) environ() []string {
	return append(fixture.Environ(w.dir),
		"ANTHROPIC_API_KEY=sk-ant-of-the-human", "SSH_AUTH_SOCK="+w.socket(), "GOCACHE="+w.kit.goCache, "TERM=dumb")
}

func (w *world) socket() string { return filepath.Join(w.home, ".ssh", "agent.sock") }

// serve starts the model and the services of the host.
func (w *world) serve() error {
	if err := errors.Join(w.agent.open("unix", w.socket()), w.database.open("tcp", "127.0.0.1:0")); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	w.port = l.Addr().(*net.TCPAddr).Port
	w.model = standin.New(w.script())
	go w.model.Serve(l)
	return nil
}

// databasePort is the port of the host's service.
func (w *world) databasePort() int { return w.database.listener.Addr().(*net.TCPAddr).Port }

// prepare generates the flake, commits it, and builds the environment.
func (w *world) prepare(ctx context.Context) error {
	for _, args := range [][]string{{"--dev", "gen"}, {"--dev", "build"}} {
		if _, err := w.command(ctx, w.project, w.kit.agentenv, args...); err != nil {
			return err
		}
	}
	if err := w.commit(ctx, w.project); err != nil {
		return err
	}
	var err error
	w.before, err = w.snapshot()
	return err
}

// run is `agentenv run`, as a human would start the agent.
func (w *world) run(ctx context.Context) error {
	return w.start(ctx, w.kit.agentenv, "--dev", "run")
}

// runFlake is `nix run` of the generated flake.
func (w *world) runFlake(ctx context.Context) error { return w.start(ctx, "nix", "run", ".#agent") }

func (w *world) start(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.project, w.environ(), &w.said, &w.said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, &w.said)
	}
	return nil
}
