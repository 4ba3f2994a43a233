package hcl

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// merger brings together what several files say of one block.
type merger struct {
	*decoder
	blocks map[string]*block
	many   []*block // those that may stand in a file several times
}

// merge returns every block once, with what all files say of it. A file removes
// from those before it and then adds; what the user removes in user.hcl is
// removed at the end, and then what the user files force is put on top. The
// blocks of the spec come first, then those of its includes, then the user's
// own: the first agent is the one that is launched.
func (d *decoder) merge(units []*sourceFile) []*block {
	m := &merger{decoder: d, blocks: map[string]*block{}}
	for _, u := range units {
		if u.Role != RoleUser {
			m.remove(u)
		}
		m.add(u, opAdd)
	}
	if first := firstOf(units, RoleUser); first != nil {
		m.remove(first)
	}
	for _, u := range slices.Backward(units) {
		m.add(u, opForce)
	}
	return m.ordered(units)
}

// sharedBlocks are the blocks as they are without the user's own files.
func (d *decoder) sharedBlocks(units []*sourceFile, blocks []*block) []*block {
	shared := slices.DeleteFunc(slices.Clone(units), func(u *sourceFile) bool { return u.Role.private() })
	if len(shared) == len(units) {
		return blocks
	}
	return d.merge(shared)
}

// ordered are the merged blocks, those of the nearest file first.
func (m *merger) ordered(units []*sourceFile) []*block {
	near := slices.SortedStableFunc(slices.Values(units), func(a, b *sourceFile) int { return distance[a.Role] - distance[b.Role] })
	var out []*block
	for _, o := range []op{opAdd, opForce} {
		for _, u := range near {
			for _, b := range u.with(o) {
				key := m.key(b)
				if merged := m.blocks[key]; merged != nil {
					out = append(out, merged)
					delete(m.blocks, key)
				}
			}
		}
	}
	return append(out, m.many...)
}

var distance = map[Role]int{RoleSpec: 0, RoleInclude: 1, RoleWorkspaceUser: 2, RoleUser: 3}

// key is what blocks have in common that are merged.
func (m *merger) key(b *block) string {
	if b.schema.Single {
		return b.schema.Name
	}
	return b.id()
}

// alike tells whether two blocks without a name say the same.
func (m *merger) alike(a, b *block) bool {
	return a.schema == b.schema && maps.EqualFunc(a.attrs, b.attrs, func(x, y *hcl.Attribute) bool {
		return m.text(x.Expr.Range()) == m.text(y.Expr.Range())
	})
}

// unmerged are the blocks that are read by themselves and not merged.
var unmerged = map[string]bool{"include": true, "locals": true, "variables": true}

func (m *merger) add(u *sourceFile, o op) {
	for _, b := range u.with(o) {
		if unmerged[b.schema.Name] {
			continue
		}
		key := m.key(b)
		old := m.blocks[key]
		switch {
		case b.schema.Many:
			if !slices.ContainsFunc(m.many, func(o *block) bool { return o.file != u && m.alike(o, b) }) {
				m.many = append(m.many, b)
			}
		case old != nil:
			m.blocks[key] = old.under(b)
		case o == opAdd:
			m.blocks[key] = b
		case b.schema.Name != "" || len(b.attrs) > 0:
			m.blocks[key] = (&block{schema: b.schema, label: b.label, header: b.header, file: u, op: o}).under(b)
		}
	}
}

// under is b with what another file says of it on top.
func (b *block) under(top *block) *block {
	if b.layers == nil {
		merged := *b
		merged.attrs = maps.Clone(b.attrs)
		if b.op == opAdd {
			merged.layers = []*block{b}
		}
		b = &merged
	}
	if b.file.Role.private() && !top.file.Role.private() {
		b.label, b.header, b.file = top.label, top.header, top.file
	}
	b.layers = append(b.layers, top)
	if b.attrs == nil {
		b.attrs = hcl.Attributes{}
	}
	if top.op != opRemove {
		maps.Copy(b.attrs, top.attrs)
	}
	return b
}

// parts are what each file says of a block.
func (b *block) parts() []*block {
	if b.layers == nil {
		return []*block{b}
	}
	return b.layers
}

// shared tells whether a block stands in the spec or in what it includes.
func (b *block) shared() bool {
	return slices.ContainsFunc(b.parts(), func(p *block) bool { return p.op == opAdd && p.file != nil && !p.file.Role.private() })
}

// remove takes away what a file removes: a block without attributes goes whole,
// of others the elements that are named. In a spec each must be there, with or
// without user files; the user's own files are for more than one spec.
func (m *merger) remove(u *sourceFile) {
	for _, b := range u.with(opRemove) {
		if b.schema.Name == "" && len(b.attrs) == 0 {
			continue
		}
		key := m.key(b)
		old := m.blocks[key]
		switch {
		case b.schema.Many:
			before := len(m.many)
			m.many = slices.DeleteFunc(m.many, func(o *block) bool { return m.alike(o, b) })
			if len(m.many) == before {
				m.missing(u, b)
			}
		case old == nil || !u.Role.private() && !old.shared():
			m.missing(u, b)
		case len(b.attrs) > 0:
			m.blocks[key] = old.under(b)
		case u.Role.private() && b.schema.generated():
			m.decoder.shared(b.header, "block", b.id())
		default:
			delete(m.blocks, key)
		}
	}
}

func (m *merger) missing(u *sourceFile, b *block) {
	if u.Role.private() {
		return
	}
	var names []string
	for key, old := range m.blocks {
		if key != "" && old.shared() {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	if b.schema.Name != "" {
		m.report(b.header, "Nothing to remove", fmt.Sprintf("Nothing that this spec includes has a block %s.", printable(b.id())), hintNearest(b.id(), names))
	}
	for _, a := range sorted(b.attrs) {
		if b.schema.Name == "" {
			m.report(a.NameRange, "Nothing to remove", fmt.Sprintf("Nothing that this spec includes has %s.", a.Name), "")
		}
	}
}
