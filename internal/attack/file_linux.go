package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// planted is what the attacks write.
const planted = "# planted\n"

// did turns an error into the outcome of an attack that reads nothing.
func did(what string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return what, nil
}

func statSecret(t catalogue.Targets) (string, error) {
	var st unix.Stat_t
	if err := unix.Lstat(t.Secret, &st); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes", st.Size), nil
}

func enterSecrets(t catalogue.Targets) (string, error) {
	return did("entered", unix.Chdir(filepath.Dir(t.Secret)))
}

func readLink(t catalogue.Targets) (string, error) {
	buf := make([]byte, 4096)
	n, err := unix.Readlink(t.Link, buf)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

// watchSecrets works when it learns the name of the key that the human uses.
func watchSecrets(t catalogue.Targets) (string, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		return "", err
	}
	if _, err := unix.InotifyAddWatch(fd, filepath.Dir(t.Secret), unix.IN_OPEN); err != nil {
		return "", err
	}
	if err := await(fd, unix.POLLIN); err != nil {
		return "", err
	}
	buf := make([]byte, 4096)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return "", err
	}
	if n < unix.SizeofInotifyEvent {
		return "", errors.New("no event")
	}
	return fmt.Sprintf("saw %q used", unix.ByteSliceToString(buf[unix.SizeofInotifyEvent:n])), nil
}

func readAttribute(t catalogue.Targets) (string, error) {
	buf := make([]byte, 256)
	n, err := unix.Lgetxattr(t.Secret, "user.agentenv", buf)
	if err != nil {
		return "", err
	}
	return decoy(buf[:n])
}

func listHome(t catalogue.Targets) (string, error) {
	fd, err := unix.Open(t.Home, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return "", err
	}
	buf := make([]byte, 1<<16)
	n, err := unix.ReadDirent(fd, buf)
	if err != nil {
		return "", err
	}
	_, _, names := unix.ParseDirent(buf[:n], -1, nil)
	if !slices.Contains(names, ".ssh") {
		return "", errors.New("no keys are listed")
	}
	return fmt.Sprint(names), nil
}

func chmodBashrc(t catalogue.Targets) (string, error) {
	return did("0777", unix.Chmod(t.Bashrc, 0o777))
}

func setTimes(t catalogue.Targets) (string, error) { return did("1970", toEpoch(t.Bashrc)) }

// toEpoch sets the times of a file to the first second of 1970.
func toEpoch(path string) error {
	ts := []unix.Timespec{{Sec: 1}, {Sec: 1}}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, ts, unix.AT_SYMLINK_NOFOLLOW)
}

func setAttribute(t catalogue.Targets) (string, error) {
	return did("set", unix.Lsetxattr(t.Bashrc, "user.planted", []byte("x"), 0))
}

func closeSecrets(t catalogue.Targets) (string, error) {
	return did("closed", unix.Chmod(filepath.Dir(t.Secret), 0))
}

func exposeSecret(t catalogue.Targets) (string, error) {
	return did("0644", unix.Chmod(t.Secret, 0o644))
}

// write opens path with flags and writes to it. Without O_CREAT it tells a file
// that is absent from one that it may not write.
func write(path string, flags int) error {
	fd, err := unix.Open(path, unix.O_WRONLY|flags, 0o644)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.Write(fd, []byte(planted))
	return err
}

func appendBashrc(t catalogue.Targets) (string, error) {
	return did("appended", write(t.Bashrc, unix.O_APPEND))
}

func createUnit(t catalogue.Targets) (string, error) {
	return did("created", write(t.Units+"/evil.service", unix.O_CREAT|unix.O_EXCL))
}

func renameOut(t catalogue.Targets) (string, error) {
	return did("renamed", unix.Rename(t.Project+"/file", t.Units+"/evil.service"))
}

func truncateBashrc(t catalogue.Targets) (string, error) {
	return did("truncated", unix.Truncate(t.Bashrc, 0))
}

func unlinkBashrc(t catalogue.Targets) (string, error) { return did("gone", unix.Unlink(t.Bashrc)) }

func writeThroughLink(t catalogue.Targets) (string, error) {
	link := t.Project + "/planted"
	if err := unix.Symlink(t.Bashrc, link); err != nil {
		return "", err
	}
	return did("appended", write(link, unix.O_APPEND))
}

func writeUpstream(t catalogue.Targets) (string, error) {
	return did("appended", write(t.Upstream+"/README", unix.O_APPEND))
}

func chmodUpstream(t catalogue.Targets) (string, error) {
	return did("0777", unix.Chmod(t.Upstream+"/README", 0o777))
}

func touchUpstream(t catalogue.Targets) (string, error) {
	return did("1970", toEpoch(t.Upstream+"/README"))
}

func linkUpstream(t catalogue.Targets) (string, error) {
	link := t.Project + "/planted"
	if err := unix.Link(t.Upstream+"/README", link); err != nil {
		return "", err
	}
	return did("appended", write(link, unix.O_APPEND))
}

func renameProject(t catalogue.Targets) (string, error) {
	return did("renamed", unix.Rename(t.Project, t.Project+".moved"))
}

func linkTemporary(t catalogue.Targets) (string, error) {
	fd, err := unix.Open(t.Project, unix.O_TMPFILE|unix.O_WRONLY, 0o644)
	if err != nil {
		return "", err
	}
	// Without AT_SYMLINK_FOLLOW the link in /proc itself would be linked.
	from := fmt.Sprintf("/proc/self/fd/%d", fd)
	return did("linked", unix.Linkat(unix.AT_FDCWD, from, unix.AT_FDCWD, t.Units+"/evil.service", 0))
}

func setSetuid(t catalogue.Targets) (string, error) {
	return did("04755", unix.Chmod(t.Project+"/file", 0o4755))
}

func makeDevice(t catalogue.Targets) (string, error) {
	return did("made", unix.Mknod(t.Project+"/device", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))))
}

func plantHook(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.git/hooks/pre-commit", unix.O_CREAT))
}

func plantConfig(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.git/config", unix.O_APPEND))
}

// plantNested writes into a repository in the project that is not at its top.
func plantNested(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/vendor/lib/.git/config", unix.O_APPEND))
}

func replaceNested(t catalogue.Targets) (string, error) {
	vendor := t.Project + "/vendor"
	if err := unix.Rename(vendor, vendor+".moved"); err != nil {
		return "", err
	}
	return did("replaced", os.MkdirAll(vendor+"/lib/.git/hooks", 0o755))
}

// plantConfiguredHook writes where core.hooksPath of the repository points to.
func plantConfiguredHook(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.githooks/pre-commit", unix.O_APPEND))
}

func plantCommondir(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.git/commondir", unix.O_CREAT))
}

func replaceGit(t catalogue.Targets) (string, error) {
	git := t.Project + "/.git"
	if err := unix.Rename(git, git+".moved"); err != nil {
		return "", err
	}
	return did("replaced", os.MkdirAll(git+"/hooks", 0o755))
}

func plantEnvrc(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.envrc", unix.O_APPEND))
}

func plantSettings(t catalogue.Targets) (string, error) {
	return did("planted", write(t.Project+"/.claude/settings.json", unix.O_APPEND))
}
