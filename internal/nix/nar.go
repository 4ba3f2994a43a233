package nix

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// HashTree returns the hash of the directory dir as Nix computes it, sha256 in
// SRI form: of its NAR, which holds names, contents, links as text and whether a
// file is executable, and nothing else. No link is followed.
//
// go-nix's own dumper fails for names that begin with two dots, and follows what
// it is given by path.
func HashTree(dir *os.Root) (string, error) {
	h := sha256.New()
	w := &narWriter{out: bufio.NewWriterSize(h, 1<<16), root: dir}
	w.text("nix-archive-1")
	w.node(".", 0)
	if w.err == nil {
		w.err = w.out.Flush()
	}
	if w.err != nil {
		return "", fmt.Errorf("hash tree: %w", w.err)
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil)), nil
}

// maxNARDepth is Nix's own bound (narMaxDepth of src/libutil/archive.cc).
const maxNARDepth = 64

// narWriter writes a NAR. After an error it writes nothing more.
type narWriter struct {
	out  *bufio.Writer
	root *os.Root
	err  error
}

// text writes words, each as its length in 8 bytes, itself, and zeros up to a
// multiple of 8.
func (w *narWriter) text(words ...string) {
	for _, s := range words {
		w.length(int64(len(s)))
		w.write([]byte(s))
		w.pad(int64(len(s)))
	}
}

func (w *narWriter) length(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	w.write(b[:])
}

func (w *narWriter) pad(n int64) {
	if over := n % 8; over != 0 {
		w.write(make([]byte, 8-over))
	}
}

func (w *narWriter) write(b []byte) {
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

func (w *narWriter) node(name string, depth int) {
	if w.err != nil {
		return
	}
	info, err := w.root.Lstat(name)
	if err != nil {
		w.err = err
		return
	}
	w.text("(", "type")
	switch info.Mode().Type() {
	case 0:
		w.regular(name, info)
	case fs.ModeDir:
		w.directory(name, depth)
	case fs.ModeSymlink:
		to, err := w.root.Readlink(name)
		if err != nil {
			w.err = err
			return
		}
		w.text("symlink", "target", to)
	default:
		w.err = fmt.Errorf("%s is no file, directory or link", name)
	}
	w.text(")")
}

func (w *narWriter) regular(name string, info fs.FileInfo) {
	w.text("regular")
	if info.Mode()&0o100 != 0 {
		w.text("executable", "")
	}
	f, err := w.root.Open(name)
	if err != nil {
		w.err = err
		return
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) {
		w.err = fmt.Errorf("%s changed while it was read", name)
		return
	}
	w.text("contents")
	w.length(info.Size())
	if w.err != nil {
		return
	}
	n, err := io.Copy(w.out, io.LimitReader(f, info.Size()+1))
	if err == nil && n != info.Size() {
		err = fmt.Errorf("%s changed while it was read", name)
	}
	w.err = err
	w.pad(n)
}

func (w *narWriter) directory(name string, depth int) {
	if depth == maxNARDepth {
		w.err = fmt.Errorf("%s is nested too deeply", name)
		return
	}
	entries, err := w.list(name)
	if err != nil {
		w.err = err
		return
	}
	w.text("directory")
	for _, e := range entries {
		w.text("entry", "(", "name", e.Name(), "node")
		w.node(path.Join(name, e.Name()), depth+1)
		w.text(")")
	}
}

// list returns what is in a directory, sorted by the bytes of the names as Nix
// does. io/fs has no names that are not UTF-8.
func (w *narWriter) list(name string) ([]fs.DirEntry, error) {
	f, err := w.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
