package launcher

import (
	"bytes"
	"io"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// secretMarks are what a file that only often holds a secret has in it when it
// does: PEM's and PuTTY's private keys, npm's credentials (npmrc(5)).
var secretMarks = [][]byte{[]byte("PRIVATE KEY-----"), []byte("PuTTY-User-Key-File"), []byte("_auth"), []byte("_password")}

// holdsKey says whether a file has a secret in its first 64 KiB. One that cannot
// be read is hidden: the agent could not read it either, or it is changing just
// now.
func holdsKey(dir *os.Root, p string) (bool, error) {
	f, err := dir.OpenFile(p, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return true, nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return true, nil
	}
	return slices.ContainsFunc(secretMarks, func(m []byte) bool { return bytes.Contains(text, m) }), nil
}
