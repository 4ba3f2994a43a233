package launcher

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// tmpBytes is how much /tmp and /dev/shm hold, each, unless the spec says
// otherwise.
const tmpBytes = 2 << 30

func (b *builder) tmpSize() int64 {
	if n := b.in.Workspace.Policy.Filesystem.Tmp.Bytes; n > 0 {
		return n
	}
	return tmpBytes
}

// loaders is where binaries that Nix did not build look for their dynamic
// loader, by GOARCH (the processor's psABI supplement fixes it).
var loaders = map[string]string{
	"amd64": "/lib64/ld-linux-x86-64.so.2",
	"arm64": "/lib/ld-linux-aarch64.so.1",
}

// root adds what every sandbox has: devices, proc, scratch space, a generated
// /etc and the private home.
func (b *builder) root() {
	b.devices()
	b.mount(Mount{Op: OpProc, Target: "/proc"}, AccessScratch)
	b.mount(Mount{Op: OpTmpfs, Target: "/tmp", Mode: 0o1777, Size: b.tmpSize()}, AccessWrite)
	b.mount(Mount{Op: OpDir, Target: "/var", Mode: 0o755}, "")
	b.mount(Mount{Op: OpSymlink, Source: "/tmp", Target: "/var/tmp"}, "")
	b.mount(Mount{Op: OpFile, Target: canary, Mode: 0o644, Content: "not for the agent\n"}, "")
	b.etc()
	b.home()
}

func (b *builder) devices() {
	b.mount(Mount{Op: OpDir, Target: "/dev", Mode: 0o755}, AccessRead)
	for _, d := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		b.bind("/dev/"+d, Mount{Device: true}, AccessDevice)
	}
	b.mount(Mount{Op: OpTmpfs, Target: "/dev/shm", Mode: 0o1777, Size: b.tmpSize()}, AccessWrite)
	b.mount(Mount{Op: OpDevpts, Target: "/dev/pts"}, AccessTerminal)
	for _, l := range []struct{ name, to string }{
		{"fd", "/proc/self/fd"}, {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"},
		{"stderr", "/proc/self/fd/2"}, {"ptmx", "pts/ptmx"},
	} {
		b.mount(Mount{Op: OpSymlink, Source: l.to, Target: "/dev/" + l.name}, "")
	}
}

// bind shows a path of the host at its own place.
func (b *builder) bind(path string, m Mount, a Access) {
	r, err := b.in.Host.Resolve(path)
	if err != nil {
		b.fail(workspace.Position{}, "plan root: %w", err)
		return
	}
	m.Op, m.Source, m.Target, m.Identity = OpBind, r.Path, path, r.Identity
	b.mount(m, a)
}

func (b *builder) etc() {
	h := b.in.Host
	b.mount(Mount{Op: OpDir, Target: "/etc", Mode: 0o755}, AccessRead)
	for _, f := range []struct{ name, content string }{
		{"passwd", fmt.Sprintf("%s:x:%d:%d::%s:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n", h.User, h.UID, h.GID, h.HomeDir)},
		{"group", fmt.Sprintf("%s:x:%d:\nnogroup:x:65534:\n", h.User, h.GID)},
		{"nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"},
		{"resolv.conf", ""},
		{"hostname", "agentenv\n"},
		{"profile", fmt.Sprintf("export PATH=%s\n", strings.Join(b.path(), ":"))},
	} {
		b.mount(Mount{Op: OpFile, Target: "/etc/" + f.name, Mode: 0o644, Content: f.content}, "")
	}
}

// hosts writes /etc/hosts: the names of the routes, and the sandbox's own.
func (b *builder) hosts(routes []Route) {
	var s strings.Builder
	s.WriteString("127.0.0.1 localhost agentenv\n::1 localhost\n")
	for _, r := range routes {
		fmt.Fprintf(&s, "%s %s\n", r.Inside.Addr(), r.Name)
	}
	b.mount(Mount{Op: OpFile, Target: "/etc/hosts", Mode: 0o644, Content: s.String()}, "")
}

func (b *builder) home() {
	r, err := b.in.Host.Resolve(b.in.Home)
	if err != nil {
		b.fail(workspace.Position{}, "open private home: %w", err)
		return
	}
	// A link on the way that an agent can write would make any directory its home.
	b.refusePlantedLink(grant{written: b.in.Home, path: r.Path, links: r.Links})
	b.mount(Mount{Op: OpBind, Source: r.Path, Target: b.in.Host.HomeDir, Identity: r.Identity}, AccessWrite)
}

// programs adds where programs come from: the store's closure, or the host.
func (b *builder) programs() {
	if b.in.Environment == nil {
		b.hostPrograms()
		return
	}
	e := b.in.Environment
	if len(e.Closure) > 0 {
		b.bind("/nix/store", Mount{ReadOnly: true}, "")
	}
	for _, p := range e.Closure {
		b.storePath(p)
	}
	if e.Sources != "" {
		b.mount(Mount{Op: OpSymlink, Source: e.Sources, Target: "/src"}, "")
	}
	b.named("/bin", "sh", e.Shell)
	b.named("/usr/bin", "env", e.Env)
	if l := loaders[b.in.Host.Arch]; l != "" {
		b.named(filepath.Dir(l), filepath.Base(l), e.Loader)
	}
	if c := e.Vars["SSL_CERT_FILE"]; c != "" {
		b.mount(Mount{Op: OpSymlink, Source: c, Target: "/etc/ssl/certs/ca-certificates.crt"}, "")
		b.mount(Mount{Op: OpSymlink, Source: c, Target: "/etc/ssl/certs/ca-bundle.crt"}, "")
	}
}

// storePath adds the rule for one path of the closure. A link needs none: the
// rule of its target counts.
func (b *builder) storePath(p string) {
	r, err := b.in.Host.Resolve(p)
	switch {
	case err != nil:
		b.fail(workspace.Position{}, "plan store: %w (run agentenv build)", err)
	case r.Path != p:
	case r.Identity.Dir:
		b.rules = append(b.rules, Rule{Path: p, Access: AccessRead})
	default:
		b.rules = append(b.rules, Rule{Path: p, Access: AccessReadFile})
	}
}

// named links dir/name to a program of the store, in a directory of the root.
func (b *builder) named(dir, name, program string) {
	if program == "" {
		return
	}
	b.mount(Mount{Op: OpDir, Target: dir, Mode: 0o755}, AccessRead)
	b.mount(Mount{Op: OpSymlink, Source: program, Target: dir + "/" + name}, "")
}

// hostDirs are the directories of the host's programs.
var hostDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"}

// hostPrograms shows the host's /usr and the few files of /etc that its
// programs need. The directories that Debian and others merged into /usr are
// links, and stay links.
func (b *builder) hostPrograms() {
	b.bind("/usr", Mount{ReadOnly: true}, AccessRead)
	for _, d := range hostDirs[1:] {
		if to, err := b.in.Host.ReadLink(d); err == nil {
			b.mount(Mount{Op: OpSymlink, Source: to, Target: d}, "")
		} else if r, err := b.in.Host.Resolve(d); err == nil {
			b.mount(Mount{Op: OpBind, Source: r.Path, Target: d, Identity: r.Identity, ReadOnly: true}, AccessRead)
		}
	}
	for _, f := range []string{"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/ca-certificates", "/etc/localtime"} {
		if r, err := b.in.Host.Resolve(f); err == nil {
			b.mount(Mount{Op: OpBind, Source: r.Path, Target: f, Identity: r.Identity, ReadOnly: true}, "")
		}
	}
}
