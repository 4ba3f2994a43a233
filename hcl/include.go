package hcl

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

// VendorDir is the directory, beside the spec, of the trees that includes with a
// url are copied to, each below the include's name.
const VendorDir = "agentenv.d"

// LockFile is the name of the file, beside the spec, that pins these trees.
const LockFile = "agentenv.lock"

// maxIncludes is how deep includes may include others.
const maxIncludes = 8

// Include is an include with a url.
type Include struct {
	Name      string
	URL       string // as written
	Reference workspace.Reference
	At        workspace.Position
}

// Tree is the directory of its copy: slash-separated, relative to the spec.
func (i Include) Tree() string { return path.Join(VendorDir, i.Name) }

// Includes finds the includes with a url, of the spec and of what it includes,
// as far as it is there: nothing is held against the lock. They are in the order
// of the files. What is wrong with the includes themselves is in the report; the
// rest of the spec is not looked at.
func Includes(src []byte, filename string, o Options) ([]Include, *Report) {
	d := newDecoder(src, filepath.Clean(filename), o)
	g := &gatherer{decoder: d}
	if spec := g.read(d.given[0], "."); spec != nil {
		d.diags = nil
		g.includes(spec, nil)
	}
	return g.found, d.result()
}

// includes reads what a file includes. above are the files that led to it.
func (g *gatherer) includes(u *sourceFile, above []*sourceFile) bool {
	ok := true
	for _, b := range u.named("include") {
		ok = g.include(b, append(slices.Clip(above), u)) && ok
	}
	return ok
}

// include reads one file, once, after those that it includes itself.
func (g *gatherer) include(b *block, above []*sourceFile) bool {
	tree, file, ok := g.target(b)
	if !ok {
		return false
	}
	name := filepath.Join(g.dir, filepath.FromSlash(tree), filepath.FromSlash(file.Value))
	is := func(u *sourceFile) bool { return u.Name == name }
	switch {
	case slices.ContainsFunc(above, is):
		g.report(b.header, "Cycle of includes", fmt.Sprintf("The file %s includes itself, by itself or through others.", file.Value), "")
		return false
	case slices.ContainsFunc(g.units, is):
		return true
	case len(above) > maxIncludes:
		g.report(b.header, "Nested too deeply", fmt.Sprintf("Files may include others %d deep.", maxIncludes), "")
		return false
	case g.o.Read == nil:
		g.report(file.Range, "Include not readable", "Nothing can be included here.", "")
		return false
	}
	src, err := g.o.Read(tree, file.Value)
	if err != nil {
		g.unreadable(tree, file, err)
		return false
	}
	u := g.read(Source{Name: name, Src: src, Role: RoleInclude}, tree)
	if u == nil {
		return false
	}
	ok = g.includes(u, above)
	g.units = append(g.units, u)
	return ok
}

func (g *gatherer) unreadable(tree string, file field[string], err error) {
	if !g.verify && tree != "." && errors.Is(err, fs.ErrNotExist) {
		return // it has not been fetched yet
	}
	where := "the directory of the spec"
	if tree != "." {
		where = tree
	}
	if errors.Is(err, fs.ErrNotExist) {
		g.report(file.Range, "Include not found", fmt.Sprintf("There is no file %s in %s.", printable(file.Value), where), "")
		return
	}
	g.report(file.Range, "Include not readable", fmt.Sprintf("The file %s in %s cannot be read: %v.", printable(file.Value), where, err), "")
}

// target is the tree and the path of what a block includes. A file of a vendored
// tree includes others of that tree.
func (g *gatherer) target(b *block) (tree string, file field[string], ok bool) {
	name := g.name(b)
	file = derive(g.literalString(b, "path"), g.relative)
	url := g.literalString(b, "url")
	if !file.Set {
		g.report(b.header, "Missing attribute", fmt.Sprintf("The block %s has no path.", printable(b.id())), `add path = "base.hcl"`)
	}
	if !name.OK || !file.OK || url.Set && !url.OK {
		return "", file, false
	}
	if !url.Set {
		return b.file.tree, file, true
	}
	i := Include{Name: name.Value, URL: url.Value, At: position(url.Range)}
	ref := derive(url, g.reference)
	if !ref.OK {
		return "", file, false
	}
	if _, ok := ref.Value["dir"]; ok {
		g.report(url.Range, "Invalid include", "An include has the whole tree.", "write the directory in path")
		return "", file, false
	}
	i.Reference = ref.Value
	known := slices.IndexFunc(g.found, func(j Include) bool { return j.Name == i.Name })
	switch {
	case known < 0:
		g.found = append(g.found, i)
		ok = !g.verify || g.locked(i, url.Range)
	case g.found[known].URL != i.URL:
		at := g.found[known].At
		g.report(url.Range, "Two identities", fmt.Sprintf("The include %s is %q here, and %q at %s.", i.Name, i.URL, g.found[known].URL, at), "use another name")
	default:
		ok = true
	}
	return i.Tree(), file, ok
}

// locked holds a vendored tree against the lock.
func (g *gatherer) locked(i Include, r hcl.Range) bool {
	update := "run agentenv update " + i.Name
	lock, ok := g.readLock(r)
	if !ok {
		return false
	}
	pin, ok := lock[i.Name]
	switch {
	case !ok:
		g.report(r, "Include not fetched", fmt.Sprintf("%s has no entry for the include %s.", LockFile, i.Name), update)
		return false
	case pin.URL != i.URL:
		g.report(r, "Include out of date", fmt.Sprintf("%s has the include %s from %q.", LockFile, i.Name, pin.URL), update)
		return false
	case g.o.HashTree == nil:
		g.report(r, "Include not readable", "Nothing can be included here.", "")
		return false
	}
	hash, err := g.o.HashTree(i.Tree())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		g.report(r, "Include not fetched", fmt.Sprintf("There is no directory %s.", i.Tree()), update)
	case err != nil:
		g.report(r, "Include not readable", fmt.Sprintf("The directory %s cannot be read: %v.", i.Tree(), err), "")
	case hash != pin.Hash:
		g.report(r, "Include changed", fmt.Sprintf("The directory %s is not what was fetched: its hash is %s, and %s has %s.", i.Tree(), hash, LockFile, pin.Hash), "change it where it comes from, and "+update)
	default:
		return true
	}
	return false
}

// readLock reads the lock once. One that is not there is empty.
func (g *gatherer) readLock(r hcl.Range) (Lock, bool) {
	if g.lock != nil {
		return g.lock, true
	}
	if g.o.Read == nil {
		g.report(r, "Include not readable", "Nothing can be included here.", "")
		return nil, false
	}
	src, err := g.o.Read(".", LockFile)
	if errors.Is(err, fs.ErrNotExist) {
		g.lock = Lock{}
		return g.lock, true
	}
	if err == nil {
		g.lock, err = ParseLock(src)
	}
	if err != nil {
		g.report(r, "Lock not readable", fmt.Sprintf("%s cannot be read: %v.", LockFile, err), "")
	}
	return g.lock, err == nil
}

// literalString reads an attribute that is needed before names have a meaning.
func (g *gatherer) literalString(b *block, name string) field[string] {
	attr := b.attrs[name]
	if attr == nil {
		return field[string]{}
	}
	v, ok := g.literal(attr.Expr)
	switch {
	case !ok:
		return field[string]{Range: attr.Expr.Range(), Set: true}
	case v.none():
		return field[string]{}
	}
	return g.toString(v)
}
