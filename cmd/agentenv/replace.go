package main

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// replace gives the file that was names new contents in one step, with the mode
// and the owner that it had.
func replace(root *os.Root, text []byte, was fs.FileInfo) error {
	temporary := "." + was.Name() + ".new"
	if err := root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, keepOwner(f, was), f.Chmod(was.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	return root.Rename(temporary, was.Name())
}

func keepOwner(f *os.File, was fs.FileInfo) error {
	owner, ok := was.Sys().(*syscall.Stat_t)
	info, err := f.Stat()
	if err != nil || !ok {
		return err
	}
	if is, ok := info.Sys().(*syscall.Stat_t); ok && is.Uid == owner.Uid && is.Gid == owner.Gid {
		return nil
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
