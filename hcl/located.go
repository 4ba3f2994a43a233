package hcl

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// located is an evaluated expression. Where the expression is a list or a map
// that is written out, each element keeps a range of its own.
type located struct {
	value cty.Value
	rng   hcl.Range
	expr  hcl.Expression // nil for an element that was computed

	summed bool      // of several places: of items, or of pairs
	items  []located // the elements of such a list
	pairs  []entry   // the entries of such a map
}

// set tells a written value from a default, which has no file.
func (v located) set() bool { return v.rng.Filename != "" }

// elements are the elements of a list, tuple or set.
func (v located) elements() []located {
	if v.summed {
		return v.items
	}
	var exprs []hcl.Expression
	if v.expr != nil {
		exprs, _ = hcl.ExprList(v.expr)
	}
	values := v.value.AsValueSlice()
	out := make([]located, len(values))
	for i, value := range values {
		out[i] = located{value: value, rng: v.rng}
		if len(exprs) == len(values) {
			out[i].rng, out[i].expr = exprs[i].Range(), exprs[i]
		}
	}
	return out
}

// entry is one element of a map.
type entry struct {
	key   field[string]
	value located
}

// entries are the elements of a map or object: in the order of the file where
// it is written out, with a key that is written twice twice; else sorted by key.
func (v located) entries() []entry {
	if v.summed {
		return v.pairs
	}
	if v.expr != nil {
		if pairs, diags := hcl.ExprMap(v.expr); !diags.HasErrors() {
			return v.written(pairs)
		}
	}
	var out []entry
	for it := v.value.ElementIterator(); it.Next(); {
		key, value := it.Element()
		out = append(out, entry{field[string]{Value: key.AsString(), Range: v.rng, Set: v.set(), OK: true}, located{value: value, rng: v.rng}})
	}
	return out
}

// written pairs the expressions of a map with the values of the whole, which
// has been evaluated with the right scope. Keys are matched by their text; one
// that is computed is found as what is left over only if it is alone, so such
// a map is taken whole.
func (v located) written(pairs []hcl.KeyValuePair) []entry {
	var out []entry
	for _, p := range pairs {
		key, diags := p.Key.Value(nil)
		if diags.HasErrors() || key.IsNull() || key.Type() != cty.String || !v.value.Type().IsObjectType() || !v.value.Type().HasAttribute(key.AsString()) {
			return located{value: v.value, rng: v.rng}.entries()
		}
		value := located{value: v.value.GetAttr(key.AsString()), rng: p.Value.Range(), expr: p.Value}
		out = append(out, entry{field[string]{Value: key.AsString(), Range: p.Key.Range(), Set: v.set(), OK: true}, value})
	}
	return out
}

// defaultValue evaluates a default of the schema, which has no place in the
// file. One that does not evaluate is a mistake in the schema.
func defaultValue(text string) located {
	expr, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		panic("hcl: default " + text + ": " + diags.Error())
	}
	value, diags := expr.Value(nil)
	if diags.HasErrors() {
		panic("hcl: default " + text + ": " + diags.Error())
	}
	return located{value: value}
}
