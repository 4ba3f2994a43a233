//go:build linux && !amd64

package main

import (
	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// vsockByTable32 has no second system call table to use here.
func vsockByTable32(catalogue.Targets) (string, error) { return "", unix.ENOSYS }
