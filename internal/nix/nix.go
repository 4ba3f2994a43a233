// Package nix runs the nix command and reads what it made: manifests, export
// graphs and store paths. It is the only importer of go-nix, whose parsers
// accept more than Nix does, and uses its leaves only.
//
// It knows no spec: what an entry is called is all that it tells of one. It
// writes no configuration of Nix, parses no output that changed between
// versions, and never runs what it finds in the store.
package nix

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// CLI is a nix command and how it is run.
type CLI struct {
	Program  string            // absolute path, as Find returns it
	Env      []string          // the whole environment, NAME=VALUE; nothing else is passed
	Stderr   io.Writer         // gets all that nix writes there as it comes; may be nil
	Progress func(line string) // told of each build, copy and download that starts, and how many there will be; may be nil
}

// flags make flakes work whatever the user's configuration says, and let errors
// name the entry of the spec. All are known to Nix 2.8 and newer.
var flags = []string{
	"--extra-experimental-features", "nix-command flakes",
	"--no-warn-dirty",
	"--show-trace",
}

// killDelay is how long nix gets to remove its temporary files and its builders
// when it is told to end.
const killDelay = 10 * time.Second

// run runs nix in dir and returns what it wrote to standard output. Its error is
// an *Error when nix itself failed.
func (c CLI) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	stdout, _, err := c.start(ctx, "nix", dir, args...)
	return stdout, err
}

// start runs the program by one of its names: what nix-store says did not change
// between versions. It lies beside nix, and where it does not, nix is called by
// its name.
func (c CLI) start(ctx context.Context, name, dir string, args ...string) (out []byte, words string, err error) {
	var stdout bytes.Buffer
	stderr := &transcript{out: c.Stderr, progress: c.Progress}
	program := c.Program
	if beside := filepath.Join(filepath.Dir(program), name); executable(beside) {
		program = beside
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Args[0] = name
	cmd.Dir = dir
	cmd.Env = append([]string{}, c.Env...) // nil would mean ours
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	// Nix takes SIGTERM as it takes an interrupt, and a shell that starts us in
	// the background has interrupts ignored.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = killDelay
	err = cmd.Run()
	stderr.flush()
	switch {
	case err == nil:
		return stdout.Bytes(), stderr.String(), nil
	case ctx.Err() != nil:
		return nil, "", fmt.Errorf("run %s %s: %w", name, args[0], ctx.Err())
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		command := args[0]
		if name != "nix" {
			command = "build" // by the name of the newer command for it
		}
		return nil, "", newError(command, exit.String(), stderr.String())
	}
	return nil, "", fmt.Errorf("run %s %s: %w", name, args[0], err)
}

// dryRun returns what nix-store says that it would do to have the outputs of
// derivations.
func (c CLI) dryRun(ctx context.Context, derivations []string) (string, error) {
	_, words, err := c.start(ctx, "nix-store", "/", append([]string{"--realise", "--dry-run"}, derivations...)...)
	return words, err
}

// Check evaluates one attribute of the flake in stage, such as
// packages.x86_64-linux.manifest, to its derivation, and builds nothing. What
// flake.lock lacks is locked first, in stage.
func (c CLI) Check(ctx context.Context, stage, attribute string) error {
	_, err := c.evaluate(ctx, stage, attribute)
	return err
}

// evaluate returns the store path of an attribute's derivation, which is in the
// store then.
func (c CLI) evaluate(ctx context.Context, stage, attribute string) (derivation string, err error) {
	// A failure that Nix remembers has lost its message: the second time it says
	// that the attribute is no set.
	args := append([]string{"eval", "--raw", "--option", "eval-cache", "false"}, flags...)
	out, err := c.run(ctx, stage, append(args, "path:.#"+attribute+".drvPath")...)
	if err == nil {
		derivation, err = ParseStorePath(strings.TrimSpace(string(out)))
	}
	if err != nil {
		return "", fmt.Errorf("evaluate %s: %w", attribute, err)
	}
	return derivation, nil
}

// Update locks inputs of the flake in stage anew, at what their references mean
// now; all inputs when none is named. The others stay as they are.
func (c CLI) Update(ctx context.Context, stage string, inputs ...string) error {
	version, err := c.Version(ctx)
	if err != nil {
		return fmt.Errorf("update inputs: %w", err)
	}
	_, words, err := c.start(ctx, "nix", stage, updateArgs(version, inputs)...)
	if err != nil {
		return fmt.Errorf("update inputs: %w", err)
	}
	// Of a name that it does not know Nix only warns.
	if strings.Contains(words, "does not match any input") {
		return fmt.Errorf("update inputs: one of %q is no input of the flake", inputs)
	}
	return nil
}

// updateArgs spells an update. In Nix 2.19 the command got its present form: from
// then on the arguments of flake update are inputs, and --update-input is gone
// (release notes of 2.19).
func updateArgs(version Version, inputs []string) []string {
	if len(inputs) == 0 {
		args := append([]string{"flake", "update"}, flags...)
		if version.Before(Version{Major: 2, Minor: 19}) {
			return append(args, "path:.")
		}
		return append(args, "--flake", "path:.")
	}
	if version.Before(Version{Major: 2, Minor: 19}) {
		args := append([]string{"flake", "lock"}, flags...)
		for _, input := range inputs {
			args = append(args, "--update-input", input)
		}
		return append(args, "path:.")
	}
	args := append([]string{"flake", "update"}, flags...)
	return append(append(args, "--flake", "path:.", "--"), inputs...)
}

// Build builds one attribute of the flake in stage, such as
// packages.x86_64-linux.manifest, makes outLink a link to it that keeps it from
// the garbage collector, and returns its store path. What flake.lock lacks is
// locked first, in stage.
//
// stage is a directory that Stage made; outLink is absolute. Evaluating and
// building are two commands: nix-store says before it starts how much there is
// to do, and nix build does not.
func (c CLI) Build(ctx context.Context, stage, attribute, outLink string) (storePath string, err error) {
	if !filepath.IsAbs(outLink) {
		return "", fmt.Errorf("build %s: out link %s is not absolute", attribute, outLink)
	}
	derivation, err := c.evaluate(ctx, stage, attribute)
	if err != nil {
		return "", err
	}
	// Later versions than 2.8 take --indirect for granted, and still accept it.
	args := []string{"--realise", "--add-root", outLink, "--indirect", derivation}
	if c.Stderr == nil {
		args = append(args, "--no-build-output") // the end of the log of what fails is in the error then
	}
	out, _, err := c.start(ctx, "nix-store", stage, args...)
	if err != nil {
		return "", fmt.Errorf("build %s: %w", attribute, err)
	}
	built, err := os.Readlink(outLink)
	if err != nil {
		return "", fmt.Errorf("build %s: %w (nix-store says %q)", attribute, err, out)
	}
	if storePath, err = ParseStorePath(built); err != nil {
		return "", fmt.Errorf("build %s: %w", attribute, err)
	}
	return storePath, nil
}

// Lock completes the flake.lock in stage and evaluates nothing. What is locked
// stays as it is.
func (c CLI) Lock(ctx context.Context, stage string) error {
	args := append([]string{"flake", "lock"}, flags...)
	if _, err := c.run(ctx, stage, append(args, "path:.")...); err != nil {
		return fmt.Errorf("lock inputs: %w", err)
	}
	return nil
}

// transcript passes on what a command writes, keeps the end of it, and tells of
// progress line by line.
type transcript struct {
	out      io.Writer
	progress func(string)
	tail     []byte
	line     []byte
}

// tailSize bounds the error output that is kept, in bytes. Traces of Nixpkgs
// have hundreds of lines, and the message stands last in some versions of Nix
// and first in others.
const tailSize = 1 << 20

func (t *transcript) Write(p []byte) (int, error) {
	t.tail = append(t.tail, p...)
	if over := len(t.tail) - tailSize; over > 0 {
		t.tail = t.tail[over:]
	}
	for _, b := range p {
		if b != '\n' {
			t.line = append(t.line, b)
			continue
		}
		t.flush()
	}
	if t.out == nil {
		return len(p), nil
	}
	return t.out.Write(p)
}

// activities are the beginnings of the lines in which nix says what it starts,
// and how much it will do: "these 3 derivations will be built:".
var activities = []string{"building ", "copying ", "downloading ", "fetching ", "unpacking ", "querying ", "this ", "these "}

func (t *transcript) flush() {
	line := strings.TrimSpace(plain(string(t.line)))
	t.line = t.line[:0]
	if t.progress == nil {
		return
	}
	for _, start := range activities {
		if strings.HasPrefix(line, start) {
			t.progress(line)
			return
		}
	}
}

func (t *transcript) String() string { return plain(string(t.tail)) }

// plain takes colours and control characters out of what nix wrote: it quotes
// URLs, messages and logs of others, and the reader may be a terminal.
func plain(s string) string {
	s = patterns().colours.ReplaceAllString(s, "")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
