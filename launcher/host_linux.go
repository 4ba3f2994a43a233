package launcher

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"
)

// maxLinks is how many links the kernel follows in one path (MAXSYMLINKS).
const maxLinks = 40

// ThisHost is the machine that the process runs on. environ is the caller's
// environment; HOME must be in it.
func ThisHost(environ []string) (Host, error) {
	home := ""
	for _, kv := range environ {
		if v, ok := strings.CutPrefix(kv, "HOME="); ok {
			home = v
		}
	}
	if !filepath.IsAbs(home) {
		return Host{}, fmt.Errorf("read environment: HOME is %q, which is not an absolute path", home)
	}
	abi, err := LandlockABI()
	if err != nil {
		return Host{}, err
	}
	return Host{
		HomeDir: filepath.Clean(home), UID: os.Getuid(), GID: os.Getgid(), User: username(),
		Arch: runtime.GOARCH, LandlockABI: abi, Environ: environ,
		Resolve: Resolve, Survey: Survey, ReadFile: readRegular, ReadLink: os.Readlink, Glob: globDirs,
	}, nil
}

// globDirs lists the directories that an absolute glob matches.
func globDirs(pattern string) ([]string, error) {
	all, err := doublestar.FilepathGlob(pattern, doublestar.WithFailOnIOErrors(), doublestar.WithNoHidden())
	if err != nil {
		return nil, err
	}
	dirs := slices.DeleteFunc(all, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.IsDir()
	})
	slices.Sort(dirs)
	return dirs, nil
}

// username is the name for the sandbox's passwd. A uid without an entry (in
// containers) still needs one.
func username() string {
	if u, err := user.LookupId(fmt.Sprint(os.Getuid())); err == nil && !strings.ContainsAny(u.Username, ":\n") {
		return u.Username
	}
	return "agent"
}

// Resolve follows every link of path, which must be absolute, and says which
// links it followed and what is at the end. The identity is taken through a
// descriptor that openat2 opened without following any link, so that it belongs
// to the path that is returned; a link of proc is taken by its text.
func Resolve(path string) (Resolved, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil { // most places asked for are absent
		return Resolved{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	var r Resolved
	rest := strings.Split(filepath.Clean(path), "/")
	at := "/"
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		to, err := os.Readlink(next)
		if err != nil { // not a link, or absent: the open below tells which
			at = next
			continue
		}
		if r.Links = append(r.Links, next); len(r.Links) > maxLinks {
			return Resolved{}, &os.PathError{Op: "resolve", Path: path, Err: unix.ELOOP}
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	r.Path = at
	id, err := identify(at)
	if err != nil {
		return Resolved{}, err
	}
	r.Identity = id
	return r, nil
}

func identify(path string) (Identity, error) {
	fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return Identity{}, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return Identity{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return Identity{Device: uint64(st.Dev), Inode: st.Ino, Dir: st.Mode&unix.S_IFMT == unix.S_IFDIR}, nil
}

// readRegular reads a small regular file of a tree that an agent may have
// written: no link at the end is followed, and a FIFO does not block.
func readRegular(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil, &os.PathError{Op: "read", Path: path, Err: unix.EINVAL}
	}
	text := make([]byte, info.Size())
	n, err := f.Read(text)
	if err != nil && n == 0 && info.Size() > 0 {
		return nil, err
	}
	return text[:n], nil
}
