package launcher

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// execOrder is the part of a plan that the stage carries out which becomes the
// program.
type execOrder struct {
	Argv     []string
	Path     []string
	Env      []string
	Dir      string
	Terminal [3]bool // which of descriptors 0 to 2 is the terminal that comes with the word to go
	Null     [3]bool // which is the null device
	Landlock Ruleset
	Seccomp  Seccomp
	Limits   []Limit
	Checks   []Check
	Without  layers
}

// execSteps is what the stage does to itself, in order, on the one thread that
// then executes the program: capabilities, no_new_privs, Landlock and seccomp
// are a thread's own, and execve keeps those of the thread that calls it.
var execSteps = []struct {
	name string
	do   func(execOrder) error
	is   layer // left out with it
}{
	{"working directory", func(o execOrder) error { return changeDirectory(o.Dir) }, ""},
	{"descriptors", func(execOrder) error { return closeFrom(controlFD) }, ""},
	{"oom score", func(execOrder) error { return preferForOOM() }, ""},
	{"bounding capabilities", func(execOrder) error { return emptyBoundingSet() }, layerBounding},
	{"capabilities", func(execOrder) error { return dropCapabilities() }, ""},
	{"no_new_privs", func(execOrder) error { return forbidPrivileges() }, layerNoNewPrivs},
	{"landlock", func(o execOrder) error { return restrictFiles(o.Landlock) }, layerLandlock},
	{"seccomp", func(o execOrder) error { return restrictCalls(o.Seccomp) }, layerSeccomp},
	{"checks", checkAll, layerChecks},
}

// runExec restricts this process for good and turns it into the program. Its
// thread is locked by Stage.
func runExec(control conn) int {
	o, err := takeExecOrder(control)
	if err != nil {
		return failExec(control, "order", err)
	}
	for _, step := range execSteps {
		if o.Without.leaveOut(step.is) {
			continue
		}
		if err := step.do(o); err != nil {
			return failExec(control, step.name, err)
		}
	}
	// Last, because a limit of processes may stop the Go runtime from starting
	// a thread.
	if err := setLimits(o.Limits); err != nil {
		return failExec(control, "limits", err)
	}
	status, err := become(control, o)
	control.send(wordNotStarted, notStarted{Status: status, Cause: newInsideError(err)})
	return status
}

// takeExecOrder returns when the sandbox stands around this process.
func takeExecOrder(control conn) (o execOrder, err error) {
	if _, err := control.expect(wordExecOrder, &o); err != nil {
		return o, err
	}
	f, err := control.expect(wordGo, nil)
	if err != nil {
		return o, err
	}
	if err := place(f.fd, o.Terminal); err != nil {
		return o, fmt.Errorf("take terminal: %w", err)
	}
	return o, takeNull(o.Null)
}

// place makes fd those of descriptors 0 to 2 that are wanted.
func place(fd int, wanted [3]bool) error {
	for i, is := range wanted {
		if !is {
			continue
		}
		if err := unix.Dup3(fd, i, 0); err != nil {
			return err
		}
	}
	return nil
}

// takeNull opens the null device anew, so that what the program has can be
// reached by its name inside.
func takeNull(wanted [3]bool) error {
	if wanted == ([3]bool{}) {
		return nil
	}
	fd, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open null device: %w", err)
	}
	st, err := statOf(fd)
	if err == nil && !isNull(st) {
		err = errors.New("it is no null device")
	}
	if err != nil {
		return fmt.Errorf("look at null device: %w", err)
	}
	return place(fd, wanted)
}

// changeDirectory leaves the directory of the host that this process was started
// in (CVE-2024-21626: runc left one behind).
func changeDirectory(dir string) error {
	if err := unix.Chdir(dir); err != nil {
		return fmt.Errorf("change to %s: %w", dir, err)
	}
	return nil
}

// checkAll tries what must be so, and names the check that found it otherwise.
func checkAll(o execOrder) error {
	for _, c := range append(alwaysChecked(), o.Checks...) {
		if err := try(c); err != nil {
			return &SetupError{Step: "check " + c.Name, Err: err}
		}
	}
	return nil
}

func failExec(control conn, step string, err error) int {
	var e *SetupError
	if errors.As(err, &e) {
		step, err = e.Step, e.Err
	}
	control.send(wordFailed, newFailure(step, "", err))
	return exitSetup
}

// closeFrom has every descriptor from fd on closed at exec.
func closeFrom(fd uint) error {
	if err := unix.CloseRange(fd, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("mark descriptors: %w", err)
	}
	return nil
}

// preferForOOM has the kernel take the program before the human's own processes
// when memory runs out.
func preferForOOM() error {
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0); err != nil {
		return fmt.Errorf("raise oom score: %w", err)
	}
	return nil
}

var limitNames = map[string]int{
	"core": unix.RLIMIT_CORE, "nproc": unix.RLIMIT_NPROC, "nofile": unix.RLIMIT_NOFILE, "fsize": unix.RLIMIT_FSIZE,
}

// setLimits sets soft and hard limits. There are never core files: a handler
// outside would read the program's memory, secrets included.
func setLimits(limits []Limit) error {
	for _, l := range append(limits[:len(limits):len(limits)], Limit{Name: "core"}) {
		resource, ok := limitNames[l.Name]
		if !ok {
			return fmt.Errorf("set limit %q: unknown name", l.Name)
		}
		if l.Name == "nproc" && os.Getuid() == 0 {
			return errors.New("set limit nproc: the kernel counts no processes of root")
		}
		// Through the standard library, which otherwise puts back at exec the
		// file limit that the process was started with.
		err := syscall.Setrlimit(resource, &syscall.Rlimit{Cur: l.Value, Max: l.Value})
		if err != nil {
			return fmt.Errorf("set limit %s to %d: %w", l.Name, l.Value, err)
		}
	}
	return nil
}

// The exit statuses of env(1) for a program that cannot be started.
const (
	exitCannotExecute = 126
	exitNotFound      = 127
)

// become executes the program; it returns only when that failed.
func become(control conn, o execOrder) (int, error) {
	if err := control.send(wordGo, nil); err != nil {
		return exitCannotExecute, err
	}
	status, cause := exitNotFound, error(unix.ENOENT)
	for _, file := range candidates(o.Argv[0], o.Path) {
		err := syscall.Exec(file, o.Argv, o.Env)
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
			continue
		}
		status, cause = exitCannotExecute, err
		if !errors.Is(err, unix.EACCES) {
			break
		}
	}
	return status, cause
}

// candidates are the files that a name may mean, in order.
func candidates(name string, dirs []string) []string {
	if strings.Contains(name, "/") {
		return []string{name}
	}
	var out []string
	for _, d := range dirs {
		out = append(out, filepath.Join(d, name))
	}
	return out
}
