//go:build !linux

package launcher

import (
	"context"
	"errors"
	"runtime"
)

// Stage does nothing here.
func Stage() {}

// Run needs Linux: namespaces, Landlock and seccomp have no likeness elsewhere.
func Run(context.Context, *Plan, Stdio, Outside) (int, error) {
	return 0, &SetupError{Step: "namespaces", Err: errors.New("there is no sandbox on " + runtime.GOOS)}
}
