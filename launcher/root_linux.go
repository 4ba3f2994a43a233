package launcher

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// scratchName is where, below the new root, the tmpfs lies that holds what is
// bound elsewhere. It is detached before the program starts.
const scratchName = ".agentenv-scratch"

// makeRoot cuts the mount namespace off from the host's and makes an empty root
// above the old one. The old root stays this process's root, so that sources
// are found; the new one is reached through its descriptor.
func (s *sandbox) makeRoot() (err error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	// Made first: the kernel refuses a proc once parts of one are covered.
	if s.proc, err = newFilesystem("proc", harmless|unix.MOUNT_ATTR_NOEXEC); err != nil {
		return err
	}
	if s.root, err = newFilesystem("tmpfs", harmless, "mode=0755"); err != nil {
		return err
	}
	if err := attachTo(s.root, "/"); err != nil {
		return err
	}
	s.made = []madeRoom{{target: "/", kind: roomOwn}}
	s.sealed = []int{s.root}
	return s.makeScratch()
}

func attachTo(mount int, path string) error {
	err := unix.MoveMount(mount, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
	if err != nil {
		return fmt.Errorf("attach mount to %s: %w", path, err)
	}
	return nil
}

func (s *sandbox) makeScratch() (err error) {
	if s.scratch, err = newFilesystem("tmpfs", harmless, "mode=0700"); err != nil {
		return err
	}
	if err := unix.Mkdirat(s.root, scratchName, 0o700); err != nil {
		return fmt.Errorf("make scratch directory: %w", err)
	}
	at, err := openPlain(s.root, scratchName)
	if err != nil {
		return fmt.Errorf("open scratch directory: %w", err)
	}
	defer unix.Close(at)
	if err := attach(s.scratch, at); err != nil {
		return err
	}
	return s.makeBlanks()
}

// The objects in the scratch tmpfs that cover others.
const (
	blankFile  = "file"  // empty, readable
	blankDir   = "dir"   // empty, readable
	closedFile = "mask"  // empty, without rights
	closedDir  = "maskd" // empty, without rights
)

func (s *sandbox) makeBlanks() error {
	for name, mode := range map[string]uint32{blankFile: 0o444, closedFile: 0} {
		if err := writeFile(s.scratch, name, "", mode); err != nil {
			return err
		}
	}
	for name, mode := range map[string]uint32{blankDir: 0o555, closedDir: 0} {
		if err := unix.Mkdirat(s.scratch, name, mode); err != nil {
			return fmt.Errorf("make blank directory: %w", err)
		}
	}
	return nil
}

// enterRoot makes the new root the root, and drops the old one and all of the
// host's mounts with it.
func (s *sandbox) enterRoot() error {
	if err := unix.Fchdir(s.root); err != nil {
		return fmt.Errorf("change to new root: %w", err)
	}
	if err := s.dropScratch(); err != nil {
		return err
	}
	// pivot_root(2), NOTES: with "." for both, the old root ends up above the
	// new one and is the one that umount(".") takes away.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("detach old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return fmt.Errorf("change to new root: %w", err)
	}
	for _, m := range s.sealed {
		if err := setAttributes(m, unix.MOUNT_ATTR_RDONLY, false); err != nil {
			return err
		}
	}
	return nil
}

func (s *sandbox) dropScratch() error {
	if err := unix.Unmount(scratchName, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW); err != nil {
		return fmt.Errorf("detach scratch directory: %w", err)
	}
	if err := unix.Unlinkat(s.root, scratchName, unix.AT_REMOVEDIR); err != nil {
		return fmt.Errorf("remove scratch directory: %w", err)
	}
	return nil
}
