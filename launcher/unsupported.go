package launcher

import (
	"errors"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// Unenforced is a *Refusal of what the spec asks for and this version cannot
// enforce, or nil. It needs no machine, so that a check of the spec says it too.
func Unenforced(ws *workspace.Workspace) error {
	b := &builder{in: Input{Workspace: ws}}
	b.refuseUnenforced()
	if err := errors.Join(b.errs...); err != nil {
		return &Refusal{err}
	}
	return nil
}

// refuseUnenforced ends a launch for which the spec asks for what this version
// cannot enforce. Nothing is silently weaker than it was written.
func (b *builder) refuseUnenforced() {
	p := b.in.Workspace.Policy
	no := func(asked bool, at workspace.Position, format string, a ...any) {
		if asked {
			b.fail(at, "plan: "+format, a...)
		}
	}
	no(p.Project.Mode != workspace.ModeDirect, p.Project.At, "project.mode = %q is not in this version; write project { mode = \"direct\" } to let the agent work in your own tree, its .git read-only", p.Project.Mode)
	for _, c := range p.Project.Carry {
		no(true, c.At, "project.carry = [%q] is for clone mode, which is not in this version; in direct mode the directory is there anyway", c.Name)
	}
	for _, c := range p.Checkouts {
		no(c.Expose == workspace.ExposeTracked, c.At, "checkout.expose = \"tracked\" is not in this version; hide what must not be seen")
		no(c.History, c.At, "checkout.history = true is not in this version")
	}
	for _, e := range p.Network.Allow {
		no(strings.HasPrefix(e.Host, "*."), e.At, "network.allow of the pattern %q is not in this version; list the names", e.Host)
		no(e.Port == 0, e.At, "network.allow of %q needs a port in this version: write \"%s:443\"", e.Host, e.Host)
	}
	for _, g := range p.Network.Groups {
		no(true, g.At, "network.groups = [%q] is not in this version; list the hosts in network.allow", g.Name)
	}
	for _, c := range p.Network.Publish {
		no(true, c.At, "network.publish = [%d] is not in this version", c.N)
	}
	no(p.Git.Commit == "unsigned" && p.Project.Mode == workspace.ModeDirect, p.Git.At, "git.commit = %q needs clone mode, which is not in this version; in direct mode the repository is read-only", p.Git.Commit)
	no(p.Limits.Memory.Bytes != 0, p.Limits.Memory.At, "limits.memory is not in this version: it needs a control group")
	no(p.Sandbox.Isolation == workspace.IsolationLandlock, p.Sandbox.At, "sandbox.isolation = \"landlock\" is not in this version")
	no(p.Store.All, p.Store.At, "environment.store = \"all\" is not in this version; add the packages whose paths are needed")
}
