package main

import (
	"bytes"
	"path/filepath"

	"github.com/agentenv/agentenv/internal/flakelock"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// lockfile is the lock of a workspace. It lies with the generated files, unless
// the flake.nix there is somebody else's: then so is the flake.lock. That one is
// read, so that what both need is the same, and never written; what it does not
// have is locked in a directory of ours.
type lockfile struct {
	at       destination
	text     []byte // nil where there is none
	borrowed bool   // text is of somebody else's flake
}

// ownDir holds the lock where the flake.nix beside it is somebody else's.
const ownDir = ".agentenv"

func readLock(ws *workspace.Workspace) (lockfile, error) {
	l := lockfile{at: usual(ws)}
	flake, err := l.at.read(nixgen.FlakeFile)
	if err != nil {
		return l, err
	}
	theirs, err := l.at.read(nix.LockFile)
	if err != nil || flake == nil || nixgen.Generated(nixgen.FlakeFile, flake) {
		l.text = theirs
		return l, err
	}
	l.at.dir = filepath.Join(l.at.dir, ownDir)
	if l.text, err = l.at.read(nix.LockFile); err == nil && l.text == nil {
		l.text, l.borrowed = theirs, true
	}
	return l, err
}

// keep makes locked, which Nix has made of l, the lock. A borrowed lock that
// pins all of it stays in force: the flake that it is of pins more.
func (l *lockfile) keep(locked []byte) error {
	if bytes.Equal(l.text, locked) || l.borrowed && holds(l.text, locked) {
		return nil
	}
	root, err := l.at.make()
	if err != nil {
		return err
	}
	defer root.Close()
	if err := nixgen.Replace(root, nix.LockFile, locked); err != nil {
		return err
	}
	l.text, l.borrowed = locked, false
	return nil
}

// holds tells whether one lock pins all that another does. One that cannot be
// read does not.
func holds(theirs, locked []byte) bool {
	a, err := flakelock.Parse(theirs)
	b, failed := flakelock.Parse(locked)
	return err == nil && failed == nil && a.Holds(b)
}
