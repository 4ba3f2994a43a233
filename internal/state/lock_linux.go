package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrBusy says that another session holds the draft.
var ErrBusy = errors.New("another session of this draft is running")

// Lock takes the draft for one session. It ends with the process that took it,
// however that ends, and is released by closing the file. The error is ErrBusy
// when another session holds it.
func (d Draft) Lock() (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(d.Dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("lock %s: %w", d.Dir, ErrBusy)
	}
	return nil, fmt.Errorf("lock %s: %w", d.Dir, err)
}
