package launcher

import (
	"fmt"
	"path"

	"golang.org/x/sys/unix"
)

// procMasked are the entries of proc that tell of the host and not of the
// sandbox: kernel addresses, keys, command line, hardware, timers of all
// processes. They read as empty.
var procMasked = []string{
	"acpi", "asound", "cmdline", "config.gz", "interrupts", "iomem", "ioports", "kallsyms", "kcore", "key-users", "keys",
	"kmsg", "kpagecgroup", "kpagecount", "kpageflags", "latency_stats", "pagetypeinfo", "sched_debug", "scsi",
	"slabinfo", "softirqs", "timer_list", "timer_stats", "vmallocinfo",
}

// procReadOnly are the entries that change the kernel.
var procReadOnly = []string{"bus", "fs", "irq", "sys", "sysrq-trigger"}

// procfs mounts a proc that shows the sandbox's processes only.
func (s *sandbox) procfs(m Mount) error {
	proc, err := newFilesystem("proc", harmless|unix.MOUNT_ATTR_NOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(proc)
	if err := s.place(proc, m, roomClosed); err != nil {
		return err
	}
	for _, name := range procMasked {
		if err := s.maskProc(proc, name); err != nil {
			return fmt.Errorf("mask %s: %w", path.Join(m.Target, name), err)
		}
	}
	for _, name := range procReadOnly {
		if err := closeProc(proc, name); err != nil {
			return fmt.Errorf("make %s read-only: %w", path.Join(m.Target, name), err)
		}
	}
	return nil
}

const procAttributes = harmless | unix.MOUNT_ATTR_NOEXEC | unix.MOUNT_ATTR_RDONLY

func (s *sandbox) maskProc(proc int, name string) error {
	target, err := openPlain(proc, name)
	if err == unix.ENOENT {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(target)
	st, err := statOf(target)
	if err != nil {
		return err
	}
	blank := blankFile
	if fileType(st) == unix.S_IFDIR {
		blank = blankDir
	}
	source, err := openPlain(s.scratch, blank)
	if err != nil {
		return err
	}
	defer unix.Close(source)
	return attachClone(source, target, procAttributes)
}

func closeProc(proc int, name string) error {
	fd, err := openPlain(proc, name)
	if err == unix.ENOENT {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return attachClone(fd, fd, procAttributes)
}
