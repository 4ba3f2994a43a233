package hcl_test

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/agentenv/agentenv/hcl"
)

const (
	config      = "/home/u/.config/agentenv"
	exampleHash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
)

// having are the options of a workspace that has these files besides its spec:
// user.hcl and workspaces/NAME.hcl are the user's, all others lie beside the
// spec. Every vendored tree has the same hash.
func having(files map[string]string) hcl.Options {
	o := options()
	o.Read = func(tree, name string) ([]byte, error) {
		text, ok := files[path.Join(tree, name)]
		if !ok {
			return nil, fmt.Errorf("open: %w", fs.ErrNotExist)
		}
		return []byte(text), nil
	}
	o.HashTree = func(tree string) (string, error) {
		for name := range files {
			if matched, _ := path.Match(tree+"/*", name); matched {
				return exampleHash, nil
			}
		}
		return "", fs.ErrNotExist
	}
	o.User = func(name string) (hcl.Source, error) {
		for _, ext := range []string{".hcl", ".hcl.json"} {
			if text, ok := files[name+ext]; ok {
				return hcl.Source{Name: filepath.Join(config, name+ext), Src: []byte(text)}, nil
			}
		}
		return hcl.Source{}, nil
	}
	return o
}
