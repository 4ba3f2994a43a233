// Package state says where agentenv keeps things on disk: private homes, locks
// and sessions under the state directory, environments under the cache.
//
// It knows the layout only. What the files mean is their writer's business. All
// of it lies outside every project and is never visible to an agent.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Dirs are the two directories of one user, absolute.
type Dirs struct {
	State string // $XDG_STATE_HOME/agentenv: what cannot be made again
	Cache string // $XDG_CACHE_HOME/agentenv: what can
}

// Locate finds the directories from the environment by the rules of the XDG
// Base Directory Specification: a relative value is ignored.
func Locate(getenv func(string) string) (Dirs, error) {
	home := getenv("HOME")
	pick := func(name, fallback string) (string, error) {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, "agentenv"), nil
		}
		if !filepath.IsAbs(home) {
			return "", fmt.Errorf("locate state: HOME is %q, which is not an absolute path", home)
		}
		return filepath.Join(home, fallback, "agentenv"), nil
	}
	s, err := pick("XDG_STATE_HOME", ".local/state")
	if err != nil {
		return Dirs{}, err
	}
	c, err := pick("XDG_CACHE_HOME", ".cache")
	return Dirs{State: s, Cache: c}, err
}

// Environment is the path of the link to the manifest that was built under key.
// The link is Nix's garbage collection root for it.
func (d Dirs) Environment(key string) string {
	return filepath.Join(d.Cache, "environments", key)
}

// Draft is the place of one draft of one project: its private home, its lock.
type Draft struct {
	Dir string
}

// Draft names the draft called name of the project at dir, a canonical path.
// Two projects of the same name have different places.
func (d Dirs) Draft(project, dir, name string) Draft {
	sum := sha256.Sum256([]byte(dir))
	return Draft{Dir: filepath.Join(d.State, "projects", project+"-"+hex.EncodeToString(sum[:6]), "drafts", name)}
}

// Home is the directory that the sandbox sees as the human's home.
func (d Draft) Home() string { return filepath.Join(d.Dir, "home") }

// NetworkLog is the file of the gate's decisions, a line of JSON each.
func (d Draft) NetworkLog() string { return filepath.Join(d.Dir, "network.jsonl") }

// Make creates the draft's directories where they are absent, for the user
// alone (0700).
func (d Draft) Make() error { return os.MkdirAll(d.Home(), 0o700) }
