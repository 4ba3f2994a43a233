package launcher

import "golang.org/x/sys/unix"

var mustBeRefusedHere = []uint32{
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_USELIB, unix.SYS__SYSCTL, unix.SYS_USTAT, unix.SYS_SYSFS, unix.SYS_CREATE_MODULE,
	unix.SYS_GET_KERNEL_SYMS, unix.SYS_QUERY_MODULE,
}

var mustWorkHere = []uint32{
	unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_ACCESS, unix.SYS_PIPE, unix.SYS_DUP2, unix.SYS_FORK, unix.SYS_VFORK,
	unix.SYS_GETDENTS, unix.SYS_RENAME, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_LINK, unix.SYS_UNLINK, unix.SYS_SYMLINK, unix.SYS_READLINK,
	unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_ALARM, unix.SYS_PAUSE, unix.SYS_GETPGRP,
	unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD, unix.SYS_SIGNALFD, unix.SYS_INOTIFY_INIT, unix.SYS_ARCH_PRCTL, unix.SYS_TIME,
}

var mustLackSetIDHere = []modeRow{
	{unix.SYS_CHMOD, 1, -1},
	{unix.SYS_MKNOD, 1, -1},
	{unix.SYS_CREAT, 1, -1},
	{unix.SYS_OPEN, 2, 1},
}
