package launcher

import (
	"fmt"
	"path"

	"golang.org/x/sys/unix"
)

// operations is how each kind of mount is carried out.
var operations = map[Op]func(*sandbox, Mount) error{
	OpBind:    (*sandbox).bind,
	OpOverlay: (*sandbox).overlay,
	OpTmpfs:   (*sandbox).tmpfs,
	OpDir:     (*sandbox).dir,
	OpFile:    (*sandbox).file,
	OpSymlink: (*sandbox).symlink,
	OpMask:    (*sandbox).mask,
	OpProc:    (*sandbox).procfs,
	OpDevpts:  (*sandbox).devpts,
}

// mountAll gives everything the mode that the plan has, whatever the caller's
// umask, which the program then has again.
func (s *sandbox) mountAll() error {
	defer unix.Umask(unix.Umask(0))
	for _, m := range s.order.Mounts {
		s.at = m.At
		do, ok := operations[m.Op]
		if !ok {
			return fmt.Errorf("%s: unknown kind of mount %q", m.Target, m.Op)
		}
		if err := do(s, m); err != nil {
			return fmt.Errorf("%s %s: %w", m.Op, m.Target, err)
		}
	}
	return nil
}

// openSource opens a path of the host for mounting, and establishes that it is
// what the plan was made for.
func openSource(m Mount) (int, error) {
	fd, err := openPlain(unix.AT_FDCWD, m.Source)
	if err != nil {
		return -1, fmt.Errorf("open %s: %w", m.Source, err)
	}
	st, err := statOf(fd)
	is := Identity{Device: st.Dev, Inode: st.Ino, Dir: fileType(st) == unix.S_IFDIR}
	if err == nil && is != m.Identity {
		err = fmt.Errorf("it is not what it was when the launch was planned (device %d inode %d, then device %d inode %d)",
			is.Device, is.Inode, m.Identity.Device, m.Identity.Inode)
	}
	if err == nil && fileType(st) == unix.S_IFLNK {
		err = fmt.Errorf("it is a link")
	}
	if err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("open %s: %w", m.Source, err)
	}
	return fd, nil
}

func attributesOf(m Mount) uint64 {
	a := uint64(unix.MOUNT_ATTR_NOSUID)
	if m.ReadOnly {
		a |= unix.MOUNT_ATTR_RDONLY
	}
	if !m.Device {
		a |= unix.MOUNT_ATTR_NODEV
	}
	return a
}

func (s *sandbox) bind(m Mount) error {
	source, err := openSource(m)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	if err := s.cover(m, source); err != nil {
		return err
	}
	k := roomClosed
	if m.Target == s.order.Home && !m.ReadOnly {
		k = roomHome
	}
	s.addRoom(m.Target, k)
	return nil
}

// cover mounts what source is open on over m.Target.
func (s *sandbox) cover(m Mount, source int) error {
	open := s.fileFor
	if m.Identity.Dir {
		open = func(t string) (int, error) { return s.directoryFor(t, 0o755) }
	}
	target, err := open(m.Target)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	attributes := attributesOf(m)
	if s.order.Without.leaveOut(layerNoSUID) {
		attributes &^= unix.MOUNT_ATTR_NOSUID
	}
	return attachClone(source, target, attributes)
}

// place mounts a new file system on m.Target.
func (s *sandbox) place(fs int, m Mount, k room) error {
	target, err := s.directoryFor(m.Target, 0o755)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	if err := attach(fs, target); err != nil {
		return err
	}
	s.addRoom(m.Target, k)
	return nil
}

// tmpfs that is read-only turns so when all mounts are made, since others go
// into it.
func (s *sandbox) tmpfs(m Mount) error {
	options := []string{fmt.Sprintf("mode=%#o", m.Mode)}
	if m.Size > 0 {
		options = append(options, fmt.Sprintf("size=%d", m.Size))
	}
	fs, err := newFilesystem("tmpfs", harmless, options...)
	if err != nil {
		return err
	}
	if m.ReadOnly {
		s.sealed = append(s.sealed, fs)
	} else {
		defer unix.Close(fs)
	}
	return s.place(fs, m, roomOwn)
}

// devpts mounts the instance of the program's terminal where the plan has it,
// and a new one elsewhere.
func (s *sandbox) devpts(m Mount) (err error) {
	fs := s.devptsMount
	if s.order.Terminal == nil || s.order.Terminal.Devpts != m.Target {
		if fs, err = newDevpts(); err != nil {
			return err
		}
	}
	defer unix.Close(fs)
	return s.place(fs, m, roomClosed)
}

func (s *sandbox) dir(m Mount) error {
	fd, err := s.directoryFor(m.Target, m.Mode)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if s.roomAt(m.Target).kind != roomOwn {
		return nil
	}
	return unix.Fchmodat(fd, ".", m.Mode, 0)
}

// file is written where the room is the sandbox's own, and bound over its place
// elsewhere, so that nothing follows a link or reaches the host's disk.
func (s *sandbox) file(m Mount) error {
	if s.roomAt(path.Dir(m.Target)).kind == roomOwn {
		parent, err := s.directoryFor(path.Dir(m.Target), 0o755)
		if err != nil {
			return err
		}
		defer unix.Close(parent)
		return writeFile(parent, path.Base(m.Target), m.Content, m.Mode)
	}
	name := s.scratchFile()
	if err := writeFile(s.scratch, name, m.Content, m.Mode); err != nil {
		return err
	}
	m.ReadOnly = true
	return s.coverWithScratch(m, name)
}

// scratchFile is a name that is free in the scratch tmpfs.
func (s *sandbox) scratchFile() string { return fmt.Sprintf("%d", len(s.made)) }

// coverWithScratch mounts an object of the scratch tmpfs over m.Target.
func (s *sandbox) coverWithScratch(m Mount, name string) error {
	source, err := openPlain(s.scratch, name)
	if err != nil {
		return fmt.Errorf("open scratch file: %w", err)
	}
	defer unix.Close(source)
	if err := s.cover(m, source); err != nil {
		return err
	}
	s.addRoom(m.Target, roomClosed)
	return nil
}

func (s *sandbox) symlink(m Mount) error {
	parent, err := s.directoryFor(path.Dir(m.Target), 0o755)
	if err != nil {
		return err
	}
	defer unix.Close(parent)
	buf := make([]byte, len(m.Source)+1)
	n, err := unix.Readlinkat(parent, path.Base(m.Target), buf)
	if err == nil && string(buf[:n]) == m.Source {
		return nil
	}
	if err := s.clear(parent, m.Target); err != nil {
		return err
	}
	if err := unix.Symlinkat(m.Source, parent, path.Base(m.Target)); err != nil {
		return fmt.Errorf("make link: %w", err)
	}
	return nil
}

// mask covers what is there with an empty object without rights. Nothing is
// made where nothing is: that would be a placeholder in somebody's tree.
func (s *sandbox) mask(m Mount) error {
	target, err := s.openTarget(m.Target)
	if err != nil {
		return fmt.Errorf("look for what is to be hidden: %w", err)
	}
	st, err := statOf(target)
	unix.Close(target)
	if err != nil {
		return err
	}
	if fileType(st) == unix.S_IFLNK {
		return fmt.Errorf("hide: it is a link, which a mount cannot cover")
	}
	m.ReadOnly, m.Identity.Dir = true, fileType(st) == unix.S_IFDIR
	name := closedFile
	if m.Identity.Dir {
		name = closedDir
	}
	return s.coverWithScratch(m, name)
}
