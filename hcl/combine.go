package hcl

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// combine is what the layers of a block say together of one attribute. The
// later of two single values, or of two lists whose order counts, replaces the
// earlier; lists that are sets are added, maps are merged by key, and null takes
// away what was said before. What is wrong is reported.
func (d *decoder) combine(layers []*block, a *Attribute) (located, bool) {
	c := &combiner{decoder: d, attribute: a}
	ok := true
	for _, l := range layers {
		if a.Identity && l.op != opRemove && d.overrides(l) {
			c.sum = located{}
		}
		attr := l.attrs[a.Name]
		if attr == nil {
			continue
		}
		v, good := l.file.scope.value(attr.Expr, a.Side)
		if good && len(layers) > 1 {
			good = c.layer(l, v)
		} else {
			c.sum = v
		}
		ok = ok && good
	}
	return c.sum, ok
}

// combiner adds up one attribute.
type combiner struct {
	*decoder
	attribute *Attribute
	sum       located
}

func (c *combiner) layer(l *block, v located) bool {
	t := c.attribute.Type
	switch {
	case l.op == opRemove:
		return c.remove(l, v)
	case v.none():
		c.sum = located{}
		return true
	case t.list() && !isList(v.value), t == Map && !isMap(v.value):
		c.wrongType(v, t)
		return false
	case l.op == opForce || c.sum.none():
		c.sum = v
	case t == Map:
		c.sum = c.sum.merged(v)
	case t.list() && !c.attribute.Ordered:
		c.sum = c.added(l, v)
	case c.attribute.Identity && !c.same(l, v):
		return false
	default:
		c.sum = v
	}
	return true
}

func isList(v cty.Value) bool {
	t := v.Type()
	return t.IsTupleType() || t.IsListType() || t.IsSetType()
}

func isMap(v cty.Value) bool { return v.Type().IsObjectType() || v.Type().IsMapType() }

// added is the sum with the elements of v that it does not have. Where a user
// file has an element too, it stays for what the shared files say of it.
func (c *combiner) added(l *block, v located) located {
	items := slices.Clone(c.sum.elements())
	at := map[string]int{}
	for i, item := range items {
		at[c.key(l, item)] = i
	}
	for _, item := range v.elements() {
		key := c.key(l, item)
		i, again := at[key]
		switch {
		case !again:
			at[key] = len(items)
			items = append(items, item)
		case c.private(items[i]) && !c.private(item):
			items[i] = item
		}
	}
	return listOf(items, v.rng)
}

// remove takes elements, or the keys of a map, out of the sum.
func (c *combiner) remove(l *block, v located) bool {
	if v.none() {
		return true
	}
	if !isList(v.value) {
		c.wrongType(v, Strings)
		return false
	}
	gone, ok := map[string]bool{}, true
	for _, item := range v.elements() {
		key := c.key(l, item)
		gone[key] = true
		ok = c.present(l, item, key) && ok
	}
	if c.sum.none() {
		return ok
	}
	if c.attribute.Type == Map {
		c.sum = mapOf(slices.DeleteFunc(slices.Clone(c.sum.entries()), func(e entry) bool { return gone[e.key.Value] }), c.sum.rng)
	} else {
		c.sum = listOf(slices.DeleteFunc(slices.Clone(c.sum.elements()), func(e located) bool { return gone[c.key(l, e)] }), c.sum.rng)
	}
	return ok
}

// present reports an element that a spec removes and that no shared file has.
func (c *combiner) present(l *block, item located, key string) bool {
	if l.file.Role.private() {
		return true
	}
	var names []string
	if !c.sum.none() && c.attribute.Type == Map {
		for _, e := range c.sum.entries() {
			if !c.private(e.value) {
				names = append(names, e.key.Value)
			}
		}
	} else if !c.sum.none() {
		for _, e := range c.sum.elements() {
			if !c.private(e) {
				names = append(names, c.key(l, e))
			}
		}
	}
	if slices.Contains(names, key) {
		return true
	}
	c.report(item.rng, "Nothing to remove", fmt.Sprintf("Nothing that this spec includes has %q in %s.", key, c.attribute.Name), hintNearest(key, names))
	return false
}

// private tells whether a value was written in a user file.
func (c *combiner) private(v located) bool { return c.roles[v.rng.Filename].private() }

// key is what equal elements have in common.
func (c *combiner) key(l *block, item located) string {
	s, err := convert.Convert(item.value, cty.String)
	if err != nil || s.IsNull() || !s.IsKnown() {
		return "\x00" + item.value.GoString()
	}
	return c.canonical(l.schema.Name+"."+c.attribute.Name, s.AsString())
}

// canonical is one spelling for all of a value's. Names of attributes without
// an own one are compared as they are written.
func (d *decoder) canonical(attribute, s string) string {
	switch attribute {
	case "checkout.path", "checkout.except", "project.path", "filesystem.read", "filesystem.write", "filesystem.hide", "forbid.read", "forbid.write":
		base, rest := d.base(s)
		return filepath.Join(base, rest)
	case "network.allow":
		return normal(s)
	case ".packages", "environment.libraries", "source.package":
		return strings.TrimPrefix(s, "nixpkgs#")
	}
	return s
}

// same reports two files that mean different things by the name of one block.
func (c *combiner) same(l *block, v located) bool {
	before, now := c.key(l, c.sum), c.key(l, v)
	if before == now {
		return true
	}
	at := c.sum.rng
	c.report(v.rng, "Two identities",
		fmt.Sprintf("The %s of %s is %q here, and %q at %s:%d:%d.", c.attribute.Name, printable(l.id()), now, before, at.Filename, at.Start.Line, at.Start.Column),
		"use another name, or add override = true here")
	return false
}

// overrides tells whether a layer says anew what its block is about.
func (d *decoder) overrides(l *block) bool {
	says := slices.ContainsFunc(l.schema.Attributes, func(a Attribute) bool { return a.Identity && l.attrs[a.Name] != nil })
	attr := l.attrs["override"]
	switch {
	case !says:
		return false
	case l.op == opForce:
		return true
	case attr == nil:
		return false
	}
	v, ok := l.file.scope.value(attr.Expr, EnvironmentSide)
	return ok && v.value.Type() == cty.Bool && !v.value.IsNull() && v.value.True()
}

// none tells that there is no value.
func (v located) none() bool { return v.value == cty.NilVal || v.value.IsNull() }

// merged is a map with the entries of another put in.
func (v located) merged(top located) located {
	upper := top.entries()
	entries := slices.DeleteFunc(slices.Clone(v.entries()), func(e entry) bool {
		return slices.ContainsFunc(upper, func(u entry) bool { return u.key.Value == e.key.Value })
	})
	return mapOf(append(entries, upper...), top.rng)
}

// listOf is a list of elements that come from several places.
func listOf(items []located, r hcl.Range) located {
	values := make([]cty.Value, len(items))
	for i, item := range items {
		values[i] = item.value
	}
	return located{value: cty.TupleVal(values), rng: r, items: items, summed: true}
}

// mapOf is a map of entries that come from several places.
func mapOf(entries []entry, r hcl.Range) located {
	values := map[string]cty.Value{}
	for _, e := range entries {
		values[e.key.Value] = e.value.value
	}
	return located{value: cty.ObjectVal(values), rng: r, pairs: entries, summed: true}
}
