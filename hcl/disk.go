package hcl

import (
	"io/fs"
	"os"
	"path/filepath"
)

// disk answers what paths are. Without a stat function it knows names alone.
type disk struct {
	stat func(string) (fs.FileInfo, error)
	seen map[string]looked

	chains map[string][]fs.FileInfo
}

type looked struct {
	info fs.FileInfo
	err  error
}

func newDisk(o Options) *disk {
	return &disk{stat: o.Stat, seen: map[string]looked{}, chains: map[string][]fs.FileInfo{}}
}

// look is stat, once for each path.
func (d *disk) look(path string) (fs.FileInfo, error) {
	if d.stat == nil {
		return nil, fs.ErrNotExist
	}
	l, ok := d.seen[path]
	if !ok {
		l.info, l.err = d.stat(path)
		d.seen[path] = l
	}
	return l.info, l.err
}

// chain is what path is, and after it the directories above it, up to the root.
// Above a directory they are the real ones, whatever links led to it: the
// kernel resolves the link before it goes up. Above a file they are those of
// its name; a link to a file elsewhere is resolved when launching. It is nil
// for what does not exist.
func (d *disk) chain(path string) []fs.FileInfo {
	chain, ok := d.chains[path]
	if !ok {
		chain = d.climb(path)
		d.chains[path] = chain
	}
	return chain
}

func (d *disk) climb(path string) []fs.FileInfo {
	info, err := d.look(path)
	if err != nil {
		return nil
	}
	chain := []fs.FileInfo{info}
	if path == "/" {
		return chain
	}
	dir := filepath.Dir(path)
	if !info.IsDir() {
		return append(chain, d.chain(dir)...)
	}
	for up := path; len(chain) < maxChain; {
		up += "/.."
		info, err := d.look(up)
		if err != nil || os.SameFile(info, chain[len(chain)-1]) {
			break
		}
		if named, err := d.look(dir); err == nil && len(chain) == 1 && os.SameFile(info, named) {
			return append(chain, d.chain(dir)...) // no link was followed here
		}
		chain = append(chain, info)
	}
	return chain
}

// maxChain is more directories than PATH_MAX has room for; it ends the walk
// where stat is not the real one.
const maxChain = 4096

// above is the chain of the nearest directory above path that exists.
func (d *disk) above(path string) []fs.FileInfo {
	for path != "/" {
		path = filepath.Dir(path)
		if chain := d.chain(path); chain != nil {
			return chain
		}
	}
	return nil
}

func contains(chain []fs.FileInfo, info fs.FileInfo) bool {
	for _, c := range chain {
		if os.SameFile(c, info) {
			return true
		}
	}
	return false
}
