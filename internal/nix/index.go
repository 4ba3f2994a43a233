package nix

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// Index is what the index.json of the sources says.
type Index struct {
	Sources []SourceTree `json:"sources"`
	Missing []Missing    `json:"missing"` // members of source sets without a tree
}

// SourceTree is one tree of an environment's sources. Text that is not known is
// "". All of it comes from the packages: it is to be shown, not to be obeyed.
type SourceTree struct {
	Name         string   `json:"name"`    // directory name below /src
	Package      string   `json:"package"` // as the spec names it
	Version      string   `json:"version"`
	URLs         []string `json:"urls"`
	Revision     string   `json:"revision"`
	Hash         string   `json:"hash"`
	Homepage     string   `json:"homepage"`
	Licences     []string `json:"licences"`
	Patches      []string `json:"patches"` // of the package, by name
	Patched      bool     `json:"patched"` // they are applied
	Via          string   `json:"via"`     // the attribute that led to it
	Source       *bool    `json:"source"`  // false: what was fetched is not source; nil: not known
	Notes        []string `json:"notes"`   // what a reader of the tree should know
	Path         string   `json:"path"`    // store path
	Bytes        int64    `json:"bytes"`
	Files        int      `json:"files"`
	OutwardLinks int      `json:"outward_links"` // symbolic links that lead out of it
}

// Missing is a member of a source set that has no tree, and why.
type Missing struct {
	Name string `json:"name"`
	Note string `json:"note"`
}

// largeTree is the size from which a tree is noted, in bytes: searching it takes
// an agent seconds.
const largeTree = 1 << 30

// ReadIndex reads the index of the sources at a store path, as a manifest names
// it. Size and links are among the notes where they matter.
func ReadIndex(sources string) (Index, error) {
	f, err := os.Open(filepath.Join(sources, "index.json"))
	if err != nil {
		return Index{}, fmt.Errorf("read index of sources: %w", err)
	}
	defer f.Close()
	var index Index
	if err := json.NewDecoder(io.LimitReader(f, maxGraph)).Decode(&index); err != nil {
		return Index{}, fmt.Errorf("read index of sources: parse %s: %w", f.Name(), err)
	}
	for i := range index.Sources {
		s := &index.Sources[i]
		switch {
		case s.OutwardLinks == 1:
			s.Notes = append(s.Notes, "1 link leads out of it")
		case s.OutwardLinks > 1:
			s.Notes = append(s.Notes, strconv.Itoa(s.OutwardLinks)+" links lead out of it")
		}
		if s.Bytes >= largeTree {
			s.Notes = append(s.Notes, fmt.Sprintf("large: %.1f GiB in %d files", float64(s.Bytes)/(1<<30), s.Files))
		}
		if len(s.Notes) == 0 {
			s.Notes = nil
		}
	}
	return index, nil
}
