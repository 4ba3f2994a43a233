package launcher

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// initOrder is the part of a plan that pid 1 carries out.
type initOrder struct {
	Mounts   []Mount
	Home     string // the private home inside, which may be changed to make mount points
	Hostname string
	Routes   []Route
	Quotas   []quota
	Terminal *terminalOrder // nil when the program gets none
	Without  layers
}

// sandbox is what pid 1 holds while it makes the sandbox.
type sandbox struct {
	order   initOrder
	control conn
	program stage      // what becomes the program
	root    int        // the new root
	proc    int        // a proc of the new PID namespace that is mounted nowhere
	scratch int        // a tmpfs below root for what is bound elsewhere; gone at the end
	made    []madeRoom // one for each mount made, in order
	sealed  []int      // mounts that turn read-only when all others are made
	at      string     // the line that asked for the mount at work
	slave   int        // the program's terminal, -1 when it has none

	devptsMount int // of that terminal, mounted nowhere yet

	freezer freezer
	guarded int        // mountinfo of this process
	mounts  mountTable // as they were when all was there
}

// initSteps is what pid 1 does, in order. Each is done as ordered or the launch
// ends with its name.
var initSteps = []struct {
	name string
	do   func(*sandbox) error
}{
	{"order", (*sandbox).takeOrder},
	{"process", (*sandbox).hideProcess},
	{"process", (*sandbox).dieWithLauncher},
	{"terminal", (*sandbox).makeTerminal},
	{"program", (*sandbox).startProgram},
	{"order", (*sandbox).instructProgram},
	{"root", (*sandbox).makeRoot},
	{"mount", (*sandbox).mountAll},
	{"root", (*sandbox).enterRoot},
	{"host name", (*sandbox).setHostname},
	{"network", (*sandbox).bringUpNetwork},
	{"route", (*sandbox).listenAll},
	{"quotas", (*sandbox).setQuotas},
	{"watch", (*sandbox).passMounts},
	{"watch", (*sandbox).openGuard},
	{"order", (*sandbox).sayReady},
	{"capabilities", func(*sandbox) error { return dropOwnCapabilities() }},
	{"program", (*sandbox).releaseProgram},
}

// runInit is pid 1 of the sandbox. It ends when the program does, and when the
// launcher is gone; the kernel then ends everything else inside.
func runInit(control conn) int {
	s := &sandbox{control: control, slave: -1}
	if step, err := s.make(); err != nil {
		control.send(wordFailed, newFailure(step, s.at, err))
		return exitSetup
	}
	return s.supervise()
}

func (s *sandbox) make() (step string, err error) {
	if os.Getpid() != 1 {
		return "namespaces", fmt.Errorf("this is process %d, not the first of a PID namespace", os.Getpid())
	}
	for _, step := range initSteps {
		if err := step.do(s); err != nil {
			return step.name, err
		}
		s.at = ""
	}
	return "", nil
}

func (s *sandbox) takeOrder() error {
	_, err := s.control.expect(wordOrder, &s.order)
	return err
}

// hideProcess makes pid 1 unreadable from inside. The program cannot signal it
// either, since it is outside the program's Landlock domain.
func (s *sandbox) hideProcess() error {
	if s.order.Without.leaveOut(layerDumpable) {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("make process undumpable: %w", err)
	}
	return nil
}

// dieWithLauncher ties pid 1 to the launcher's life once more: the kernel clears
// the signal that it was started with where credentials change at exec.
func (s *sandbox) dieWithLauncher() error {
	if s.order.Without.leaveOut(layerInitDeath) {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("set parent death signal: %w", err)
	}
	return nil
}

func (s *sandbox) setHostname() error {
	if err := unix.Sethostname([]byte(s.order.Hostname)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	return nil
}

// passMounts gives the launcher this process's mountinfo, so that it can see
// from outside when a mount is taken away.
func (s *sandbox) passMounts() error {
	f, err := unix.Openat(s.proc, "self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open mountinfo: %w", err)
	}
	defer unix.Close(f)
	return s.control.send(wordMounts, nil, f)
}
