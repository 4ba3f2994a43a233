package launcher

import (
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// ProtectedNames lists the names at the top of a project that some tool of the
// human's runs or obeys without asking: in direct mode they are read-only where
// they exist, and an agent that makes one is reported.
func ProtectedNames() []string {
	return []string{
		".git",              // hooks, fsmonitor, filters: git status runs them
		".envrc", ".direnv", // direnv loads them at the prompt
		".vscode", ".idea", ".zed", // tasks that run when the folder is opened
		".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".dir-locals.el", // editors run them
		".claude", ".mcp.json", ".codex", ".gemini", ".opencode", "opencode.json", ".cursor", // agents' hooks and servers
		".pre-commit-config.yaml", ".husky", // run at the next commit
		"workspace.hcl", "workspace.hcl.json", "agentenv.json", "agentenv.lock", "agentenv.d", ".agentenv", // the next sandbox
		"flake.nix", "flake.lock", "shell.nix", "default.nix", ".devcontainer",
	}
}

// protect binds what must stay as it is over itself, read-only. A directory
// bound whole stays so whatever is saved in it; of a file the launcher watches
// the mount (a rename over it would detach it).
func (b *builder) protect(g grant) {
	for _, p := range b.in.Workspace.Policy.Project.Protect {
		b.protectPath(g, p)
	}
	for _, name := range ProtectedNames() {
		target := filepath.Join(g.path, name)
		r, err := b.in.Host.Resolve(target)
		if err != nil {
			continue // absent: watched for by the caller, no placeholder in the human's tree
		}
		if r.Path != target {
			b.fail(g.at, "plan project: %s is a link (to %s), which cannot be protected from the agent; replace it by what it points to", target, r.Path)
			continue
		}
		b.mount(Mount{Op: OpBind, Source: target, Target: target, Identity: r.Identity, ReadOnly: true, At: position(g.at)}, "")
		if name == ".git" && !r.Identity.Dir {
			b.worktree(g, target)
		}
	}
}

// protectPath keeps one path of the spec's own read-only, and every directory
// between it and the project in its place: an ancestor that is renamed would take
// the protected path with it and leave room for another (mv deploy d2; mkdir
// -p deploy/prod). A mount point cannot be renamed.
func (b *builder) protectPath(g grant, p workspace.Named) {
	target := filepath.Join(g.path, p.Name)
	r, err := b.in.Host.Resolve(target)
	if err != nil {
		b.fail(p.At, "protect %s: %w", p.Name, err)
		return
	}
	if r.Path != target {
		b.fail(p.At, "protect %s: it is a link, or lies behind one (to %s)", p.Name, r.Path)
		return
	}
	for _, dir := range parents(target) {
		if !within(dir, g.path) || dir == g.path {
			break
		}
		if up, err := b.in.Host.Resolve(dir); err == nil {
			b.mount(Mount{Op: OpBind, Source: dir, Target: dir, Identity: up.Identity, At: position(p.At)}, "")
		}
	}
	b.mount(Mount{Op: OpBind, Source: target, Target: target, Identity: r.Identity, ReadOnly: true, At: position(p.At)}, "")
}

// worktree shows, read-only, the git directory and the common directory that a
// linked worktree's .git file names, so that git works in it.
func (b *builder) worktree(g grant, file string) {
	text, err := b.in.Host.ReadFile(file)
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		b.fail(g.at, "plan project: %s names no git directory", file)
		return
	}
	dir = anchored(dir, g.path)
	common := dir
	if text, err := b.in.Host.ReadFile(filepath.Join(dir, "commondir")); err == nil {
		common = anchored(strings.TrimSpace(string(text)), dir)
	}
	for _, d := range []string{common, dir} {
		b.gitDirectory(g, d)
	}
}

func anchored(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

func (b *builder) gitDirectory(g grant, dir string) {
	r, err := b.in.Host.Resolve(dir)
	if err != nil || !r.Identity.Dir {
		b.fail(g.at, "plan project: open git directory %s: %v", dir, err)
		return
	}
	if _, err := b.in.Host.Resolve(filepath.Join(r.Path, "HEAD")); err != nil {
		b.fail(g.at, "plan project: %s is not a git directory", r.Path)
		return
	}
	for _, m := range b.mounts {
		if within(r.Path, m.Target) && m.Op == OpBind && m.ReadOnly {
			return
		}
	}
	git := grant{kind: kindRead, written: r.Path, path: r.Path, is: r.Identity, at: g.at}
	b.refuseReserved(git)
	b.refuseSecret(git, b.secrets)
	b.mount(Mount{Op: OpBind, Source: r.Path, Target: r.Path, Identity: r.Identity, ReadOnly: true, At: position(g.at)}, AccessRead)
}

// Appeared lists the protected names that are at the top of a project now and
// were not there before.
func Appeared(before, now []string) []string {
	had := map[string]bool{}
	for _, n := range before {
		had[n] = true
	}
	var out []string
	for _, n := range now {
		if !had[n] {
			out = append(out, n)
		}
	}
	return out
}

// Present lists the protected names that exist in the project, by lstat: a link
// counts by itself.
func Present(p workspace.Project, exists func(path string) bool) []string {
	var out []string
	for _, n := range ProtectedNames() {
		if exists(filepath.Join(p.Path, n)) {
			out = append(out, n)
		}
	}
	return out
}
