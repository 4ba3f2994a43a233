package hcl

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// field is a value and where it was written. A default has no range. A value
// that is wrong has been reported and is not OK; nothing more is said of it.
type field[T any] struct {
	Value T
	Range hcl.Range
	Set   bool
	OK    bool
}

// pair is one element of a map.
type pair struct{ Key, Value field[string] }

// derive is the value that convert makes of f, at the same place. A wrong one
// is reported by convert.
func derive[A, B any](f field[A], convert func(A, hcl.Range) (B, bool)) field[B] {
	out := field[B]{Range: f.Range, Set: f.Set}
	if f.OK {
		out.Value, out.OK = convert(f.Value, f.Range)
	}
	return out
}

// deriveAll is derive for each of a list.
func deriveAll[A, B any](all []field[A], convert func(A, hcl.Range) (B, bool)) []field[B] {
	var out []field[B]
	for _, f := range all {
		if g := derive(f, convert); g.OK {
			out = append(out, g)
		}
	}
	return out
}

// value evaluates an attribute, or its default. ok is false if there is
// neither, or if it is wrong, which is then reported. A null is no value.
func (d *decoder) value(b *block, name string) (v located, ok bool) {
	a, known := b.schema.attribute(name)
	if !known || !a.read() {
		panic("hcl: no attribute " + b.schema.Name + "." + name + " in the schema")
	}
	if v, ok := d.combine(b.parts(), a); !ok || !v.none() {
		return v, ok
	}
	if a.Default != "" {
		v, known := d.defaults[a]
		if !known {
			v = defaultValue(a.Default)
			d.defaults[a] = v
		}
		return v, true
	}
	if a.Required {
		d.report(b.header, "Missing attribute", fmt.Sprintf("The block %s has no %s.", printable(b.id()), name), "add "+name+" = "+a.Example)
	}
	return located{}, false
}

// str, boolean, strs and pairs read an attribute of their type, as size, number
// and numbers do.
func (d *decoder) str(b *block, name string) field[string] {
	v, ok := d.value(b, name)
	if !ok {
		return field[string]{}
	}
	return d.toString(v)
}

func (d *decoder) boolean(b *block, name string) field[bool] {
	v, ok := d.value(b, name)
	if !ok {
		return field[bool]{}
	}
	f := field[bool]{Range: v.rng, Set: v.set()}
	if v.value.Type() != cty.Bool {
		d.wrongType(v, Bool)
		return f
	}
	f.Value, f.OK = v.value.True(), true
	return f
}

func (d *decoder) strs(b *block, name string) []field[string] {
	var out []field[string]
	for _, element := range d.list(b, name, Strings) {
		if f := d.toString(element); f.OK {
			out = append(out, f)
		}
	}
	return out
}

// list is the elements of an attribute that is a list of some type. A null
// among them is reported and left out.
func (d *decoder) list(b *block, name string, want Type) []located {
	v, ok := d.value(b, name)
	if !ok {
		return nil
	}
	t := v.value.Type()
	if !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		d.wrongType(v, want)
		return nil
	}
	var out []located
	for i, element := range v.elements() {
		if element.value.IsNull() {
			d.report(element.rng, "Wrong type", fmt.Sprintf("The element %d of %s is null.", i+1, name), "")
			continue
		}
		out = append(out, element)
	}
	return out
}

// pairs reads a map. A null value means that the key is not set.
func (d *decoder) pairs(b *block, name string) []pair {
	v, ok := d.value(b, name)
	if !ok {
		return nil
	}
	t := v.value.Type()
	if !t.IsObjectType() && !t.IsMapType() {
		d.wrongType(v, Map)
		return nil
	}
	var out []pair
	first := map[string]bool{}
	for _, e := range v.entries() {
		if first[e.key.Value] {
			d.report(e.key.Range, "Duplicate key", fmt.Sprintf("The key %s stands twice in this map.", printable(e.key.Value)), "")
			continue
		}
		first[e.key.Value] = true
		if e.value.value.IsNull() {
			continue
		}
		if f := d.toString(e.value); f.OK && d.checkNUL(e.key.Value, e.key.Range) {
			out = append(out, pair{Key: e.key, Value: f})
		}
	}
	return out
}

// toString converts a value to a string. A number or a bool that is written as
// such is refused, because its text is not what was meant: 1.20 would be "1.2".
func (d *decoder) toString(v located) field[string] {
	f := field[string]{Range: v.rng, Set: v.set()}
	t := v.value.Type()
	if !t.IsPrimitiveType() {
		d.wrongType(v, String)
		return f
	}
	if text := strings.TrimSpace(d.text(v.rng)); t != cty.String && bareRE().MatchString(text) {
		d.report(v.rng, "Wrong type", fmt.Sprintf("This is a %s, and a string is needed here.", typeName(t)), fmt.Sprintf("write %q", text))
		return f
	}
	s, err := convert.Convert(v.value, cty.String)
	if err != nil || s.IsNull() || !s.IsKnown() {
		d.wrongType(v, String)
		return f
	}
	f.Value = s.AsString()
	f.OK = d.checkNUL(f.Value, f.Range)
	return f
}

// checkNUL refuses NUL anywhere: "x\u0000y" in JSON is "x" to Nix 2.8, and a
// path ends at it for the kernel.
func (d *decoder) checkNUL(s string, r hcl.Range) bool {
	if hasNUL(s) {
		d.report(r, "NUL in value", "No value may have a NUL in it.", "")
		return false
	}
	return true
}

func hasNUL(s string) bool { return strings.IndexByte(s, 0) >= 0 }

func (d *decoder) wrongType(v located, want Type) {
	hint, text, t := "", d.text(v.rng), v.value.Type()
	switch {
	case strings.Contains(text, "\n"):
	case want == Strings && t == cty.String, want == Numbers && t == cty.Number:
		hint = "write [" + text + "]"
	case want == Number && t == cty.String && bareRE().MatchString(strings.Trim(text, `"`)):
		hint = "write " + strings.Trim(text, `"`)
	}
	d.report(v.rng, "Wrong type", fmt.Sprintf("This is a %s, and a %s is needed here.", typeName(v.value.Type()), want), hint)
}

// typeName is the name of a type in the words of the schema. To the user, who
// writes both with the same brackets, a tuple is a list and an object a map.
func typeName(t cty.Type) string {
	switch {
	case t.IsTupleType(), t.IsListType(), t.IsSetType():
		return "list"
	case t.IsObjectType(), t.IsMapType():
		return "map"
	}
	return t.FriendlyName()
}

// text is what stands in a range of a file; "" for a default.
func (d *decoder) text(r hcl.Range) string {
	src := d.sources[r.Filename]
	if r.Filename == "" || !r.CanSliceBytes(src) {
		return ""
	}
	return string(r.SliceBytes(src))
}

var (
	plainRE = lazily(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
	bareRE  = lazily(`^(-?[0-9][0-9.eE+-]*|true|false)$`)
)

// lazily compiles a pattern at its first use: a launch that reads no spec does
// not wait for all of them.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
