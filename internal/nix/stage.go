package nix

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// LockFile is the name of the file in which Nix pins the inputs of a flake.
const LockFile = "flake.lock"

// staged are the files that Nix gets to see.
var staged = []string{"agentenv.json", "flake.nix"}

// Stage makes a private directory below tmp that holds the generated files of
// tree and lock, unless that is nil, and returns it. Evaluating this directory
// and not the project is what keeps the project's files out of the store, which
// is readable by everyone: outside git Nix copies the whole directory of a flake.
//
// The caller removes it, and copies LockFile back if it changed.
func Stage(tree map[string][]byte, lock []byte, tmp string) (dir string, err error) {
	if got := slices.Sorted(maps.Keys(tree)); !slices.Equal(got, staged) {
		return "", fmt.Errorf("stage flake: got files %q, want %q", got, staged)
	}
	if dir, err = os.MkdirTemp(tmp, "stage-"); err != nil { // mode 0700
		return "", fmt.Errorf("stage flake: %w", err)
	}
	files := maps.Clone(tree)
	if lock != nil {
		files[LockFile] = lock
	}
	for name, contents := range files {
		if err := os.WriteFile(filepath.Join(dir, name), contents, 0o600); err != nil {
			return "", errors.Join(fmt.Errorf("stage flake: %w", err), os.RemoveAll(dir))
		}
	}
	return dir, nil
}
