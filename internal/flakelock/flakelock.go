// Package flakelock reads flake.lock as data, and says what differs between two.
//
// It writes none, which only Nix does, and checks none against what it pins. A
// lock may come from anybody: its words are for whoever prints them to clean.
package flakelock

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Pin is what an input is pinned to.
type Pin struct {
	Type     string    // such as "github" or "path"
	Revision string    // the commit; "" where there are none
	Hash     string    // of the tree, as Nix writes it: sha256- and base 64
	Modified time.Time // of the tree, in UTC; zero where the lock does not say
}

// Lock is every input that a lock pins, by its name: "nixpkgs" for an input of
// the flake, "llm-agents/nixpkgs" for one of an input. One that follows another
// is pinned where the other is, and is not in it.
type Lock map[string]Pin

// file is the form of version 7, all that Nix has written since 2.4.
type file struct {
	Nodes map[string]struct {
		Inputs map[string]json.RawMessage `json:"inputs"` // a node's name, or a path that is followed
		Locked *struct {
			Type     string `json:"type"`
			Revision string `json:"rev"`
			Hash     string `json:"narHash"`
			Modified int64  `json:"lastModified"`
		} `json:"locked"`
	} `json:"nodes"`
	Root    string `json:"root"`
	Version int    `json:"version"`
}

// Parse reads the text of a lock. No text is a lock that pins nothing.
func Parse(text []byte) (Lock, error) {
	lock := Lock{}
	if len(text) == 0 {
		return lock, nil
	}
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("parse flake.lock: %w", err)
	}
	if f.Version < 5 || f.Version > 7 {
		return nil, fmt.Errorf("parse flake.lock: version %d is not known", f.Version)
	}
	if _, ok := f.Nodes[f.Root]; !ok {
		return nil, fmt.Errorf("parse flake.lock: it has no node %q", f.Root)
	}
	f.walk(lock)
	return lock, nil
}

// walk visits every node once, near ones first, so that a node with several
// names goes by the shortest, and a lock with circles ends.
func (f *file) walk(lock Lock) {
	type visit struct{ node, name string }
	seen := map[string]bool{f.Root: true}
	for queue := []visit{{node: f.Root}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, input := range slices.Sorted(maps.Keys(f.Nodes[at.node].Inputs)) {
			var node string
			if json.Unmarshal(f.Nodes[at.node].Inputs[input], &node) != nil || seen[node] {
				continue
			}
			seen[node] = true
			name := input
			if at.name != "" {
				name = at.name + "/" + input
			}
			queue = append(queue, visit{node, name})
			if l := f.Nodes[node].Locked; l != nil {
				pin := Pin{Type: l.Type, Revision: l.Revision, Hash: l.Hash}
				if l.Modified != 0 {
					pin.Modified = time.Unix(l.Modified, 0).UTC()
				}
				lock[name] = pin
			}
		}
	}
}

// Holds tells whether l pins all that other does, to the same trees.
func (l Lock) Holds(other Lock) bool {
	for name, pin := range other {
		if l[name] != pin {
			return false
		}
	}
	return true
}

// Change is an input that two locks pin differently. A nil pin is one that the
// lock does not have.
type Change struct {
	Input    string
	Old, New *Pin
}

// Changes are the inputs that differ, sorted by name, those of the flake itself
// in front of those of its inputs.
func Changes(old, new Lock) []Change {
	var changes []Change
	for name, was := range old {
		if is, ok := new[name]; !ok {
			changes = append(changes, Change{Input: name, Old: &was})
		} else if is != was {
			changes = append(changes, Change{Input: name, Old: &was, New: &is})
		}
	}
	for name, is := range new {
		if _, ok := old[name]; !ok {
			changes = append(changes, Change{Input: name, New: &is})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(depth(a.Input), depth(b.Input)), cmp.Compare(a.Input, b.Input))
	})
	return changes
}

func depth(name string) int {
	n := 0
	for i := range len(name) {
		if name[i] == '/' {
			n++
		}
	}
	return n
}

// shortest is how many digits of a commit are shown: as many as git needs in a
// repository of the size of Nixpkgs.
const shortest = 12

// String is the commit, or the hash where there is none, with its date.
func (p Pin) String() string {
	what := cmp.Or(p.Revision, p.Hash, p.Type)
	if p.Revision != "" {
		what = what[:min(len(what), shortest)]
	}
	if p.Modified.IsZero() {
		return what
	}
	return what + " (" + p.Modified.Format(time.DateOnly) + ")"
}
