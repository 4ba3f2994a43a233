package launcher

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"golang.org/x/sys/unix"
)

// overlay shows m.Source without the names in m.Hide. It hides by name, so what
// a save outside puts there by rename stays hidden, where a mask would fall off;
// and a socket in the source can be seen but not connected to.
//
// Submounts of the source do not show in an overlay.
func (s *sandbox) overlay(m Mount) error {
	source, err := openSource(m)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	layer, err := s.whiteouts(source, m.Hide)
	if err != nil {
		return err
	}
	defer unix.Close(layer)
	fs, err := newFilesystem("overlay", harmless|unix.MOUNT_ATTR_RDONLY, "userxattr",
		fmt.Sprintf("lowerdir=/proc/self/fd/%d:/proc/self/fd/%d", layer, source))
	if err != nil {
		return err
	}
	defer unix.Close(fs)
	if err := verifyHidden(source, fs, m.Hide); err != nil {
		return err
	}
	return s.place(fs, m, roomClosed)
}

// whiteouts makes a layer in the scratch tmpfs that takes names away from the
// layer below it. A character device 0:0 is overlayfs's whiteout, and the one
// device that needs no capability to be made (Linux 5.8).
func (s *sandbox) whiteouts(source int, names []string) (int, error) {
	root := s.scratchFile()
	if err := copyDirectory(source, "", s.scratch, root); err != nil {
		return -1, err
	}
	layer, err := openPlain(s.scratch, root)
	if err != nil {
		return -1, fmt.Errorf("open layer: %w", err)
	}
	if s.order.Without.leaveOut(layerWhiteouts) {
		return layer, nil
	}
	made := map[string]bool{".": true}
	for _, n := range names {
		if err := whiteout(source, layer, n, made); err != nil {
			unix.Close(layer)
			return -1, fmt.Errorf("hide %s: %w", n, err)
		}
	}
	return layer, nil
}

// whiteout takes one name away. Names that lie in one already taken away are
// gone with it.
func whiteout(source, layer int, name string, made map[string]bool) error {
	if !fs.ValidPath(name) || name == "." {
		return fmt.Errorf("not a name below the tree")
	}
	ok, err := layerDirectory(source, layer, path.Dir(name), made)
	if err != nil || !ok || made[name] {
		return err
	}
	made[name] = false
	return unix.Mknodat(layer, name, unix.S_IFCHR, 0)
}

// layerDirectory makes the directory dir of the layer, and says whether names
// can be taken away in it: not where it is taken away itself. What is no
// directory of the source any more is taken away whole, so that nothing under
// that name shows when it comes back.
func layerDirectory(source, layer int, dir string, made map[string]bool) (bool, error) {
	if is, ok := made[dir]; ok {
		return is, nil
	}
	ok, err := layerDirectory(source, layer, path.Dir(dir), made)
	if err != nil || !ok {
		return false, err
	}
	err = copyDirectory(source, dir, layer, dir)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		made[dir] = false
		return false, unix.Mknodat(layer, dir, unix.S_IFCHR, 0)
	}
	made[dir] = true
	return true, err
}

// copyDirectory makes an empty directory with the mode of one in the source,
// because the upper layer's mode is the one that shows.
func copyDirectory(source int, from string, layer int, to string) error {
	fd, err := openPlain(source, from)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	defer unix.Close(fd)
	st, err := statOf(fd)
	if err != nil {
		return fmt.Errorf("look at directory: %w", err)
	}
	if fileType(st) != unix.S_IFDIR {
		return fmt.Errorf("look at directory: %w", unix.ENOTDIR)
	}
	if err := unix.Mkdirat(layer, to, st.Mode&0o7777|0o700); err != nil {
		return fmt.Errorf("make directory in layer: %w", err)
	}
	return nil
}

// verifyHidden establishes that each name is absent below the mount, and that it
// is the name of something in the source. One that is of nothing there hides
// nothing: the plan meant another, or it was renamed since. Where the directory
// it was in is gone too, all of that is hidden.
func verifyHidden(source, mount int, names []string) error {
	for _, n := range names {
		if absent(source, n) == nil && absent(source, path.Dir(n)) != nil {
			return fmt.Errorf("hide %s: it is not there any more; start again", n)
		}
		if err := absent(mount, n); err != nil {
			return fmt.Errorf("hide %s: %w", n, err)
		}
	}
	return nil
}

// absent returns an error unless nothing is at name.
func absent(dir int, name string) error {
	fd, err := openPlain(dir, name)
	switch {
	case err == nil:
		unix.Close(fd)
		return errors.New("it is still there")
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return fmt.Errorf("it answers with %w", err)
}
