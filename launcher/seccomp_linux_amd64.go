package launcher

import (
	"slices"

	"golang.org/x/sys/unix"
)

var nativeABI = callABI{
	audit: unix.AUDIT_ARCH_X86_64,
	refuse: slices.Concat(refuseEverywhere, []uint32{
		unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS__SYSCTL, unix.SYS_USTAT, unix.SYS_SYSFS,
		unix.SYS_CREATE_MODULE, unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
	}),
	absent: absentEverywhere,
	modes: slices.Concat(modesEverywhere, []modeCall{
		{unix.SYS_CHMOD, 1, -1},
		{unix.SYS_MKNOD, 1, -1},
		{unix.SYS_CREAT, 1, -1},
		{unix.SYS_OPEN, 2, 1},
	}),
	personal: unix.SYS_PERSONALITY,
	ioctl:    unix.SYS_IOCTL,
	fcntl:    unix.SYS_FCNTL,
	clone:    unix.SYS_CLONE,
	unshare:  unix.SYS_UNSHARE,
	socket:   unix.SYS_SOCKET,
	pair:     unix.SYS_SOCKETPAIR,
}
