package nix_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/nix"
)

// TestHashTree holds the hash against Nix's own.
func TestHashTree(t *testing.T) {
	fixture.Need(t)
	for name, fill := range map[string]func(dir string) error{
		"empty": func(string) error { return nil },
		"files": func(dir string) error {
			return errors.Join(
				os.WriteFile(filepath.Join(dir, "a"), []byte("12345678"), 0o644),
				os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600),
				os.WriteFile(filepath.Join(dir, "run"), []byte("#!/bin/sh\n"), 0o755),
				os.WriteFile(filepath.Join(dir, "large"), make([]byte, 200_001), 0o644))
		},
		"links": func(dir string) error {
			return errors.Join(os.Symlink("/etc/passwd", filepath.Join(dir, "out")), os.Symlink("nowhere", filepath.Join(dir, "dangling")))
		},
		"names": func(dir string) error {
			var err error
			for _, n := range []string{"a", "a!", "a-b", "a.b", "a+", ")", "..data", "...", "\xff", "ä", strings.Repeat("n", 255)} {
				err = errors.Join(err, os.MkdirAll(filepath.Join(dir, n, "below"), 0o755))
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := fill(dir); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("nix", "--extra-experimental-features", "nix-command", "hash", "path", dir)
			cmd.Env = fixture.Environ(t.TempDir())
			want, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got, err := hashTree(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got != strings.TrimSpace(string(want)) {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func hashTree(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return nix.HashTree(root)
}

func TestHashTreeRefuses(t *testing.T) {
	for name, fill := range map[string]func(dir string) error{
		"a FIFO": func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600) },
		"depth": func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", 70)), 0o755)
		},
	} {
		dir := t.TempDir()
		if err := fill(dir); err != nil {
			t.Fatal(err)
		}
		if hash, err := hashTree(dir); err == nil {
			t.Errorf("%s has the hash %s", name, hash)
		}
	}
	if _, err := hashTree(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

// TestHashTreeTellsApart holds that each thing in a tree counts.
func TestHashTreeTellsApart(t *testing.T) {
	seen := map[string]string{}
	for i, tree := range []struct {
		name, text string
		mode       fs.FileMode
	}{{"a", "x", 0o644}, {"b", "x", 0o644}, {"a", "y", 0o644}, {"a", "x", 0o755}} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, tree.name), []byte(tree.text), tree.mode); err != nil {
			t.Fatal(err)
		}
		hash, err := hashTree(dir)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[hash]; ok {
			t.Errorf("tree %d has the hash of %s", i, other)
		}
		seen[hash] = fmt.Sprint(tree)
	}
}
