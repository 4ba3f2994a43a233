package launcher

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// Obeyed lists the names in a project that a tool of the human's runs or obeys,
// at whatever depth, and what each is. It follows no link.
func Obeyed(project string) (map[string]Identity, error) {
	dir, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	out := map[string]Identity{}
	err = fs.WalkDir(dir.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && d != nil && d.IsDir() && p != "." {
			return fs.SkipDir
		}
		if err != nil || p == "." || !runs(p) {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		st := info.Sys().(*syscall.Stat_t)
		out[p] = Identity{Device: st.Dev, Inode: st.Ino, Dir: d.IsDir()}
		if d.IsDir() && path.Base(p) == ".git" {
			return fs.SkipDir
		}
		return nil
	})
	return out, err
}

// Appeared lists the names that are in a project now and were not before, or were
// something else, sorted.
func Appeared(before, now map[string]Identity) []string {
	var out []string
	for name, is := range now {
		if was, ok := before[name]; !ok || was.Dir != is.Dir {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
