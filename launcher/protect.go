package launcher

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// ProtectedNames lists the names at the top of a project that some tool of the
// human's runs or obeys without asking: in direct mode they are read-only where
// they exist, and an agent that makes one is reported.
func ProtectedNames() []string {
	return append(deepNames(),
		".vscode", ".idea", ".zed", ".helix", ".fleet", // tasks that run when the folder is opened
		".exrc", ".nvimrc", ".nvim.lua", ".vimrc", ".dir-locals.el", ".dir-locals-2.el", ".emacs.d", // editors run them
		".claude", ".mcp.json", ".codex", ".gemini", ".opencode", "opencode.json", "opencode.jsonc", ".cursor", ".crush", "crush.json", ".aider.conf.yml", ".goose", // agents' hooks and servers
		".pre-commit-config.yaml", ".husky", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", // run at the next commit
		"agentenv.json", "agentenv.lock", "agentenv.d", ".agentenv", // the next sandbox
		"flake.nix", "flake.lock", "shell.nix", "default.nix", ".devcontainer", ".tool-versions", "mise.toml", ".mise.toml",
	)
}

// deepNames are those that are run or obeyed at any depth: by a look at the
// directory, or by standing in it.
func deepNames() []string {
	return []string{
		".git",              // hooks, fsmonitor, filters: git status runs them, also those of a nested repository
		".hg", ".jj", ".sl", // the same of others
		".envrc", ".direnv", // direnv loads them at the prompt
		"workspace.hcl", "workspace.hcl.json", // the nearest one is the next sandbox
	}
}

// protect binds what must stay as it is over itself, read-only. A directory
// bound whole stays so whatever is saved in it; of a file the launcher watches
// the mount (a rename over it would detach it). What is masked is read-only
// already, and must not be uncovered.
func (b *builder) protect(g grant, found []Found) {
	for _, p := range b.in.Workspace.Policy.Project.Protect {
		b.keep(g, filepath.Join(g.path, p.Name), p.At)
	}
	for _, f := range found {
		if f.Runs && (!f.Hide || f.Git || f.Link) {
			b.keep(g, filepath.Join(g.path, f.Path), g.at)
		}
	}
	for _, file := range slices.Concat(b.specFiles(), b.configured(g)) {
		if _, err := b.in.Host.Resolve(file); err == nil && within(file, g.path) && file != g.path {
			b.keep(g, file, g.at)
		}
	}
	if r, err := b.in.Host.Resolve(filepath.Join(g.path, ".git")); err == nil && !r.Identity.Dir {
		b.worktree(g, filepath.Join(g.path, ".git"))
	}
}

// keep makes one path of the project read-only.
func (b *builder) keep(g grant, target string, at workspace.Position) {
	r, err := b.in.Host.Resolve(target)
	switch {
	case err != nil:
		b.fail(at, "protect %s: %w", target, err)
	case r.Path != target:
		b.fail(at, "protect %s: it is a link, or lies behind one (to %s), and cannot be protected from the agent; replace it by what it points to", target, r.Path)
	case b.covered(target):
	default:
		b.pin(g.path, target, at)
		b.mount(Mount{Op: OpBind, Source: target, Target: target, Identity: r.Identity, ReadOnly: true, At: position(at)}, "")
	}
}

// covered says whether target is a mount already that is read-only, or lies in
// something that is masked.
func (b *builder) covered(target string) bool {
	return slices.ContainsFunc(b.mounts, func(m Mount) bool {
		return m.Target == target && m.ReadOnly || m.Op == OpMask && within(target, m.Target)
	})
}

// pin keeps every directory between top and target in its place: an ancestor
// that is renamed would take the protected path with it and leave room for
// another (mv deploy d2; mkdir -p deploy/prod). A mount point cannot be renamed.
func (b *builder) pin(top, target string, at workspace.Position) {
	for _, dir := range parents(target) {
		if !within(dir, top) || dir == top {
			return
		}
		mounted := slices.ContainsFunc(b.mounts, func(m Mount) bool { return m.Target == dir })
		if r, err := b.in.Host.Resolve(dir); err == nil && !mounted {
			b.mount(Mount{Op: OpBind, Source: dir, Target: dir, Identity: r.Identity, At: position(at)}, "")
		}
	}
}

// specFiles are the spec, what belongs to it and what is generated from it,
// wherever in the project they lie.
func (b *builder) specFiles() []string {
	ws := b.in.Workspace
	vendored := filepath.Join(ws.Dir, "agentenv.d")
	files := []string{ws.File, filepath.Join(ws.Dir, "agentenv.lock"), vendored}
	for _, file := range ws.Files {
		if !within(file, vendored) {
			files = append(files, file)
		}
	}
	out := filepath.Join(ws.Dir, filepath.FromSlash(ws.Nix.Out))
	for _, name := range []string{"flake.nix", "flake.lock", "agentenv.json"} {
		files = append(files, filepath.Join(out, name))
	}
	return files
}

// worktree shows, read-only, the git directory and the common directory that a
// .git file names, so that git works in it. An agent can write such a file where
// there is none, and name any repository of the human's in it: so the directory
// must name the project in return, which only git and the human can have it do.
func (b *builder) worktree(g grant, file string) {
	text, err := b.in.Host.ReadFile(file)
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok {
		b.fail(g.at, "plan project: %s names no git directory", file)
		return
	}
	r, err := b.in.Host.Resolve(anchored(dir, g.path))
	if err != nil || !r.Identity.Dir {
		b.fail(g.at, "plan project: %s names %s, which is no directory", file, dir)
		return
	}
	common, err := b.claimed(g, file, r.Path)
	if err != nil {
		b.fail(g.at, "plan project: %s names the git directory %s: %w", file, r.Path, err)
		return
	}
	for _, d := range []string{common, r.Path} {
		b.gitDirectory(g, d)
	}
}

// claimed returns the common directory of a git directory that names the project
// as its own: a linked worktree's by its file gitdir, a submodule's by its
// core.worktree (gitrepository-layout(5)).
func (b *builder) claimed(g grant, file, dir string) (common string, err error) {
	for _, w := range b.writable() {
		// A project's own repository is read-only to its agent.
		if within(dir, w) && !within(dir, filepath.Join(w, ".git")) {
			return "", fmt.Errorf("it lies in a tree that an agent can write")
		}
	}
	if text, err := b.in.Host.ReadFile(filepath.Join(dir, "gitdir")); err == nil {
		if back := anchored(strings.TrimSpace(string(text)), dir); back != file {
			return "", fmt.Errorf("it belongs to the worktree of %s", back)
		}
		text, err := b.in.Host.ReadFile(filepath.Join(dir, "commondir"))
		if err != nil {
			return "", err
		}
		common = anchored(strings.TrimSpace(string(text)), dir)
		if filepath.Dir(filepath.Dir(dir)) != common {
			return "", fmt.Errorf("it is no worktree of %s", common)
		}
		return common, nil
	}
	text, err := b.in.Host.ReadFile(filepath.Join(dir, "config"))
	if err != nil {
		return "", err
	}
	for _, tree := range configValues(string(text), "worktree") {
		if anchored(tree, dir) == g.path {
			return dir, nil
		}
	}
	return "", fmt.Errorf("it does not name the project as its work tree")
}

func anchored(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// gitDirectory shows one git directory read-only.
func (b *builder) gitDirectory(g grant, dir string) {
	r, err := b.in.Host.Resolve(dir)
	if err != nil || r.Path != dir || !r.Identity.Dir {
		b.fail(g.at, "plan project: open git directory %s: %v", dir, err)
		return
	}
	if slices.ContainsFunc(b.mounts, func(m Mount) bool { return m.Op == OpBind && m.ReadOnly && within(dir, m.Target) }) {
		return
	}
	git := grant{kind: kindRead, written: dir, path: dir, is: r.Identity, at: g.at}
	b.refuseReserved(git)
	b.refuseSecret(git, b.secrets)
	b.mount(Mount{Op: OpBind, Source: dir, Target: dir, Identity: r.Identity, ReadOnly: true, At: position(g.at)}, AccessRead)
}

// configured are the files of the project that git's configuration, the
// repository's or the human's own, has git run or read as more configuration.
func (b *builder) configured(g grant) []string {
	home := b.in.Host.HomeDir
	var out []string
	for _, file := range []string{filepath.Join(g.path, ".git", "config"), filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config/git/config")} {
		text, err := b.in.Host.ReadFile(file)
		if err != nil {
			continue
		}
		for _, v := range configValues(string(text), "hookspath", "path", "fsmonitor", "attributesfile", "excludesfile") {
			if rest, ok := strings.CutPrefix(v, "~/"); ok {
				v = filepath.Join(home, rest)
			}
			out = append(out, anchored(v, g.path), anchored(v, filepath.Dir(file)))
		}
	}
	return out
}
