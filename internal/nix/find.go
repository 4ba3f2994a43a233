package nix

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotFound is in the error of Find when there is no nix command to use.
var ErrNotFound = errors.New("nix not found")

// Find returns the canonical path of the nix command: of the first one in
// pathEnv, the value of PATH, that may be used. Relative entries and those that
// refuse holds for are passed over, for the entry itself and for where its links
// lead: a program that an agent can replace is not run outside its sandbox.
func Find(pathEnv string, refuse func(dir string) bool) (string, error) {
	var passed []string
	for _, dir := range filepath.SplitList(pathEnv) {
		file := filepath.Join(dir, "nix")
		if !executable(file) {
			continue
		}
		if !filepath.IsAbs(dir) || refuse(dir) {
			passed = append(passed, file)
			continue
		}
		program, err := filepath.EvalSymlinks(file)
		if err != nil {
			return "", fmt.Errorf("find nix: %w", err)
		}
		if refuse(filepath.Dir(program)) {
			passed = append(passed, file)
			continue
		}
		return program, nil
	}
	if passed != nil {
		return "", fmt.Errorf("find nix: %w in PATH, except where an agent can write: %s", ErrNotFound, strings.Join(passed, ", "))
	}
	return "", fmt.Errorf("find nix: %w in PATH", ErrNotFound)
}

func executable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
