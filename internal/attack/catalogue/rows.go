package catalogue

// Proof says how it shows that an attack worked.
type Proof string

// The proofs.
const (
	Reads   Proof = "reads"   // its detail holds the decoy
	Changes Proof = "changes" // something outside has changed
	Says    Proof = "says"    // it says so: what it did leaves no trace
)

// Need is something that an attack needs outside of the sandbox before it can
// work there.
type Need string

// The needs. A kernel that lacks a call says so by itself, with ENOSYS.
const (
	Root     Need = "root"     // the suite runs as root, to make a setuid helper
	Userns   Need = "userns"   // user namespaces that may mount
	IOUring  Need = "io_uring" // kernel.io_uring_disabled is 0
	IPv6     Need = "ipv6"
	MPTCP    Need = "mptcp"
	TIOCSTI  Need = "tiocsti" // dev.tty.legacy_tiocsti is 1
	Perf     Need = "perf"    // kernel.perf_event_paranoid is at most 2
	Keyring  Need = "keyring"
	Queues   Need = "mqueue"
	FastOpen Need = "fastopen" // net.ipv4.tcp_fastopen has bit 0
)

// Row is one attack.
type Row struct {
	ID    string `json:"id"`
	Says  string `json:"says"`
	Proof Proof  `json:"proof"`
	Needs []Need `json:"needs,omitempty"`
	// Regression: an ordinary user is refused it outside too, so its refusal
	// inside proves nothing; it must stay refused.
	Regression bool `json:"regression,omitempty"`
	// Inside lists the ways in which it must be refused inside: errno names, a
	// signal name, or "" where it ends without an error. Another refusal than
	// the expected one means that another layer answered, or that the layer
	// answers more than it should: a secret must be absent, not denied.
	Inside []string `json:"inside"`
	// Accepted is why it works inside; "" when it must not.
	Accepted string `json:"accepted,omitempty"`
}

// one and of spare the table its brackets.
func of(names ...string) []string { return names }

func needs(names ...Need) []Need { return names }

// Rows returns every attack, in the order of its ids.
func Rows() []Row {
	var rows []Row
	for _, group := range [][]Row{
		reading(), namespaces(), seeing(), modes(), writing(), sockets(), network(), processes(), ipc(), escapes(), planting(),
	} {
		rows = append(rows, group...)
	}
	return rows
}

func reading() []Row {
	absent := of("ENOENT")
	return []Row{
		{ID: "R01", Says: "open the key by its path", Proof: Reads, Inside: absent},
		{ID: "R02", Says: "read the key through a link planted in the project", Proof: Reads, Inside: absent},
		{ID: "R03", Says: "hard-link the key into the project", Proof: Reads, Inside: absent},
		{ID: "R04", Says: "read a hard link to the key that was in the project before", Proof: Reads,
			Accepted: "the file lies in the project too; rights hang on the file there"},
		{ID: "H01", Says: "read a hidden file of a checkout", Proof: Reads, Inside: absent},
		{ID: "H02", Says: "read a hidden file of the project", Proof: Reads, Inside: of("EACCES")},
		{ID: "H03", Says: "read a hidden file of the project by a hard link made before", Proof: Reads, Inside: of("EACCES")},
		{ID: "H04", Says: "read a blob of a checkout's repository", Proof: Reads, Inside: absent},
		{ID: "H05", Says: "rename a hidden file of the project from under its cover", Proof: Reads, Inside: of("EBUSY")},
		{ID: "R05", Says: "read the key through /proc/self/root", Proof: Reads, Inside: absent},
		{ID: "R06", Says: "read the key through /proc/PID/cwd", Proof: Reads, Inside: absent},
		{ID: "R07", Says: "read the key through /proc/PID/root", Proof: Reads, Inside: absent},
		{ID: "R08", Says: "read /proc/PID/environ", Proof: Reads, Inside: absent},
		{ID: "R09", Says: "read /proc/PID/mem", Proof: Reads, Inside: absent},
		{ID: "R10", Says: "open /proc/PID/fd/N", Proof: Reads, Inside: absent},
		{ID: "R11", Says: "process_vm_readv", Proof: Reads, Inside: of("ESRCH")},
		{ID: "R12", Says: "ptrace an outside process and read its memory", Proof: Reads, Inside: of("ESRCH")},
		{ID: "R13", Says: "pidfd_getfd from an outside process", Proof: Reads, Inside: of("ESRCH")},
		{ID: "R14", Says: "open_by_handle_at", Proof: Reads, Regression: true, Inside: of("EPERM")},
		{ID: "R14a", Says: "name_to_handle_at", Proof: Says, Inside: of("EPERM")},
		{ID: "R15", Says: "read an inherited descriptor of the key", Proof: Reads, Inside: of("EBADF")},
		{ID: "R16", Says: "openat below an inherited descriptor of the home", Proof: Reads, Inside: of("EBADF")},
		{ID: "R17", Says: "open again an inherited O_PATH descriptor of the key", Proof: Reads, Inside: absent},
		{ID: "R19", Says: "open the key by io_uring", Proof: Reads, Needs: needs(IOUring), Inside: of("ENOSYS")},
	}
}

func namespaces() []Row {
	refused := of("EPERM")
	return []Row{
		{ID: "R18", Says: "bind the keys into the project in a new user namespace", Proof: Reads, Needs: needs(Userns), Inside: refused},
		{ID: "R18a", Says: "make a user namespace", Proof: Says, Needs: needs(Userns), Inside: refused},
		{ID: "R18b", Says: "mount a tmpfs in a new user namespace", Proof: Says, Needs: needs(Userns), Inside: refused},
		{ID: "R18d", Says: "fsopen, fsmount and move_mount in a new user namespace", Proof: Says, Needs: needs(Userns), Inside: refused},
		{ID: "R18e", Says: "chroot in a new user namespace", Proof: Says, Needs: needs(Userns), Inside: refused},
		{ID: "X16", Says: "clone3 with a new user namespace", Proof: Says, Needs: needs(Userns), Inside: of("ENOSYS")},
		{ID: "X28", Says: "setns into an outside process's namespaces", Proof: Says, Regression: true, Inside: of("ENOENT", "EPERM")},
	}
}

func seeing() []Row {
	absent := of("ENOENT")
	return []Row{
		{ID: "S01", Says: "stat the key", Proof: Says, Inside: absent},
		{ID: "S02", Says: "chdir to the keys", Proof: Says, Inside: absent},
		{ID: "S03", Says: "readlink in the home", Proof: Reads, Inside: absent},
		{ID: "S04", Says: "watch the keys by inotify while the human uses one", Proof: Says, Inside: absent},
		{ID: "S05", Says: "read an extended attribute of the key", Proof: Reads, Inside: absent},
		{ID: "S06", Says: "list the home", Proof: Says, Inside: of("")},
	}
}

func modes() []Row {
	absent := of("ENOENT")
	return []Row{
		{ID: "M01", Says: "chmod ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "M02", Says: "set the times of ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "M03", Says: "setxattr on ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "M04", Says: "take every right from ~/.ssh", Proof: Changes, Inside: absent},
		{ID: "M05", Says: "make the key readable to others", Proof: Changes, Inside: absent},
	}
}

func writing() []Row {
	absent, readOnly := of("ENOENT"), of("EROFS")
	return []Row{
		{ID: "W01", Says: "append to ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "W02", Says: "create a systemd user unit", Proof: Changes, Inside: absent},
		{ID: "W03", Says: "rename a file of the project into the home", Proof: Changes, Inside: of("ENOENT", "EXDEV")},
		{ID: "W04", Says: "truncate ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "W05", Says: "unlink ~/.bashrc", Proof: Changes, Inside: absent},
		{ID: "W06", Says: "write to ~/.bashrc through a link in the project", Proof: Changes, Inside: absent},
		{ID: "W07", Says: "write into a read-only checkout", Proof: Changes, Inside: readOnly},
		{ID: "W08", Says: "chmod in a read-only checkout", Proof: Changes, Inside: readOnly},
		{ID: "W09", Says: "hard-link a checkout's file into the project and write to it", Proof: Changes, Inside: of("EXDEV")},
		{ID: "W10", Says: "rename the project", Proof: Changes, Inside: of("EROFS", "EBUSY", "EXDEV")},
		{ID: "W11", Says: "link an O_TMPFILE of the project into the home by /proc/self/fd", Proof: Changes, Regression: true, Inside: of("ENOENT", "EXDEV")},
		{ID: "W12", Says: "set the times of a file in a read-only checkout", Proof: Changes, Inside: readOnly},
	}
}

func sockets() []Row {
	absent := of("ENOENT")
	return []Row{
		{ID: "U01", Says: "connect to a socket in the home, as an ssh agent's", Proof: Reads, Inside: absent},
		{ID: "U02", Says: "connect to an abstract socket", Proof: Reads, Inside: of("ECONNREFUSED")},
		{ID: "U03", Says: "receive the open key over a socket", Proof: Reads, Inside: absent},
		{ID: "U04", Says: "send a datagram to a socket in the home", Proof: Changes, Inside: absent},
		{ID: "U05", Says: "connect to a socket in a read-only checkout", Proof: Reads, Inside: of("ENOENT", "ECONNREFUSED")},
	}
}

func network() []Row {
	refused := of("ECONNREFUSED")
	return []Row{
		{ID: "N01", Says: "TCP to a service on the host's loopback", Proof: Reads, Inside: refused},
		{ID: "N02", Says: "UDP to a service on the host's loopback", Proof: Reads, Inside: of("ECONNREFUSED", "EAGAIN")},
		{ID: "N03", Says: "MPTCP to a service on the host's loopback", Proof: Reads, Needs: needs(MPTCP), Inside: of("EPROTONOSUPPORT")},
		{ID: "N04", Says: "TCP Fast Open to a service on the host's loopback", Proof: Reads, Needs: needs(FastOpen), Inside: refused},
		{ID: "N05", Says: "TCP to a service on the host's ::1", Proof: Reads, Needs: needs(IPv6), Inside: of("ECONNREFUSED", "EADDRNOTAVAIL", "ENETUNREACH")},
		{ID: "N06", Says: "ICMP datagram socket", Proof: Says, Regression: true, Inside: of("EACCES", "EPERM")},
		{ID: "N07", Says: "raw socket", Proof: Says, Regression: true, Inside: of("EPERM")},
		{ID: "N08", Says: "packet socket", Proof: Says, Regression: true, Inside: of("EAFNOSUPPORT", "EPERM")},
		{ID: "N09", Says: "vsock socket, a channel to the host of a virtual machine", Proof: Says, Inside: of("EAFNOSUPPORT", "EPERM")},
		{ID: "N12", Says: "connect by io_uring to a service on the host's loopback", Proof: Reads, Needs: needs(IOUring), Inside: of("ENOSYS")},
		{ID: "N13", Says: "be reached from the host on a bound TCP port", Proof: Reads, Inside: of("")},
		{ID: "N14", Says: "be reached from the host on a bound MPTCP port", Proof: Reads, Needs: needs(MPTCP), Inside: of("EPROTONOSUPPORT")},
		{ID: "N14a", Says: "be reached from the host by listen without bind", Proof: Reads, Inside: of("")},
	}
}

func processes() []Row {
	absent := of("ESRCH")
	return []Row{
		{ID: "P01", Says: "signal an outside process", Proof: Changes, Inside: absent},
		{ID: "P02", Says: "pidfd_send_signal to an outside process", Proof: Changes, Inside: absent},
		{ID: "P03", Says: "SIGIO to an outside process by F_SETOWN", Proof: Changes, Inside: absent},
		{ID: "P04", Says: "prlimit of an outside process", Proof: Changes, Inside: absent},
		{ID: "P05", Says: "setpriority and sched_setaffinity of an outside process", Proof: Changes, Inside: absent},
		{ID: "P06", Says: "write oom_score_adj of an outside process", Proof: Changes, Inside: of("ENOENT")},
		{ID: "P07", Says: "read the command line of an outside process", Proof: Reads, Inside: of("ENOENT")},
		{ID: "P08", Says: "ioprio_set of an outside process", Proof: Changes, Inside: absent},
	}
}

func ipc() []Row {
	return []Row{
		{ID: "I01", Says: "attach a SysV segment of the same user", Proof: Reads, Inside: of("ENOENT")},
		{ID: "I02", Says: "read a POSIX message queue of the same user", Proof: Reads, Needs: needs(Queues), Inside: of("ENOENT")},
		{ID: "I03", Says: "read a file in /dev/shm of the same user", Proof: Reads, Inside: of("ENOENT")},
		{ID: "I04", Says: "read a key of the user keyring", Proof: Reads, Needs: needs(Keyring), Inside: of("EPERM")},
		{ID: "I05", Says: "add a key", Proof: Says, Needs: needs(Keyring), Inside: of("EPERM")},
	}
}

func escapes() []Row {
	refused := of("EPERM")
	return []Row{
		{ID: "X01", Says: "gain root by a setuid program", Proof: Says, Needs: needs(Root), Inside: of("")},
		{ID: "X02", Says: "set the setuid bit of a file in the project", Proof: Changes, Inside: refused},
		{ID: "X04", Says: "make a device node in the project", Proof: Changes, Regression: true, Inside: refused},
		{ID: "X09", Says: "write kernel.core_pattern", Proof: Says, Regression: true, Inside: of("EROFS", "EACCES", "ENOENT")},
		{ID: "X10", Says: "write to /sys", Proof: Says, Regression: true, Inside: of("ENOENT")},
		{ID: "X11", Says: "io_uring_setup", Proof: Says, Needs: needs(IOUring), Inside: of("ENOSYS")},
		{ID: "X12", Says: "userfaultfd", Proof: Says, Inside: refused},
		{ID: "X13", Says: "perf_event_open", Proof: Says, Needs: needs(Perf), Inside: refused},
		{ID: "X14", Says: "bpf", Proof: Says, Regression: true, Inside: refused},
		{ID: "X15", Says: "personality READ_IMPLIES_EXEC", Proof: Says, Inside: refused},
		{ID: "X18", Says: "vsock by the 32-bit system call table", Proof: Says, Inside: of("SIGSYS")},
		{ID: "X20", Says: "fanotify_init", Proof: Says, Inside: refused},
		{ID: "X21", Says: "read the kernel log", Proof: Says, Regression: true, Inside: refused},
		{ID: "X23", Says: "overwrite /proc/1/exe", Proof: Says, Regression: true, Inside: of("EACCES")},
		{ID: "X24", Says: "read /proc/1/environ and /proc/1/mem", Proof: Says, Regression: true, Inside: of("EACCES")},
		{ID: "X29", Says: "write to another terminal of the same user", Proof: Changes, Inside: of("ENOENT")},
		{ID: "X30", Says: "TIOCSTI on the controlling terminal", Proof: Says, Needs: needs(TIOCSTI), Inside: refused},
		{ID: "X30a", Says: "TIOCSTI with high bits set (CVE-2019-10063)", Proof: Says, Needs: needs(TIOCSTI), Inside: refused},
	}
}

// planting is what the agent leaves behind for the human's tools to run. The
// project's .git must be read-only whole, and what would run on its own where
// it exists.
func planting() []Row {
	readOnly := of("EROFS")
	return []Row{
		{ID: "X05", Says: "write a git hook in the project", Proof: Changes, Inside: readOnly},
		{ID: "X06", Says: "set core.fsmonitor in the project's .git/config", Proof: Changes, Inside: readOnly},
		{ID: "X07", Says: "rename the project's .git and plant another", Proof: Changes, Inside: of("EBUSY", "EROFS")},
		{ID: "X08", Says: "write an .envrc that exists", Proof: Changes, Inside: of("EACCES")},
		{ID: "X08a", Says: "write a .claude/settings.json that exists", Proof: Changes, Inside: readOnly},
		{ID: "X08c", Says: "set core.fsmonitor in a repository below the project's top", Proof: Changes, Inside: readOnly},
		{ID: "X08d", Says: "rename the directory above that repository and plant another", Proof: Changes, Inside: of("EBUSY")},
		{ID: "X08e", Says: "write a hook in the tree that core.hooksPath names", Proof: Changes, Inside: readOnly},
		{ID: "X08b", Says: "plant .git/commondir, so that git reads another configuration", Proof: Changes, Inside: readOnly},
	}
}
