package launcher

import (
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// check refuses a plan that this executor or this process cannot carry out.
func (r *running) check() error {
	p := r.plan
	switch {
	case len(p.Argv) == 0 || p.Argv[0] == "":
		return errors.New("the plan names no program")
	case p.Tier != "full":
		return fmt.Errorf("unknown tier %q", p.Tier)
	case p.Landlock.ABI < MinLandlockABI:
		return fmt.Errorf("tier full needs landlock ABI %d, and the plan is for %d", MinLandlockABI, p.Landlock.ABI)
	case p.UID != os.Getuid() || p.GID != os.Getgid() || os.Getuid() != os.Geteuid():
		return fmt.Errorf("the plan is for user %d and group %d, and this process is %d and %d", p.UID, p.GID, os.Getuid(), os.Getgid())
	case len(p.Routes) > 0 && r.outside.Serve == nil:
		return errors.New("the plan has routes and nobody serves them")
	case r.io.In == nil || r.io.Out == nil || r.io.Err == nil:
		return errors.New("a standard file is missing")
	}
	if s, ok := notText(reflect.ValueOf(*p)); ok {
		return fmt.Errorf("%q is not valid UTF-8, and what stands for it on the way to the sandbox would be another name", s)
	}
	for _, d := range p.Path {
		if !path.IsAbs(d) {
			return fmt.Errorf("programs would be looked up in %q, which is no absolute path", d)
		}
	}
	return checkMounts(p.Mounts)
}

// notText finds a string that JSON cannot carry as it is. A file name may be any
// bytes, and a name that is hidden must arrive as that name.
func notText(v reflect.Value) (string, bool) {
	switch v.Kind() {
	case reflect.String:
		return v.String(), !utf8.ValidString(v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			if s, found := notText(v.Field(i)); found {
				return s, true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if s, found := notText(v.Index(i)); found {
				return s, true
			}
		}
	}
	return "", false
}

func checkMounts(mounts []Mount) error {
	proc := false
	for _, m := range mounts {
		if !path.IsAbs(m.Target) || path.Clean(m.Target) != m.Target || m.Target == "/" {
			return fmt.Errorf("mount target %q is no clean absolute path below the root", m.Target)
		}
		proc = proc || m.Op == OpProc && m.Target == "/proc"
	}
	if !proc {
		return errors.New("no proc is mounted on /proc, where the stages find themselves and the checks look")
	}
	return nil
}

// startInit starts pid 1 of the sandbox in namespaces of its own, the user the
// same inside and outside.
func (r *running) startInit() error {
	ours, theirs, err := newConn()
	if err != nil {
		return err
	}
	defer theirs.close()
	r.control = ours
	binary, err := unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open own binary: %w", err)
	}
	defer unix.Close(binary)
	attr := &syscall.ProcAttr{
		Env:   []string{},
		Files: append(r.streams.inside(), uintptr(theirs.fd), uintptr(binary)),
		Sys:   initAttributes(r.plan),
	}
	if r.outside.without.leaveOut(layerForkDeath) {
		attr.Sys.Pdeathsig = 0
	}
	if r.pid, err = syscall.ForkExec("/proc/self/exe", []string{"agentenv", stageInit}, attr); err != nil {
		r.pid = 0
		return fmt.Errorf("make namespaces: %w%s", err, namespaceHint(err))
	}
	r.streams.closeInside()
	return nil
}

// initCapabilities are what pid 1 needs to make the sandbox, within its own user
// namespace only: mounts, the loopback, low ports, and the limit of user
// namespaces. The exec stage needs SETPCAP to empty its bounding set.
var initCapabilities = []uintptr{
	unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_NET_BIND_SERVICE, unix.CAP_SYS_RESOURCE, unix.CAP_SETPCAP,
}

func initAttributes(p *Plan) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags: newNamespaces,
		// A session of its own keeps the human's terminal from being the
		// program's controlling terminal.
		Setsid:      true,
		Pdeathsig:   syscall.SIGKILL,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: p.UID, HostID: p.UID, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: p.GID, HostID: p.GID, Size: 1}},
		AmbientCaps: initCapabilities,
	}
}

// namespaceHint explains the errors that distributions answer with where user
// namespaces are not for everyone.
func namespaceHint(err error) string {
	switch {
	case errors.Is(err, unix.ENOSPC):
		return " (no user namespace is left: see sysctl user.max_user_namespaces)"
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return " (user namespaces are not allowed here: see sysctl kernel.unprivileged_userns_clone, AppArmor, or the container this runs in)"
	}
	return ""
}

func (r *running) sendOrders() error {
	p := r.plan
	t, err := r.streams.terminalOrder(p)
	if err != nil {
		return err
	}
	limits, err := quotas()
	if err != nil {
		return err
	}
	if r.outside.without.leaveOut(layerQuotas) {
		limits = nil
	}
	order := initOrder{
		Mounts: p.Mounts, Home: homeOf(p), Hostname: p.Hostname, Routes: p.Routes, Quotas: limits, Terminal: t,
		Without: r.outside.without,
	}
	exec := execOrder{
		Null: r.streams.are(streamNull), Without: r.outside.without,
		Argv: p.Argv, Path: p.Path, Env: p.Env, Dir: p.Dir,
		Landlock: p.Landlock, Seccomp: p.Seccomp, Limits: p.Limits, Checks: p.Checks,
	}
	if t != nil {
		exec.Terminal = t.Streams
	}
	r.words = r.listen()
	err = r.control.send(wordOrder, order)
	if err == nil {
		err = r.control.send(wordExecOrder, exec)
	}
	if err != nil {
		// pid 1 may have said why it does not listen.
		if f, nerr := r.next(giveUp); nerr == nil && f.word == wordFailed {
			return failed(f)
		}
	}
	return err
}

// homeOf is the private home inside: what HOME says.
func homeOf(p *Plan) string {
	for _, kv := range p.Env {
		if home, ok := strings.CutPrefix(kv, "HOME="); ok {
			return home
		}
	}
	return ""
}
