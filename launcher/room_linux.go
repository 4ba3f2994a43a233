package launcher

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// room says what may be done where a mount of the plan goes.
type room int

const (
	roomOwn    room = iota // the root or a tmpfs of the sandbox: anything
	roomHome               // the private home: make mount points, move aside what is in the way
	roomClosed             // somebody's files: nothing
)

// madeRoom is one mount that was made.
type madeRoom struct {
	target string
	kind   room
}

// roomAt is the room that path lies in: that of the last mount made above it.
func (s *sandbox) roomAt(p string) madeRoom {
	for i := len(s.made) - 1; i >= 0; i-- {
		if m := s.made[i]; within(p, m.target) {
			return m
		}
	}
	return madeRoom{target: "/", kind: roomOwn}
}

func (s *sandbox) addRoom(target string, k room) {
	s.made = append(s.made, madeRoom{target, k})
}

// relative is an absolute path inside as a path below the new root.
func relative(target string) string { return strings.TrimPrefix(target, "/") }

// openTarget opens what is at an absolute path inside, following no link: in the
// private home, an agent of an earlier run could have left one.
func (s *sandbox) openTarget(target string) (int, error) {
	return openPlain(s.root, relative(target))
}

// directoryFor opens the directory target for a mount, and makes it and those
// above it where the room allows.
func (s *sandbox) directoryFor(target string, mode uint32) (int, error) {
	fd, err := s.openTarget(target)
	if err == nil {
		st, err := statOf(fd)
		if err == nil && fileType(st) == unix.S_IFDIR {
			return fd, nil
		}
		unix.Close(fd)
	}
	if target == "/" {
		return -1, fmt.Errorf("open new root: %w", err)
	}
	parent, err := s.directoryFor(path.Dir(target), 0o755)
	if err != nil {
		return -1, err
	}
	defer unix.Close(parent)
	if err := s.clear(parent, target); err != nil {
		return -1, err
	}
	if err := unix.Mkdirat(parent, path.Base(target), mode); err != nil {
		return -1, fmt.Errorf("make mount point %s: %w", target, err)
	}
	return s.openTarget(target)
}

// fileFor opens the file target for a mount, and makes it empty where there is
// none and the room allows. Any object that is no directory and no link will do.
func (s *sandbox) fileFor(target string) (int, error) {
	parent, err := s.directoryFor(path.Dir(target), 0o755)
	if err != nil {
		return -1, err
	}
	defer unix.Close(parent)
	fd, err := openPlain(parent, path.Base(target))
	if err == nil {
		st, err := statOf(fd)
		if err == nil && fileType(st) != unix.S_IFDIR && fileType(st) != unix.S_IFLNK {
			return fd, nil
		}
		unix.Close(fd)
	}
	if err := s.clear(parent, target); err != nil {
		return -1, err
	}
	if err := writeFile(parent, path.Base(target), "", 0o644); err != nil {
		return -1, err
	}
	return openPlain(parent, path.Base(target))
}

// clear establishes that nothing is at target, whose directory is open as
// parent, and that something may be made there.
func (s *sandbox) clear(parent int, target string) error {
	var st unix.Stat_t
	err := unix.Fstatat(parent, path.Base(target), &st, unix.AT_SYMLINK_NOFOLLOW)
	absent := errors.Is(err, fs.ErrNotExist)
	if err != nil && !absent {
		return fmt.Errorf("look at %s: %w", target, err)
	}
	r := s.roomAt(path.Dir(target))
	switch {
	case absent && r.kind == roomClosed:
		return fmt.Errorf("make mount point %s: it is not there, and nothing is written into %s", target, r.target)
	case absent:
		return nil
	case r.kind == roomHome:
		return s.moveAside(parent, target)
	}
	return fmt.Errorf("make mount point %s: something else is in its place (mode %#o)", target, st.Mode)
}

// moveAside renames what is in the way in the private home, and says so.
func (s *sandbox) moveAside(parent int, target string) error {
	for n := 1; n < 1000; n++ {
		to := fmt.Sprintf("%s.agentenv-moved-%d", target, n)
		err := unix.Renameat2(parent, path.Base(target), parent, path.Base(to), unix.RENAME_NOREPLACE)
		if err == unix.EEXIST {
			continue
		}
		if err != nil {
			return fmt.Errorf("move %s aside: %w", target, err)
		}
		return s.control.send(wordEvent, Event{Kind: EventMoved, Path: target, To: to, At: s.at})
	}
	return fmt.Errorf("move %s aside: a thousand were moved before; remove them", target)
}

// writeFile makes a file that was not there.
func writeFile(dir int, name, content string, mode uint32) error {
	fd, err := unix.Openat(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return fmt.Errorf("make file %s: %w", name, err)
	}
	defer unix.Close(fd)
	for data := []byte(content); len(data) > 0; {
		n, err := unix.Write(fd, data)
		if err != nil {
			return fmt.Errorf("write file %s: %w", name, err)
		}
		data = data[n:]
	}
	if err := unix.Fchmod(fd, mode); err != nil {
		return fmt.Errorf("set mode of file %s: %w", name, err)
	}
	return nil
}
