package launcher

import (
	"fmt"
	"syscall"
)

// SetupError says which step of a launch was not done as planned. Nothing was
// started, and nothing of the sandbox is left.
type SetupError struct {
	Step string // such as "mount" or "check read-only"
	At   string // file:line:column of the line that asked for it, or ""
	Err  error
}

func (e *SetupError) Error() string {
	if e.At != "" {
		return fmt.Sprintf("%s: set up %s: %v", e.At, e.Step, e.Err)
	}
	return fmt.Sprintf("set up %s: %v", e.Step, e.Err)
}

// Unwrap gives the cause. An error that happened inside the sandbox keeps its
// words and its errno, and no other type.
func (e *SetupError) Unwrap() error { return e.Err }

// ExecError says that the sandbox stood and its program could not be started.
// The status that comes with it is 127 when there is no such program and 126
// when there is one, as env(1) has it.
type ExecError struct {
	Program string
	Err     error
}

func (e *ExecError) Error() string { return fmt.Sprintf("start %s: %v", e.Program, e.Err) }

// Unwrap gives the cause.
func (e *ExecError) Unwrap() error { return e.Err }

// LostMountError says that a mount of the plan was taken off while the program
// ran, and that the program was killed for it. A rename over a file or directory
// from outside detaches what another mount namespace has mounted there
// (Linux 3.18, "vfs: Lazily remove mounts on unlinked files"), so that what was
// hidden or read-only no longer was.
type LostMountError struct {
	Target string
	At     string
}

func (e *LostMountError) Error() string {
	at := ""
	if e.At != "" {
		at = e.At + ": "
	}
	return fmt.Sprintf("%skeep %s protected: it was replaced outside while the program ran, which took its mount away; the program was killed", at, e.Target)
}

// insideError is an error of a stage, as it came over the control socket.
type insideError struct {
	Text  string
	Errno syscall.Errno
}

func (e *insideError) Error() string { return e.Text }

func (e *insideError) Unwrap() error {
	if e.Errno == 0 {
		return nil
	}
	return e.Errno
}
