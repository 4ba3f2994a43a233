package launcher

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// The hidden stages are chosen by the only argument, which no command of a
// program that calls Stage may have as its name. They are given their orders on
// a socket, so running one by hand does nothing.
const (
	stageInit = "launcher:init"
	stageExec = "launcher:exec"
)

// The descriptors that a stage starts with, besides 0 to 2.
const (
	controlFD = 3
	binaryFD  = 4 // of pid 1 only: this binary, which is not to be seen inside
)

// exitSetup is how a stage ends that could not do its part.
const exitSetup = 125

// Stage must be called first in main, and in TestMain: a process that Run
// started does its part here and does not return. In any other process it does
// nothing.
func Stage() {
	if len(os.Args) != 2 {
		return
	}
	stages := map[string]func(conn) int{stageInit: runInit, stageExec: runExec}
	if stage, ok := stages[os.Args[1]]; ok {
		runtime.LockOSThread()
		os.Exit(stage(orderSocket()))
	}
}

// orderSocket is the control socket that a stage was started with. A process
// without one was started by hand.
func orderSocket() conn {
	st, err := statOf(controlFD)
	if err != nil || fileType(st) != unix.S_IFSOCK {
		fmt.Fprintf(os.Stderr, "%s is a part of the launcher and cannot be run by itself\n", os.Args[1])
		os.Exit(exitSetup)
	}
	unix.CloseOnExec(controlFD)
	unix.CloseOnExec(binaryFD)
	return conn{controlFD}
}
