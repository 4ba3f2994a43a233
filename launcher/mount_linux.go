package launcher

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// The mount attributes of everything that is no device.
const harmless = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV

// newFilesystem makes a file system that is mounted nowhere yet, with options
// "key" or "key=value". It returns a descriptor of the mount.
func newFilesystem(kind string, attributes int, options ...string) (int, error) {
	fs, err := unix.Fsopen(kind, unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("open file system %s: %w", kind, err)
	}
	defer unix.Close(fs)
	for _, o := range options {
		if err := configure(fs, o); err != nil {
			return -1, fmt.Errorf("set %s of %s: %w%s", o, kind, err, kernelWords(fs))
		}
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return -1, fmt.Errorf("create %s: %w%s", kind, err, kernelWords(fs))
	}
	m, err := unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, attributes)
	if err != nil {
		return -1, fmt.Errorf("mount %s: %w%s", kind, err, kernelWords(fs))
	}
	return m, nil
}

func configure(fs int, option string) error {
	key, value, ok := strings.Cut(option, "=")
	if !ok {
		return unix.FsconfigSetFlag(fs, key)
	}
	return unix.FsconfigSetString(fs, key, value)
}

// kernelWords is what the kernel has to say about the last error on a file
// system context, which it keeps to be read from its descriptor.
func kernelWords(fs int) string {
	b := make([]byte, 512)
	n, err := unix.Read(fs, b)
	if err != nil || n <= 0 {
		return ""
	}
	return " (" + strings.TrimSpace(string(b[:n])) + ")"
}

// cloneTree makes a detached copy of the mounts at and below fd. It is
// recursive, because a copy that leaves out a locked submount is refused: it
// would show what the submount hides.
func cloneTree(fd int) (int, error) {
	t, err := unix.OpenTree(fd, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	if err != nil {
		return -1, fmt.Errorf("clone mount: %w", err)
	}
	return t, nil
}

// setAttributes adds attributes to a mount and, when recursive, to all below.
func setAttributes(mount int, attributes uint64, recursive bool) error {
	flags := uint(unix.AT_EMPTY_PATH)
	if recursive {
		flags |= unix.AT_RECURSIVE
	}
	if err := unix.MountSetattr(mount, "", flags, &unix.MountAttr{Attr_set: attributes}); err != nil {
		return fmt.Errorf("set mount attributes: %w", err)
	}
	return nil
}

// attach mounts a detached mount on the object that target is open on.
func attach(mount, target int) error {
	err := unix.MoveMount(mount, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
	if err != nil {
		return fmt.Errorf("attach mount: %w", err)
	}
	return nil
}

// attachClone mounts what source is open on onto target.
func attachClone(source, target int, attributes uint64) error {
	t, err := cloneTree(source)
	if err != nil {
		return err
	}
	defer unix.Close(t)
	if err := setAttributes(t, attributes, true); err != nil {
		return err
	}
	return attach(t, target)
}

// noLinks is how every path that somebody else can write is opened.
const noLinks = unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS

// openPlain opens path below dir without following any link, not even a last
// one: that is opened itself. The descriptor gives no access, only a place.
func openPlain(dir int, path string) (int, error) {
	if path == "" {
		return unix.Openat(dir, ".", unix.O_PATH|unix.O_CLOEXEC, 0)
	}
	return unix.Openat2(dir, path, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: noLinks,
	})
}

func statOf(fd int) (unix.Stat_t, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	return st, err
}

func fileType(st unix.Stat_t) uint32 { return st.Mode & unix.S_IFMT }
