package launcher

import "golang.org/x/sys/unix"

var nativeABI = callABI{
	audit:    unix.AUDIT_ARCH_AARCH64,
	refuse:   refuseEverywhere,
	absent:   absentEverywhere,
	modes:    modesEverywhere,
	personal: unix.SYS_PERSONALITY,
	ioctl:    unix.SYS_IOCTL,
	fcntl:    unix.SYS_FCNTL,
	clone:    unix.SYS_CLONE,
	unshare:  unix.SYS_UNSHARE,
	socket:   unix.SYS_SOCKET,
	pair:     unix.SYS_SOCKETPAIR,
}
