package nix

import (
	"fmt"
	"path"
	"strings"

	"github.com/nix-community/go-nix/pkg/nixbase32"
)

// StoreDir is the directory of the store. Others exist, but no binary cache has
// anything for them.
const StoreDir = "/nix/store"

const (
	hashLength = 32  // characters of base 32, for 20 bytes
	maxName    = 211 // bytes of a name (Nix, src/libstore/path.hh)
)

// ParseStorePath returns s when it is the path of a store object, exactly:
// /nix/store, a slash, 32 characters of hash, a dash, a name, and nothing below.
//
// go-nix's own storepath is not used for it: that accepts another directory in
// front, another character than the dash, and an empty name or one of any
// length, and compiles its patterns at every start.
func ParseStorePath(s string) (string, error) {
	rest, found := strings.CutPrefix(s, StoreDir+"/")
	if !found {
		return "", refuse(s, "it is not in %s", StoreDir)
	}
	if len(rest) <= hashLength || rest[hashLength] != '-' {
		return "", refuse(s, "it has no hash of %d characters and a dash", hashLength)
	}
	if err := nixbase32.ValidateString(rest[:hashLength]); err != nil {
		return "", refuse(s, "%v", err)
	}
	if err := checkName(s, rest[hashLength+1:]); err != nil {
		return "", err
	}
	return s, nil
}

// checkName establishes Nix's rules for the name of a store path: its
// characters, its length, and that it is not "." or ".." or one of them and a
// dash.
func checkName(s, name string) error {
	const others = "+-._?="
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(others, c) >= 0) {
			return refuse(s, "its name has the character %q", c)
		}
	}
	switch first, _, _ := strings.Cut(name, "-"); {
	case name == "":
		return refuse(s, "its name is empty")
	case len(name) > maxName:
		return refuse(s, "its name has %d characters, more than %d", len(name), maxName)
	case first == "." || first == "..":
		return refuse(s, "its name starts with %q", first)
	}
	return nil
}

func refuse(s, format string, args ...any) error {
	return fmt.Errorf("parse store path %q: "+format, append([]any{s}, args...)...)
}

// parseDerivationPath returns s when it is the store path of a derivation.
func parseDerivationPath(s string) (string, error) {
	if !strings.HasSuffix(s, ".drv") {
		return "", refuse(s, "it is not a derivation")
	}
	return ParseStorePath(s)
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
