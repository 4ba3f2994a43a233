package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Trees says what the agents of one project may write. It is kept so that no
// other workspace, and no look for a spec, trusts what lies there.
type Trees struct {
	Project  string   `json:"project"`  // canonical
	Spec     string   `json:"spec"`     // canonical path of the spec that was launched
	Writable []string `json:"writable"` // canonical, the project among them
}

// Remember keeps t for the project that d is a draft of.
func (d Draft) Remember(t Trees) error {
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	file := d.trees()
	temp := file + ".new"
	if err := os.WriteFile(temp, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, file)
}

func (d Draft) trees() string { return filepath.Join(d.Dir, "..", "..", "trees.json") }

// Known lists the trees of every project that was launched. A record that cannot
// be read is an error: without it a planted file could be trusted.
func (d Dirs) Known() ([]Trees, error) {
	files, err := filepath.Glob(filepath.Join(d.State, "projects", "*", "trees.json"))
	if err != nil {
		return nil, err
	}
	var out []Trees
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t Trees
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// Suspect marks the draft: a file that was protected lost its cover for a moment,
// and may have been read or changed by the agent.
func (d Draft) Suspect(path string) error {
	return os.WriteFile(d.suspect(), []byte(path), 0o600)
}

// Suspected is the path that Suspect marked, or "".
func (d Draft) Suspected() (string, error) {
	text, err := os.ReadFile(d.suspect())
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Clear takes the mark away.
func (d Draft) Clear() error {
	err := os.Remove(d.suspect())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (d Draft) suspect() string { return filepath.Join(d.Dir, "suspect") }
