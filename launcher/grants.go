package launcher

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// kind orders grants of the same path: the highest wins.
type kind int

const (
	kindRead kind = iota
	kindCheckout
	kindWrite
	kindProject
)

// grant is one tree or file of the host that the sandbox shows.
type grant struct {
	kind    kind
	written string // absolute, as the spec has it
	path    string // canonical
	is      Identity
	links   []string
	hide    []string
	at      workspace.Position
}

func (g grant) writable() bool { return g.kind == kindWrite || g.kind == kindProject }

// grants resolves what the spec opens, checks it against what no spec may open,
// and adds the mounts.
func (b *builder) grants() {
	p := b.in.Workspace.Policy
	b.refuseUnenforced()
	b.resolve(kindProject, p.Project.Path, nil, p.Project.At)
	for _, g := range p.Filesystem.Write {
		b.resolve(kindWrite, g.Path, nil, g.At)
	}
	for _, c := range p.Checkouts {
		for _, path := range b.matches(c) {
			b.resolve(kindCheckout, path, c.Hide, c.At)
		}
	}
	for _, g := range p.Filesystem.Read {
		b.resolve(kindRead, g.Path, nil, g.At)
	}
	b.dedupe()
	b.secrets = b.secretPlaces()
	for _, g := range b.granted {
		b.refuseReserved(g)
		b.refuseSecret(g, b.secrets)
		b.refuseRun(g)
		b.refusePlantedLink(g)
		b.show(g)
	}
}

func (b *builder) resolve(k kind, written string, hide []string, at workspace.Position) {
	r, err := b.in.Host.Resolve(written)
	if err != nil {
		b.fail(at, "open %s: %w", written, err)
		return
	}
	g := grant{kind: k, written: written, path: r.Path, is: r.Identity, links: r.Links, hide: hide, at: at}
	if (k == kindProject || k == kindCheckout) && !g.is.Dir {
		b.fail(at, "open %s: not a directory", written)
		return
	}
	b.granted = append(b.granted, g)
	if k == kindProject {
		b.project = g
	}
}

// matches are the trees of one checkout block: what its path names, or every
// directory that its glob matches, less what is excepted.
func (b *builder) matches(c workspace.Checkout) []string {
	if !strings.ContainsAny(c.Path, globMeta) {
		return []string{c.Path}
	}
	found, err := b.in.Host.Glob(c.Path)
	if err != nil {
		b.fail(c.At, "expand %s: %w", c.Path, err)
		return nil
	}
	found = slices.DeleteFunc(found, func(path string) bool { return matches(c.Except, path) })
	if len(found) == 0 {
		b.fail(c.At, "expand %s: it matches no directory", c.Path)
	}
	return found
}

// globMeta are the characters that make a path a glob.
const globMeta = `*?[{`

// dedupe keeps, of several grants of one path, the one of the highest kind, and
// orders grants by path.
func (b *builder) dedupe() {
	slices.SortStableFunc(b.granted, func(x, y grant) int {
		return cmp.Or(cmp.Compare(x.path, y.path), cmp.Compare(y.kind, x.kind))
	})
	b.granted = slices.CompactFunc(b.granted, func(x, y grant) bool { return x.path == y.path })
}

// reserved are the paths inside that are agentenv's own: no grant may be one of
// them or hold one. Below those marked whole no grant may lie either.
var reserved = []struct {
	path  string
	whole bool
}{
	{"/", false}, {"/proc", true}, {"/sys", true}, {"/dev", true}, {"/nix", true},
	{"/run", true}, {"/etc", false}, {"/tmp", false}, {"/bin", true}, {"/src", true},
}

func (b *builder) refuseReserved(g grant) {
	for _, r := range reserved {
		if within(r.path, g.path) || r.whole && within(g.path, r.path) {
			b.fail(g.at, "plan grant: %s is %s, which the sandbox makes itself", g.written, r.path)
			return
		}
	}
	if b.in.Environment == nil && slices.ContainsFunc(hostDirs, func(d string) bool { return within(d, g.path) }) {
		b.fail(g.at, "plan grant: %s is shown already, read-only: environment.from is \"host\"", g.written)
		return
	}
	for _, home := range []string{b.in.Host.HomeDir, b.in.Home} {
		if within(home, g.path) {
			b.fail(g.at, "plan grant: %s holds your home directory; grant the directories in it that the agent needs", g.written)
			return
		}
	}
	for _, s := range b.state() {
		if within(s, g.path) || within(g.path, s) {
			b.fail(g.at, "plan grant: %s holds agentenv's own files (%s)", g.written, s)
			return
		}
	}
}

// state is where agentenv's own files are, as named and as they really are.
func (b *builder) state() []string {
	out := slices.Clone(b.in.State)
	for _, s := range b.in.State {
		if r, err := b.in.Host.Resolve(s); err == nil {
			out = append(out, r.Path)
		}
	}
	return out
}

// secret is a place that no spec opens, as it is on this host.
type secret struct {
	name  string
	why   string
	write bool // it may be read, and not written
	Resolved
}

// secretPlaces are the places of secrets that exist here, and what the user
// forbids.
func (b *builder) secretPlaces() []secret {
	var out []secret
	add := func(path string, s secret) {
		if r, err := b.in.Host.Resolve(path); err == nil {
			s.Resolved = r
			out = append(out, s)
		}
	}
	for _, s := range workspace.SecretPlaces() {
		add(absolute(s, b.in.Host.HomeDir), secret{name: s, why: "a place of secrets that no spec opens"})
	}
	forbidden := b.in.Workspace.Policy.Forbidden
	for _, g := range forbidden.Read {
		add(g.Path, secret{name: g.Path, why: fmt.Sprintf("which %s forbids", g.At)})
	}
	for _, g := range forbidden.Write {
		add(g.Path, secret{name: g.Path, why: fmt.Sprintf("which %s forbids to write", g.At), write: true})
	}
	return out
}

// refuseSecret holds what the check of the spec holds already, on canonical
// paths: a link into a secret place is a secret place.
func (b *builder) refuseSecret(g grant, places []secret) {
	for _, s := range places {
		switch {
		case s.write && !g.writable():
		case within(g.path, s.Path) || g.is == s.Identity:
			b.fail(g.at, "plan grant: %s lies in %s, %s", g.written, s.name, s.why)
		case within(s.Path, g.path):
			b.fail(g.at, "plan grant: %s holds %s, %s; grant what the agent needs beside it", g.written, s.name, s.why)
		}
	}
}

// refuseRun ends a launch that would let the agent write what runs outside later: a
// shell's start file, a unit, a program on PATH. It holds on canonical paths what
// the check of the spec holds already: ~/.bashrc may be a link into the project.
func (b *builder) refuseRun(g grant) {
	if !g.writable() {
		return
	}
	for _, name := range workspace.RunPlaces() {
		r, err := b.in.Host.Resolve(absolute(name, b.in.Host.HomeDir))
		if err != nil {
			continue
		}
		if within(g.path, r.Path) || within(r.Path, g.path) || g.is == r.Identity {
			b.fail(g.at, "plan grant: the agent could write %s (%s), which runs outside later", name, r.Path)
		}
	}
}

func absolute(place, home string) string {
	if filepath.IsAbs(place) {
		return place
	}
	return filepath.Join(home, strings.TrimPrefix(place, "~/"))
}

// refusePlantedLink ends a launch whose grant was reached through a link that an
// agent could have made, of this workspace or of another: it could point anywhere.
func (b *builder) refusePlantedLink(g grant) {
	for _, l := range g.links {
		for _, w := range b.writable() {
			if within(l, w) {
				b.fail(g.at, "plan grant: %s goes through the link %s, which lies in a tree that an agent can write (%s); write the real path %s", g.written, l, w, g.path)
			}
		}
	}
}

// writable are the trees that an agent can write: those of this spec, those of
// other workspaces, and every private home.
func (b *builder) writable() []string {
	out := slices.Concat(b.in.Writable, b.state())
	for _, g := range b.granted {
		if g.writable() {
			out = append(out, g.path)
		}
	}
	return out
}

// show adds the mounts of g: the tree, what protects parts of it, and the path
// as written.
func (b *builder) show(g grant) {
	m := Mount{Op: OpBind, Source: g.path, Target: g.path, Identity: g.is, ReadOnly: !g.writable(), At: position(g.at)}
	var found []Found
	if g.is.Dir {
		var err error
		if found, err = b.in.Host.Survey(g.path, slices.Concat(g.hide, b.hides(g.path))); err != nil {
			b.fail(g.at, "look for hidden files: %w", err)
			return
		}
	}
	for _, w := range b.granted {
		if w.writable() && w.path != g.path && within(g.path, w.path) {
			b.pin(w.path, g.path, g.at)
		}
	}
	if m.ReadOnly {
		m, found = b.hidden(g, m, found)
	}
	b.mount(m, access(m))
	for _, f := range found {
		b.mask(g, f)
	}
	if g.kind == kindProject {
		b.protect(g, found)
	}
	b.link(g)
}

func access(m Mount) Access {
	switch {
	case m.Identity.Dir && m.ReadOnly:
		return AccessRead
	case m.Identity.Dir:
		return AccessWrite
	case m.ReadOnly:
		return AccessReadFile
	}
	return AccessEdit
}

// hidden decides how the names that must not be seen are taken away from a
// read-only tree: by an overlay, because a mask falls off when the human saves
// the file (the rename detaches the mount), and because an overlay also puts
// sockets out of reach. A .git directory is nothing that an editor saves, so a
// mask serves, and the tree stays a plain bind, which is faster. It returns the
// mount and what is left to mask.
func (b *builder) hidden(g grant, m Mount, found []Found) (Mount, []Found) {
	found = slices.DeleteFunc(found, func(f Found) bool { return !f.Hide })
	if !slices.ContainsFunc(found, func(f Found) bool { return !f.Git }) {
		return m, found
	}
	m.Op = OpOverlay
	for _, f := range found {
		m.Hide = append(m.Hide, f.Path)
	}
	return m, nil
}

// mask covers one name. A writable tree has no other way, and the launcher
// watches its masks. A link is only a name: where it leads is covered by its own
// name, or need not be.
func (b *builder) mask(g grant, f Found) {
	if !f.Hide || f.Link || f.Git && g.kind == kindProject {
		return
	}
	b.mount(Mount{Op: OpMask, Target: path.Join(g.path, f.Path), ReadOnly: true, Identity: Identity{Dir: f.Dir}, At: position(g.at)}, "")
}

// hides are the globs of filesystem.hide that can match in a tree, relative to it.
func (b *builder) hides(root string) []string {
	var out []string
	for _, h := range b.in.Workspace.Policy.Filesystem.Hide {
		out = append(out, relativeGlobs(strings.Split(h.Name, "/"), strings.Split(root, "/"))...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// relativeGlobs is what remains of an absolute glob below a directory: nothing
// when it cannot match there, several when a ** can end in several places, and
// everything when it matches the directory itself or one above it.
func relativeGlobs(glob, dir []string) []string {
	switch {
	case len(glob) == 0:
		return []string{"*"}
	case len(dir) == 0:
		return []string{strings.Join(glob, "/")}
	case glob[0] == "**":
		return append(relativeGlobs(glob[1:], dir), relativeGlobs(glob, dir[1:])...)
	case matches(glob[:1], dir[0]):
		return relativeGlobs(glob[1:], dir[1:])
	}
	return nil
}

// link recreates the path as written where it differs from the canonical one,
// unless the link is in a tree that is mounted anyway.
func (b *builder) link(g grant) {
	if g.written == g.path {
		return
	}
	for _, o := range b.granted {
		if o.path != g.path && within(g.written, o.path) {
			return
		}
	}
	b.mount(Mount{Op: OpSymlink, Source: g.path, Target: g.written, At: position(g.at)}, "")
}

func position(at workspace.Position) string {
	if at == (workspace.Position{}) {
		return ""
	}
	return at.String()
}
