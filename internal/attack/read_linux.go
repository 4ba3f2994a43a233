package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// errNoDecoy: the call was let through, but what it read was no secret.
var errNoDecoy = errors.New("nothing secret was there")

// decoy returns the part of b from the marker on, up to the end of the word.
func decoy(b []byte) (string, error) {
	_, rest, ok := strings.Cut(string(b), catalogue.Marker)
	if !ok {
		return "", errNoDecoy
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r <= ' ' || r > '~' })
	if end < 0 {
		end = len(rest)
	}
	return catalogue.Marker + rest[:end], nil
}

// slurp reads a descriptor to its end, at most 1 MiB.
func slurp(fd int) ([]byte, error) {
	var all []byte
	for buf := make([]byte, 4096); len(all) < 1<<20; {
		n, err := unix.Read(fd, buf)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		all = append(all, buf[:n]...)
	}
	return all, nil
}

func readDecoy(fd int) (string, error) {
	b, err := slurp(fd)
	if err != nil {
		return "", err
	}
	return decoy(b)
}

func openDecoy(dir int, path string) (string, error) {
	fd, err := unix.Openat(dir, path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	return readDecoy(fd)
}

func openSecret(t catalogue.Targets) (string, error) { return openDecoy(unix.AT_FDCWD, t.Secret) }

func throughLink(t catalogue.Targets) (string, error) {
	link := t.Project + "/planted"
	if err := unix.Symlink(t.Secret, link); err != nil {
		return "", err
	}
	return openDecoy(unix.AT_FDCWD, link)
}

func hardLink(t catalogue.Targets) (string, error) {
	link := t.Project + "/planted"
	if err := unix.Link(t.Secret, link); err != nil {
		return "", err
	}
	return openDecoy(unix.AT_FDCWD, link)
}

func priorHardLink(t catalogue.Targets) (string, error) { return openDecoy(unix.AT_FDCWD, t.HardLink) }

func procSelfRoot(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, "/proc/self/root"+t.Secret)
}

// victimFile names a file of the victim's below /proc.
func victimFile(t catalogue.Targets, name string) string {
	return fmt.Sprintf("/proc/%d/%s", t.Victim, name)
}

func procCwd(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, victimFile(t, "cwd/id_rsa"))
}

func procRoot(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, victimFile(t, "root"+t.Secret))
}

func procEnviron(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, victimFile(t, "environ"))
}

func readCommandLine(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, victimFile(t, "cmdline"))
}

func procFD(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, victimFile(t, fmt.Sprintf("fd/%d", t.FD)))
}

func procMem(t catalogue.Targets) (string, error) {
	fd, err := unix.Open(victimFile(t, "mem"), unix.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	return preadDecoy(fd, t.Length, int64(t.Address))
}

func preadDecoy(fd, length int, offset int64) (string, error) {
	buf := make([]byte, length)
	n, err := unix.Pread(fd, buf, offset)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

func readMemory(t catalogue.Targets) (string, error) {
	buf := make([]byte, t.Length)
	local := []unix.Iovec{{Base: &buf[0]}}
	local[0].SetLen(len(buf))
	n, err := unix.ProcessVMReadv(t.Victim, local, []unix.RemoteIovec{{Base: uintptr(t.Address), Len: t.Length}}, 0)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

// trace attaches to the victim and reads its memory. A tracer is a thread, not
// a process.
func trace(t catalogue.Targets) (string, error) {
	runtime.LockOSThread()
	if err := unix.PtraceSeize(t.Victim); err != nil {
		return "", err
	}
	defer unix.PtraceDetach(t.Victim)
	if err := unix.PtraceInterrupt(t.Victim); err != nil {
		return "", err
	}
	if _, err := unix.Wait4(t.Victim, nil, unix.WALL, nil); err != nil {
		return "", err
	}
	buf := make([]byte, t.Length)
	n, err := unix.PtracePeekData(t.Victim, uintptr(t.Address), buf)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

func stealDescriptor(t catalogue.Targets) (string, error) {
	pidfd, err := unix.PidfdOpen(t.Victim, 0)
	if err != nil {
		return "", err
	}
	fd, err := unix.PidfdGetfd(pidfd, t.FD, 0)
	if err != nil {
		return "", err
	}
	return preadDecoy(fd, 4096, 0)
}

func nameToHandle(t catalogue.Targets) (string, error) {
	handle, mount, err := unix.NameToHandleAt(unix.AT_FDCWD, t.Secret, 0)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("mount %d, handle %x", mount, handle.Bytes()), nil
}

// openByHandle asks for a handle where it is given one, or makes one up, as an
// attacker who guesses inode numbers does.
func openByHandle(t catalogue.Targets) (string, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, t.Secret, 0)
	if err != nil {
		handle = unix.NewFileHandle(1, make([]byte, 8))
	}
	mount, err := unix.Open(t.Project, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return "", err
	}
	fd, err := unix.OpenByHandleAt(mount, handle, unix.O_RDONLY)
	if err != nil {
		return "", err
	}
	return readDecoy(fd)
}

func inheritedFile(t catalogue.Targets) (string, error) { return preadDecoy(t.InheritedFile, 4096, 0) }

func inheritedDir(t catalogue.Targets) (string, error) {
	return openDecoy(t.InheritedDir, ".ssh/id_rsa")
}

func inheritedPath(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", t.InheritedPath))
}

func attachShm(t catalogue.Targets) (string, error) {
	id, err := unix.SysvShmGet(t.Shm, 0, 0)
	if err != nil {
		return "", err
	}
	mem, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
	if err != nil {
		return "", err
	}
	return decoy(mem)
}

func receiveQueue(t catalogue.Targets) (string, error) {
	name, err := unix.BytePtrFromString(t.Queue)
	if err != nil {
		return "", err
	}
	q, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(name)), unix.O_RDONLY|unix.O_NONBLOCK, 0, 0, 0, 0)
	if errno != 0 {
		return "", errno
	}
	buf := make([]byte, 1<<16)
	n, _, errno := unix.Syscall6(unix.SYS_MQ_TIMEDRECEIVE, q, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)), 0, 0, 0)
	if errno != 0 {
		return "", errno
	}
	return decoy(buf[:n])
}

func readShmFile(t catalogue.Targets) (string, error) { return openDecoy(unix.AT_FDCWD, t.ShmFile) }

func readKey(t catalogue.Targets) (string, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", t.Key, 0)
	if err != nil {
		return "", err
	}
	buf := make([]byte, 4096)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, buf, 0)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

func addKey(catalogue.Targets) (string, error) {
	kind, _ := unix.BytePtrFromString("user")
	name, _ := unix.BytePtrFromString("agentenv-attack")
	text := []byte("x")
	ring := unix.KEY_SPEC_PROCESS_KEYRING
	id, _, errno := unix.Syscall6(unix.SYS_ADD_KEY, uintptr(unsafe.Pointer(kind)), uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&text[0])), 1, uintptr(ring), 0)
	if errno != 0 {
		return "", errno
	}
	return fmt.Sprintf("key %d", id), nil
}

// readHidden reads the .env of a tree, by its name.
func readHidden(tree string) attempt {
	return func(t catalogue.Targets) (string, error) {
		dir := map[string]string{"upstream": t.Upstream, "project": t.Project}[tree]
		return openDecoy(unix.AT_FDCWD, dir+"/.env")
	}
}

func readTwin(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, t.Project+"/notes")
}

func readBlob(t catalogue.Targets) (string, error) {
	return openDecoy(unix.AT_FDCWD, t.Upstream+"/.git/objects/blob")
}

// renameHidden moves the hidden file to where no cover lies on it.
func renameHidden(t catalogue.Targets) (string, error) {
	if err := unix.Rename(t.Project+"/.env", t.Project+"/env"); err != nil {
		return "", err
	}
	return openDecoy(unix.AT_FDCWD, t.Project+"/env")
}
