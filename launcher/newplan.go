package launcher

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// MinLandlockABI is the lowest Landlock ABI of tier full: the first that keeps
// signals and abstract sockets inside (Linux 6.12).
const MinLandlockABI = 6

// canary is a file of the sandbox's root that no Landlock rule covers. Where it
// can be opened, Landlock is not in force.
const canary = "/.agentenv-canary"

// Refusal is an error about what the spec or the command line asks for. Each of
// its parts names the line, where there is one.
type Refusal struct{ Err error }

func (r *Refusal) Error() string { return r.Err.Error() }

// Unwrap returns the joined parts, each a *Part.
func (r *Refusal) Unwrap() error { return r.Err }

// Part is one thing that is refused, and the line that asks for it. The zero
// position is of what no line asks for.
type Part struct {
	At  workspace.Position
	Err error
}

func (p *Part) Error() string {
	if p.At == (workspace.Position{}) {
		return p.Err.Error()
	}
	return fmt.Sprintf("%s: %v", p.At, p.Err)
}

// Unwrap gives the cause.
func (p *Part) Unwrap() error { return p.Err }

// NewPlan decides all that will be enforced for in. What may not or cannot be
// enforced is a *Refusal; another error is about this machine.
func NewPlan(in Input) (*Plan, error) {
	if in.Host.LandlockABI < MinLandlockABI {
		return nil, fmt.Errorf("plan sandbox: Landlock ABI %d is needed and this kernel has %d: an agent could signal your processes and reach their abstract sockets (Linux 6.12 has ABI 6; see lsm= on the kernel command line)", MinLandlockABI, in.Host.LandlockABI)
	}
	b := &builder{in: in}
	p := &Plan{
		Workspace: in.Workspace.Name,
		Tier:      "full",
		UID:       in.Host.UID,
		GID:       in.Host.GID,
		Hostname:  "agentenv",
		Seccomp:   Seccomp{Arch: in.Host.Arch},
		Limits:    limits(in.Workspace.Policy.Limits),
	}
	b.grants()
	b.root()
	b.programs()
	p.Argv, p.Path = b.command()
	p.Routes = b.routes()
	b.hosts(p.Routes)
	p.Env = b.environ()
	p.Passed = b.passed()
	p.Dir = b.dir()
	p.Mounts = b.ordered()
	p.Landlock = Ruleset{ABI: in.Host.LandlockABI, Rules: b.rules}
	p.Checks = b.checks(p.Mounts)
	if err := errors.Join(b.errs...); err != nil {
		return nil, &Refusal{err}
	}
	return p, nil
}

// limits are the resource limits of a session. Processes are counted per user
// namespace since Linux 5.14, so the human's own do not count.
func limits(l workspace.Limits) []Limit {
	out := []Limit{{Name: "core", Value: 0}}
	if l.Processes.N > 0 {
		out = append(out, Limit{Name: "nproc", Value: uint64(l.Processes.N)})
	}
	if l.OpenFiles.N > 0 {
		out = append(out, Limit{Name: "nofile", Value: uint64(l.OpenFiles.N)})
	}
	return out
}

// builder collects a plan's parts. Its methods add to it and never take away,
// so that each part can be read alone.
type builder struct {
	in      Input
	mounts  []Mount
	rules   []Rule
	errs    []error
	granted []grant
	project grant
	secrets []secret
}

func (b *builder) fail(at workspace.Position, format string, a ...any) {
	b.errs = append(b.errs, &Part{At: at, Err: fmt.Errorf(format, a...)})
}

// mount adds m and, when access is not "", the rule for what is below it.
func (b *builder) mount(m Mount, access Access) {
	b.mounts = append(b.mounts, m)
	if access != "" {
		b.rules = append(b.rules, Rule{Path: m.Target, Access: access})
	}
}

// ordered is the mounts, shallow ones first, so that the deeper one wins. Files
// and links of the root itself come as they were added.
func (b *builder) ordered() []Mount {
	slices.SortStableFunc(b.mounts, func(x, y Mount) int {
		return cmp.Compare(depth(x.Target), depth(y.Target))
	})
	return b.mounts
}

func depth(path string) int { return strings.Count(path, "/") }

// checks is what is tried inside before the program starts: that an unlisted
// file cannot be opened, and that each read-only tree is one by its mount too,
// since the rights of a writable tree around it add up (Landlock has no
// subtraction).
func (b *builder) checks(mounts []Mount) []Check {
	out := []Check{
		{Name: "unlisted-file", Path: canary},
		{Name: "socket-family"},
		{Name: "user-namespace"},
		{Name: "init-environ"},
		{Name: "descriptors"},
	}
	for _, m := range mounts {
		if m.ReadOnly {
			out = append(out, Check{Name: "read-only", Path: m.Target})
		}
	}
	return out
}

// command is the argument vector and the directories for its first word.
func (b *builder) command() (argv, path []string) {
	path = b.path()
	if len(b.in.Argv) > 0 {
		return b.in.Argv, path
	}
	a, ok := b.agent()
	if !ok {
		return nil, path
	}
	return slices.Concat([]string{a.Program}, a.Args, b.in.Args), path
}

// dir is the caller's directory where that lies in the project, else the project.
func (b *builder) dir() string {
	if r, err := b.in.Host.Resolve(b.in.Dir); err == nil && r.Identity.Dir && within(r.Path, b.project.path) {
		return r.Path
	}
	return b.project.path
}

func (b *builder) agent() (workspace.Agent, bool) {
	agents := b.in.Workspace.Policy.Agents
	if len(agents) == 0 {
		b.fail(workspace.Position{}, "choose agent: the spec has no agent block; write agent \"NAME\" { program = \"…\" } or give a command to exec")
		return workspace.Agent{}, false
	}
	if b.in.Agent == "" {
		return agents[0], true
	}
	var names []string
	for _, a := range agents {
		if a.Name == b.in.Agent {
			return a, true
		}
		names = append(names, a.Name)
	}
	b.fail(workspace.Position{}, "choose agent: the spec has no agent %q; it has %s", b.in.Agent, strings.Join(names, ", "))
	return workspace.Agent{}, false
}

// within says whether path is dir or lies below it. Both are clean.
func within(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}

// parents lists the directories above path, the nearest first, without "/".
func parents(path string) []string {
	var out []string
	for d := filepath.Dir(path); d != "/" && d != "."; d = filepath.Dir(d) {
		out = append(out, d)
	}
	return out
}
