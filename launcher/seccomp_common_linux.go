package launcher

import "golang.org/x/sys/unix"

// The calls that both architectures have.

// refuseEverywhere is answered with EPERM: what rebuilds the view of the file
// system, reaches keys, watches or changes the kernel, or opens files by handle.
var refuseEverywhere = []uint32{
	// Mounts and namespaces.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_MOUNT_SETATTR, unix.SYS_SETNS,
	// Keys: not namespaced by anything that is made here.
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	// Parts of the kernel that exploits are built with.
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	// Files by handle, past all paths (the "shocker" escape).
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	// The machine.
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SETTIMEOFDAY,
	unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL,
	unix.SYS_LOOKUP_DCOOKIE, unix.SYS_SYSLOG, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
}

// firstUnknown is one above the newest system call that these tables were made
// with. Newer ones do not exist inside, as on an older kernel: new ways to open,
// mount and connect come with new numbers.
const firstUnknown = unix.SYS_FILE_SETATTR + 1

// absentEverywhere is answered with ENOSYS, on which C libraries and runtimes
// fall back: clone3 to clone, whose flags are no pointer that a filter cannot
// look behind; io_uring to plain calls; openat2, whose mode is behind a pointer,
// to openat.
var absentEverywhere = []uint32{
	unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_OPENAT2,
}

var modesEverywhere = []modeCall{
	{unix.SYS_FCHMOD, 1, -1},
	{unix.SYS_FCHMODAT, 2, -1},
	{unix.SYS_FCHMODAT2, 2, -1},
	{unix.SYS_MKNODAT, 2, -1},
	{unix.SYS_OPENAT, 3, 2},
}
