package nix

import (
	"fmt"
	"path"
	"strings"

	"github.com/nix-community/go-nix/pkg/storepath"
)

// StoreDir is the directory of the store. Others exist, but no binary cache has
// anything for them.
const StoreDir = storepath.StoreDir

// maxName is the length of a store path's name in bytes (Nix, src/libstore/path.cc).
const maxName = 211

// ParseStorePath returns s when it is the path of a store object, exactly:
// /nix/store, a slash, 32 characters of hash, a dash, a name, and nothing below.
//
// go-nix reads the hash. It also accepts another directory in front, another
// character than the dash, an empty name and one of any length; the rest here
// is what Nix demands besides.
func ParseStorePath(s string) (string, error) {
	p, err := storepath.FromAbsolutePath(s)
	if err != nil {
		return "", fmt.Errorf("parse store path %q: %w", s, err)
	}
	if p.Absolute() != s {
		return "", fmt.Errorf("parse store path %q: it reads as %q", s, p.Absolute())
	}
	if err := checkName(p.Name); err != nil {
		return "", fmt.Errorf("parse store path %q: %w", s, err)
	}
	return s, nil
}

// checkName establishes what Nix asks of a name and go-nix does not: no "." and
// ".." and nothing that starts with one of them and a dash.
func checkName(name string) error {
	switch first, _, _ := strings.Cut(name, "-"); {
	case name == "":
		return fmt.Errorf("the name is empty")
	case len(name) > maxName:
		return fmt.Errorf("the name has %d characters, at most %d are allowed", len(name), maxName)
	case first == "." || first == "..":
		return fmt.Errorf("the name starts with %q", first)
	}
	return nil
}

// parseInside returns the store object that s, a path of something in the store,
// lies in. s is a store path or a clean path below one.
func parseInside(s string) (object string, err error) {
	if path.Clean(s) != s || strings.ContainsRune(s, 0) {
		return "", fmt.Errorf("parse path in the store: %q is not clean", s)
	}
	rest, found := strings.CutPrefix(s, StoreDir+"/")
	if !found {
		return "", fmt.Errorf("parse path in the store: %q is not in %s", s, StoreDir)
	}
	name, _, _ := strings.Cut(rest, "/")
	return ParseStorePath(StoreDir + "/" + name)
}
