package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// signalled says that a signal ended a stage.
type signalled unix.Signal

func (s signalled) Error() string { return "ended by " + unix.SignalName(unix.Signal(s)) }

// stage is a part of an attack that needs a process of its own.
type stage int

const (
	stageNothing stage = iota
	stageBind
	stageTmpfs
	stageMountAPI
	stageChroot
	stageTIOCSTI
	stageTIOCSTIHigh
	stageRoot
	stageSocket32
)

// stageParts says how a stage is started and what it tries there.
var stageParts = map[stage]struct {
	namespace bool // in a user and mount namespace of its own
	terminal  bool // on a terminal of its own
	try       attempt
}{
	stageNothing:     {namespace: true, try: func(catalogue.Targets) (string, error) { return "made", nil }},
	stageBind:        {namespace: true, try: bindSecrets},
	stageTmpfs:       {namespace: true, try: mountTmpfs},
	stageMountAPI:    {namespace: true, try: mountByAPI},
	stageChroot:      {namespace: true, try: changeRoot},
	stageTIOCSTI:     {terminal: true, try: pushInput(unix.TIOCSTI)},
	stageTIOCSTIHigh: {terminal: true, try: pushInput(1<<32 | unix.TIOCSTI)},
	stageRoot:        {try: amRoot},
	stageSocket32:    {try: vsockByTable32},
}

// runStage is the stage itself: it prints its result as an attack does.
func runStage(number, targets string) error {
	var s stage
	var t catalogue.Targets
	if err := errors.Join(json.Unmarshal([]byte(number), &s), json.Unmarshal([]byte(targets), &t)); err != nil {
		return fmt.Errorf("read stage: %w", err)
	}
	detail, err := stageParts[s].try(t)
	return json.NewEncoder(os.Stdout).Encode(result(number, detail, err))
}

// staged returns an attack that runs s in a child.
func staged(s stage) attempt {
	return func(t catalogue.Targets) (string, error) { return child("/proc/self/exe", s, t) }
}

func child(program string, s stage, t catalogue.Targets) (string, error) {
	targets, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program, "stage", fmt.Sprint(int(s)), string(targets))
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if stageParts[s].namespace {
		inNamespace(cmd.SysProcAttr)
	}
	if stageParts[s].terminal {
		if err := onTerminal(cmd); err != nil {
			return "", err
		}
	}
	return ended(cmd.Output())
}

// ended turns the end of a stage into that of the attack.
func ended(out []byte, err error) (string, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			return "", signalled(status.Signal())
		}
	}
	if err != nil {
		return "", err
	}
	var r catalogue.Result
	if err := json.Unmarshal(out, &r); err != nil {
		return "", fmt.Errorf("read result of stage: %w", err)
	}
	if r.Result == catalogue.Works {
		return r.Detail, nil
	}
	if errno := errnoByName(r.Errno); errno != 0 {
		return "", errno
	}
	return "", errors.New(r.Detail)
}

// errnoByName is the inverse of unix.ErrnoName; 0 for no name of an errno.
func errnoByName(name string) unix.Errno {
	for e := unix.Errno(1); e < 256; e++ {
		if name != "" && unix.ErrnoName(e) == name {
			return e
		}
	}
	return 0
}

func inNamespace(attr *syscall.SysProcAttr) {
	attr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
}

// mountPoint makes a directory to mount on.
func mountPoint(t catalogue.Targets) (string, error) {
	dir := t.Project + "/planted"
	return dir, os.Mkdir(dir, 0o755)
}

func bindSecrets(t catalogue.Targets) (string, error) {
	dir, err := mountPoint(t)
	if err != nil {
		return "", err
	}
	if err := unix.Mount(t.Home+"/.ssh", dir, "", unix.MS_BIND, ""); err != nil {
		return "", err
	}
	return openDecoy(unix.AT_FDCWD, dir+"/id_rsa")
}

func mountTmpfs(t catalogue.Targets) (string, error) {
	dir, err := mountPoint(t)
	if err != nil {
		return "", err
	}
	return did("mounted", unix.Mount("none", dir, "tmpfs", 0, ""))
}

func mountByAPI(t catalogue.Targets) (string, error) {
	dir, err := mountPoint(t)
	if err != nil {
		return "", err
	}
	fs, err := unix.Fsopen("tmpfs", 0)
	if err != nil {
		return "", err
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return "", err
	}
	mnt, err := unix.Fsmount(fs, 0, 0)
	if err != nil {
		return "", err
	}
	return did("mounted", unix.MoveMount(mnt, "", unix.AT_FDCWD, dir, unix.MOVE_MOUNT_F_EMPTY_PATH))
}

func changeRoot(t catalogue.Targets) (string, error) { return did("changed", unix.Chroot(t.Project)) }

func runSetuid(t catalogue.Targets) (string, error) { return child(t.Setuid, stageRoot, t) }

func amRoot(catalogue.Targets) (string, error) {
	if uid := os.Geteuid(); uid != 0 {
		return "", fmt.Errorf("euid %d", uid)
	}
	return "euid 0", nil
}

// onTerminal starts a stage as the leader of a session on a fresh terminal.
func onTerminal(cmd *exec.Cmd) error {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return err
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	cmd.Stdin = slave
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	return nil
}

// pushInput types a line into its own terminal, with an ioctl command that may
// have bits set which the kernel does not look at.
func pushInput(command uintptr) attempt {
	return func(catalogue.Targets) (string, error) {
		for _, c := range []byte("id\n") {
			if _, _, errno := unix.Syscall(unix.SYS_IOCTL, 0, command, uintptr(unsafe.Pointer(&c))); errno != 0 {
				return "", errno
			}
		}
		if err := await(0, unix.POLLIN); err != nil {
			return "", err
		}
		return "typed", nil
	}
}

func socket32(t catalogue.Targets) (string, error) { return child("/proc/self/exe", stageSocket32, t) }
