package launcher

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// twins leaves out of some layers, each of which stops an attack, all but one, and
// then all: the attack must fail each time and succeed at last, or it proves
// nothing of any of them.
func twins(t *testing.T, of layers, also layers, attack func(t *testing.T, without layers) (succeeds bool, how string)) {
	t.Helper()
	for i := -1; i <= len(of); i++ {
		name, without := "all", layers(nil)
		switch {
		case i == len(of):
			name, without = "none", append(also[:len(also):len(also)], of...)
		case i >= 0:
			name, without = "only "+string(of[i]), also[:len(also):len(also)]
			for j, l := range of {
				if j != i {
					without = append(without, l)
				}
			}
		}
		t.Run(name, func(t *testing.T) {
			if succeeds, how := attack(t, without); succeeds != (i == len(of)) {
				t.Errorf("with %s of %q, the attack succeeds: %t (%s)", name, of, succeeds, how)
			}
		})
	}
}

// probeNest makes a user namespace.
func probeNest([]string) error {
	_, err := syscall.ForkExec("/probe", []string{"/probe", "open"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}})
	fmt.Println(errorName(err))
	return nil
}

func TestNestedNamespaces(t *testing.T) {
	twins(t, layers{layerSeccomp, layerQuotas}, layers{layerChecks}, func(t *testing.T, without layers) (bool, string) {
		tr := newTrial(t, "/probe", "nest")
		tr.without = without
		how := strings.TrimSpace(tr.ok("").stdout)
		return how == "works", how
	})
}

// What pid 1 was given would be readable: its environment, its memory, and with
// its root directory everything that no Landlock rule covers.
func TestFirstProcessIsClosed(t *testing.T) {
	for _, file := range []string{"environ", "maps", "root/canary"} {
		t.Run(file, func(t *testing.T) {
			twins(t, layers{layerLandlock, layerDumpable}, layers{layerChecks}, func(t *testing.T, without layers) (bool, string) {
				tr := newTrial(t, "/probe", "open", "/proc/1/"+file)
				tr.without = without
				how := strings.TrimSpace(tr.ok("").stdout)
				return !strings.HasSuffix(how, "EACCES"), how
			})
		})
	}
}

// A killed launcher leaves nothing, by each of the three ties alone.
func TestTiesToTheLauncher(t *testing.T) {
	twins(t, layers{layerForkDeath, layerInitDeath, layerEndOfOrders}, nil, func(t *testing.T, without layers) (bool, string) {
		tr := newTrial(t, "sh", "-c", "echo up; sleep 1000")
		tr.without = without
		b := tr.background(t)
		b.line()
		below := descendants(t, b.cmd.Process.Pid)
		if err := b.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		wait := 20000
		if len(without) == 3 {
			wait = 300
		}
		left := 0
		for _, fd := range below {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, wait)
			if err == nil && n == 0 {
				left++
			}
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
			unix.Close(fd)
		}
		_ = b.cmd.Wait()
		return left > 0, fmt.Sprintf("%d of %d processes are left", left, len(below))
	})
}

// What was hidden shows when its mount is lost, unless one of the two that look
// after the mounts kills the program.
func TestWatchers(t *testing.T) {
	twins(t, layers{layerGuard, layerOutsideEyes}, nil, func(t *testing.T, without layers) (bool, string) {
		dir := treeOf(t, map[string]string{".env": "SECRET"})
		tr := newTrial(t, "sh", "-c", "echo up; read go; sleep 0.5; cat /project/.env")
		tr.without = without
		tr.bind(dir, "/project", AccessWrite)
		tr.add(Mount{Op: OpMask, Target: "/project/.env"}, "")
		s := tr.start()
		s.expect("up\n")
		write(t, dir, map[string]string{".env.new": "SECRET"})
		if err := os.Rename(filepath.Join(dir, ".env.new"), filepath.Join(dir, ".env")); err != nil {
			t.Fatal(err)
		}
		s.say("go\n")
		o := s.wait()
		var lost *LostMountError
		if !errors.As(o.err, &lost) { // told at the end in any case
			t.Errorf("error %v", o.err)
		}
		return strings.Contains(o.stdout, "SECRET"), o.stdout
	})
}

// A launch does not go on with something hidden that is not.
func TestHidingIsVerified(t *testing.T) {
	dir := treeOf(t, map[string]string{".env": "SECRET", "a/b/key": "SECRET"})
	for _, hide := range []string{".env", "a/b/key", "a/b", "a"} {
		tr := newTrial(t, "true")
		tr.without = layers{layerWhiteouts}
		tr.add(Mount{Op: OpOverlay, Source: dir, Target: "/co", Identity: identity(t, dir), Hide: []string{hide}, At: "spec.hcl:7:7"}, AccessRead)
		tr.setupError("mount", "hide "+hide+": it is still there")
	}
}

// probeStatus prints lines of its own status.
func probeStatus(keys []string) error {
	for _, k := range keys {
		v, err := threadStatus(k)
		if err != nil {
			return err
		}
		fmt.Println(v)
	}
	return nil
}

// TestFileCapabilities has a program of the host's with capabilities of its own,
// as ping is on some. For it the launcher must be an ordinary user's and the file
// root's.
func TestFileCapabilities(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file capabilities")
	}
	const nobody = 65534
	twins(t, layers{layerNoNewPrivs, layerNoSUID, layerBounding}, layers{layerChecks, layerLandlock, layerSeccomp}, func(t *testing.T, without layers) (bool, string) {
		tr := newTrial(t, "/probe", "status", "CapEff")
		tr.UID, tr.GID, tr.without = nobody, nobody, without
		dir := t.TempDir()
		for _, d := range []string{filepath.Dir(dir), filepath.Dir(tr.home)} {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		binary := copyOfTest(t, filepath.Join(dir, "launcher"))
		capable := copyOfTest(t, filepath.Join(dir, "capable"))
		// VFS_CAP_REVISION_2, effective; permitted CAP_SYS_ADMIN (capability.h).
		if err := unix.Setxattr(capable, "security.capability", []byte{1, 0, 0, 2, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0); err != nil {
			t.Skipf("files here can have no capabilities: %v", err)
		}
		var fs unix.Statfs_t
		if err := unix.Statfs(capable, &fs); err != nil || fs.Flags&unix.ST_NOSUID != 0 {
			t.Skipf("the temporary directory is mounted nosuid (%v)", err)
		}
		for i, m := range tr.Mounts {
			if m.Target == "/probe" {
				tr.Mounts[i].Source, tr.Mounts[i].Identity = canonical(t, capable), identity(t, capable)
			}
		}
		ours := tr.launcherCommand()
		plan := filepath.Join(dir, "plan.json")
		data, err := os.ReadFile(ours.Args[2])
		if err == nil {
			err = os.WriteFile(plan, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary, append([]string{launchWord, plan}, ours.Args[3:]...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.Output()
		if cmd.ProcessState.ExitCode() == exitCannotExecute {
			return false, "EPERM" // as execve(2) answers where the bounding set has too little
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		how := strings.TrimSpace(string(out))
		return strings.Trim(how, "0") != "", how
	})
}

func copyOfTest(t *testing.T, to string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// TestProcIsClosed holds each entry of proc that must be masked or read-only, by a
// list of its own: what runc masks and makes read-only, and more of the host's.
func TestProcIsClosed(t *testing.T) {
	readOnly := []string{"bus", "fs", "irq", "sys", "sysrq-trigger"}
	masked := []string{
		"acpi", "asound", "interrupts", "kcore", "keys", "latency_stats", "timer_list", "timer_stats", "sched_debug", "scsi",
		"kallsyms", "kmsg", "cmdline", "config.gz", "iomem", "ioports", "slabinfo", "vmallocinfo", "pagetypeinfo", "key-users",
		"softirqs", "kpagecount", "kpageflags", "kpagecgroup",
	}
	// Not each kernel has each.
	for _, n := range readOnly {
		if !slices.Contains(procReadOnly, n) {
			t.Errorf("%s is not read-only", n)
		}
	}
	for _, n := range masked {
		if !slices.Contains(procMasked, n) {
			t.Errorf("%s is not masked", n)
		}
	}
	want := map[string]string{}
	for _, n := range append(readOnly, masked...) {
		if _, err := os.Lstat("/proc/" + n); err == nil {
			want["/proc/"+n] = "ro,nosuid,nodev,noexec"
		}
	}
	if len(want) < 10 {
		t.Fatalf("only %d entries of proc to hold", len(want))
	}
	got := map[string]string{}
	for line := range strings.Lines(newTrial(t, "cat", "/proc/self/mountinfo").ok("").stdout) {
		if f := strings.Fields(line); strings.HasPrefix(f[4], "/proc/") {
			got[f[4]] = strings.Join(strings.Split(f[5], ",")[:4], ",")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mounts in proc (-want +got):\n%s", diff)
	}
	script := "cd /proc\n"
	for _, n := range masked {
		script += fmt.Sprintf("if test -d %[1]s; then ls -A %[1]s; elif test -e %[1]s; then cat %[1]s; fi\n", n)
	}
	for _, n := range []string{"sysrq-trigger", "irq/default_smp_affinity", "sys/kernel/hostname", "sys/vm/drop_caches"} {
		if _, err := os.Lstat("/proc/" + n); err == nil {
			script += fmt.Sprintf("(: >> %s) 2>/dev/null && echo %s can be written\n", n, n)
		}
	}
	o := newTrial(t, "sh", "-c", script+"exit 0").ok("")
	if o.stdout != "" || o.stderr != "" {
		t.Errorf("inside: %.300q, %.300q", o.stdout, o.stderr)
	}
}
