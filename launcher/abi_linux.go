package launcher

import (
	"fmt"

	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// LandlockABI asks the running kernel for its Landlock ABI. Kernel versions say
// nothing: distributions backport it, and a boot parameter switches it off.
func LandlockABI() (int, error) {
	abi, err := llsys.LandlockGetABIVersion()
	switch err {
	case nil:
		return abi, nil
	case unix.ENOSYS:
		return 0, fmt.Errorf("probe landlock: this kernel was built without it: %w", err)
	case unix.EOPNOTSUPP:
		return 0, fmt.Errorf("probe landlock: it is switched off at boot (add landlock to lsm=): %w", err)
	}
	return 0, fmt.Errorf("probe landlock: %w", err)
}
