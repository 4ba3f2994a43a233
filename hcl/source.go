package hcl

import (
	"path/filepath"
	"slices"
)

// Source is one file that says something of a workspace.
type Source struct {
	Name string // absolute path; its end decides the syntax: .hcl or .hcl.json
	Src  []byte
	Role Role
}

// Role is what a file is to a workspace. It decides what may stand in it.
type Role string

// The roles, in the order in which files are merged.
const (
	RoleUser          Role = "user"           // user.hcl: the user's own, for every workspace
	RoleInclude       Role = "include"        // what the spec includes
	RoleSpec          Role = "spec"           // the spec itself
	RoleWorkspaceUser Role = "workspace-user" // workspaces/NAME.hcl: the user's own, for this workspace
)

// private tells whether a file with this role is the user's own. Such a file
// says nothing of the environment side, which is the same for everybody.
func (r Role) private() bool { return r == RoleUser || r == RoleWorkspaceUser }

// noun names a file of this role to the user.
func (r Role) noun() string {
	switch r {
	case RoleInclude:
		return "an include"
	case RoleSpec:
		return "a spec"
	}
	return "a user file"
}

// sourceFile is a file that has been read.
type sourceFile struct {
	Source
	tree   string // the tree that its own includes lie in, see Options.Read
	blocks []*block
	scope  *scope // what its expressions may refer to
}

// op is what a block does to what other files say of it.
type op int

const (
	opAdd op = iota
	opRemove
	opForce
)

// with are the blocks of a file that do o.
func (u *sourceFile) with(o op) []*block {
	return slices.DeleteFunc(slices.Clone(u.blocks), func(b *block) bool { return b.op != o })
}

// named are the blocks of one kind that a file has.
func (u *sourceFile) named(name string) []*block {
	return slices.DeleteFunc(u.with(opAdd), func(b *block) bool { return b.schema.Name != name })
}

// gatherer reads the spec and every file that belongs to it.
type gatherer struct {
	*decoder
	units  []*sourceFile
	lock   Lock // nil until it is asked for
	found  []Include
	verify bool // whether vendored trees are held against the lock
}

// gather reads the spec and what it leads to, and returns the files in the order
// in which they are merged. It is not ok if one cannot be read.
func (d *decoder) gather(s Source) (units []*sourceFile, ok bool) {
	g := &gatherer{decoder: d, verify: true}
	spec := g.read(s, ".")
	if spec == nil {
		return nil, false
	}
	ok = g.includes(spec, nil)
	g.units = append(g.units, spec)
	if d.o.User == nil {
		return g.units, ok
	}
	first, good := g.user("user", RoleUser)
	ok = ok && good
	if first != nil {
		g.units = slices.Insert(g.units, 0, first)
	}
	if w := spec.named("workspace"); len(w) == 1 && nameRE().MatchString(w[0].label.Value) {
		last, good := g.user("workspaces/"+w[0].label.Value, RoleWorkspaceUser)
		ok = ok && good
		if last != nil {
			g.units = append(g.units, last)
		}
	}
	return g.units, ok
}

// take notes a file, and returns its text.
func (d *decoder) take(s Source) []byte {
	src := normalise(s.Src)
	d.sources[s.Name], d.roles[s.Name] = src, s.Role
	if s.Role != RoleSpec {
		d.given = append(d.given, s)
	}
	return src
}

// read parses a file and takes it apart; nil if its syntax is wrong.
func (d *decoder) read(s Source, tree string) *sourceFile {
	src := d.take(s)
	file, diags := parse(src, s.Name)
	for _, diag := range diags {
		if diag.Subject == nil {
			diag.Subject = at(src, s.Name, 0).Ptr()
		}
	}
	d.diags = append(d.diags, diags...)
	if diags.HasErrors() {
		return nil
	}
	u := &sourceFile{Source: s, tree: tree}
	u.blocks = d.blocks(file.Body, u)
	return u
}

// user reads one of the user's own files, which need not exist.
func (g *gatherer) user(name string, role Role) (*sourceFile, bool) {
	s, err := g.o.User(name)
	switch {
	case err != nil:
		g.report(g.top, "User file not readable", "The user file "+name+" cannot be read: "+err.Error()+".", "")
		return nil, false
	case s.Name == "":
		return nil, true
	case !filepath.IsAbs(s.Name):
		panic("hcl: the name of a user file is not absolute: " + s.Name)
	}
	s.Name, s.Role = filepath.Clean(s.Name), role
	u := g.read(s, ".")
	return u, u != nil
}

// firstOf finds the one file with a role; nil if there is none.
func firstOf(units []*sourceFile, role Role) *sourceFile {
	if i := slices.IndexFunc(units, func(u *sourceFile) bool { return u.Role == role }); i >= 0 {
		return units[i]
	}
	return nil
}
