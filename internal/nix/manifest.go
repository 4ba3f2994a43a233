package nix

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// manifestVersion is the version of manifest.json that this release reads, and
// templates/lib/manifest.nix writes.
const manifestVersion = 1

// maxManifest and maxGraph bound what is read, in bytes. A path takes 100 to
// 5,000 bytes of a graph.
const (
	maxManifest = 1 << 20
	maxGraph    = 1 << 28
)

// manifest is manifest.json. Null is "" in Go.
type manifest struct {
	Version     int               `json:"version"`
	Workspace   string            `json:"workspace"`
	Digest      string            `json:"digest"`
	System      string            `json:"system"`
	Environment string            `json:"environment"`
	Sources     string            `json:"sources"`
	Base        string            `json:"base"`
	Loader      string            `json:"loader"`
	Shell       string            `json:"shell"`
	Env         string            `json:"env"`
	Vars        map[string]string `json:"vars"`
	MissingBase []string          `json:"missing_base"`
	Derivation  string            `json:"derivation"` // not in the closure: nothing inside needs it
}

// ReadManifest reads the manifest at path, a store path as Build returns it.
//
// It establishes that every path in it is well formed, that the export graph is
// complete, and that every path named lies in it. It does not look whether the
// paths exist: the garbage collector spares what a root refers to.
func ReadManifest(path string) (*workspace.Environment, error) {
	if _, err := ParseStorePath(path); err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	env, err := readManifest(path, path)
	if err != nil {
		return nil, fmt.Errorf("read manifest %s: %w", path, err)
	}
	return env, nil
}

// readManifest reads the manifest that is called path from a directory.
func readManifest(path, dir string) (*workspace.Environment, error) {
	m, err := decodeManifest(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	closure, err := readGraph(filepath.Join(dir, "closure"))
	if err != nil {
		return nil, err
	}
	if err := m.check(closure); err != nil {
		return nil, err
	}
	if at, found := slices.BinarySearch(closure, path); !found {
		closure = slices.Insert(closure, at, path)
	}
	return &workspace.Environment{
		Workspace:   m.Workspace,
		Digest:      m.Digest,
		System:      m.System,
		Manifest:    path,
		Path:        m.Environment,
		Sources:     m.Sources,
		Base:        m.Base,
		Loader:      m.Loader,
		Shell:       m.Shell,
		Env:         m.Env,
		Vars:        m.Vars,
		MissingBase: m.MissingBase,
		Derivation:  m.Derivation,
		Closure:     closure,
	}, nil
}

func decodeManifest(file string) (manifest, error) {
	f, err := os.Open(file)
	if err != nil {
		return manifest{}, err
	}
	defer f.Close()
	var version struct{ Version int }
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return manifest{}, err
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return manifest{}, fmt.Errorf("parse %s: %w", filepath.Base(file), err)
	}
	if version.Version != manifestVersion {
		return manifest{}, fmt.Errorf("it has version %d, this agentenv reads version %d", version.Version, manifestVersion)
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return manifest{}, fmt.Errorf("parse %s: %w", filepath.Base(file), err)
	}
	return m, nil
}

func readGraph(file string) ([]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: maxGraph}
	closure, err := ParseGraph(limited)
	if err == nil && limited.N == 0 {
		err = errors.New("parse export graph: it is too large")
	}
	return closure, err
}

// check establishes that every path of m lies in a store object of closure.
func (m manifest) check(closure []string) error {
	if m.Derivation != "" {
		if _, err := parseDerivationPath(m.Derivation); err != nil {
			return err
		}
	}
	for _, object := range []string{m.Environment, m.Sources} {
		if _, found := slices.BinarySearch(closure, object); !found {
			return fmt.Errorf("%q is not in the closure", object)
		}
	}
	// A variable may be a list, as PATH is.
	files := []string{m.Base, m.Loader, m.Shell, m.Env}
	for _, name := range slices.Sorted(maps.Keys(m.Vars)) {
		files = append(files, strings.Split(m.Vars[name], ":")...)
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		object, err := parseInside(file)
		if err != nil {
			return err
		}
		if _, found := slices.BinarySearch(closure, object); !found {
			return fmt.Errorf("%s is not in the closure", file)
		}
	}
	return nil
}
