package hcl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// variable is what var.NAME means. The environment side sees the default alone.
type variable struct {
	name   string
	typ    cty.Type
	header hcl.Range
	preset cty.Value // the default; NilVal where there is none
	given  cty.Value // the value for the launch side; NilVal where none was given
	wrong  bool      // a value that was given is wrong, which was reported
	size   float64   // see size; the larger of both

	typeText string         // as it was written; "" for string
	expr     hcl.Expression // of the default; nil where there is none
}

// variableTypes are the types by their text.
var variableTypes = map[string]cty.Type{
	"string": cty.String, "bool": cty.Bool, "number": cty.Number,
	"list(string)": cty.List(cty.String), "map(string)": cty.Map(cty.String),
}

// declared reads the variables.
func (d *decoder) declared(blocks []*block) map[string]*variable {
	vars := map[string]*variable{}
	for _, b := range blocks {
		if b.schema.Name == "variable" && d.name(b).OK {
			vars[b.label.Value] = d.decodeVariableBlock(b)
		}
	}
	return vars
}

func (d *decoder) decodeVariableBlock(b *block) *variable {
	v := &variable{name: b.label.Value, typ: cty.String, header: b.header}
	for _, l := range b.parts() {
		if attr := l.attrs["type"]; attr != nil {
			d.variableType(v, attr.Expr)
		}
		if attr := l.attrs["default"]; attr != nil {
			v.expr = attr.Expr
		}
	}
	d.str(b, "description")
	if v.expr == nil {
		return v
	}
	value, ok := d.literal(v.expr)
	switch {
	case !ok:
	case value.none():
		v.expr = nil
	default:
		v.preset, _ = d.conform(v, value)
	}
	v.measure()
	return v
}

// variableType reads a type, which is no value.
func (d *decoder) variableType(v *variable, expr hcl.Expression) {
	text := strings.Join(strings.Fields(typeText(expr)), "")
	t, ok := variableTypes[text]
	switch value, diags := expr.Value(nil); {
	case ok:
		v.typ, v.typeText = t, text
	case !diags.HasErrors() && value.IsNull():
	default:
		names := slices.Sorted(maps.Keys(variableTypes))
		d.report(expr.Range(), "Unknown type", fmt.Sprintf("The type of a variable is one of %s.", strings.Join(names, ", ")), hintNearest(strings.Trim(d.text(expr.Range()), `"`), names))
	}
}

// typeText is the text of a type: a word, or a word with another in parentheses.
func typeText(expr hcl.Expression) string {
	if word := hcl.ExprAsKeyword(expr); word != "" {
		return word
	}
	call, diags := hcl.ExprCall(expr)
	if diags.HasErrors() || len(call.Arguments) != 1 {
		return ""
	}
	return call.Name + "(" + hcl.ExprAsKeyword(call.Arguments[0]) + ")"
}

// literal evaluates what is needed before names have a meaning.
func (d *decoder) literal(expr hcl.Expression) (located, bool) {
	if vars := expr.Variables(); len(vars) > 0 {
		d.report(vars[0].SourceRange(), "Not a literal", "This is read before any name has a meaning, and so it cannot refer to one.", "write the value itself")
		return located{}, false
	}
	return d.literals().value(expr, EnvironmentSide)
}

// literals is a scope in which no name has a meaning.
func (d *decoder) literals() *scope {
	if d.scope != nil {
		return d.scope
	}
	return newScope(d)
}

// conform makes a value one of the variable's type. A value of another is
// reported where it stands: a number's text is not what was meant by it.
func (d *decoder) conform(v *variable, l located) (cty.Value, bool) {
	switch {
	case l.none():
		d.report(l.rng, "Wrong type", fmt.Sprintf("The variable %s has no null.", printable(v.name)), "")
		return cty.NilVal, false
	case v.typ.IsListType() && isList(l.value):
		if !d.allStrings(l.elements()) {
			return cty.NilVal, false
		}
	case v.typ.IsMapType() && isMap(l.value):
		var values []located
		for _, e := range l.entries() {
			values = append(values, e.value)
		}
		if !d.allStrings(values) {
			return cty.NilVal, false
		}
	case !l.value.Type().Equals(v.typ):
		d.wrongType(l, Type(v.spelled()))
		return cty.NilVal, false
	}
	value, err := convert.Convert(l.value, v.typ)
	if err != nil {
		d.wrongType(l, Type(v.spelled()))
	}
	return value, err == nil
}

func (d *decoder) allStrings(values []located) bool {
	ok := true
	for _, v := range values {
		if v.none() || v.value.Type() != cty.String {
			ok = false
			d.report(v.rng, "Wrong type", fmt.Sprintf("This is a %s, and a string is needed here.", typeName(v.value.Type())), "")
		}
	}
	return ok
}

func (v *variable) spelled() string {
	if v.typeText == "" {
		return "string"
	}
	return v.typeText
}

func (v *variable) measure() {
	for _, value := range []cty.Value{v.preset, v.given} {
		if value != cty.NilVal {
			n, _ := size(value)
			v.size = max(v.size, n)
		}
	}
}

// variable checks a reference to a variable. One without a default is on the
// launch side: the environment side could not know it.
func (s *scope) variable(t hcl.Traversal, member string, side Side) (refs, bool) {
	v, known := s.vars[member]
	switch {
	case member == "":
		s.report(t.SourceRange(), "Unknown name", "A reference to a variable names one.", "write var.NAME")
	case !known:
		hint := ""
		if near := nearest(member, slices.Sorted(maps.Keys(s.vars))); near != "" {
			hint = fmt.Sprintf("did you mean var.%s?", near)
		}
		s.report(t.SourceRange(), "Unknown name", fmt.Sprintf("There is no variable %s.", printable(member)), hint)
	case side == EnvironmentSide && v.expr == nil:
		s.report(t.SourceRange(), "Variable without default", "This attribute reaches what is generated, which is the same on every machine, and so it sees the defaults of variables alone.", fmt.Sprintf("add a default to variable %q", member))
	case side == LaunchSide && v.wrong: // which was reported
	case side == LaunchSide && v.given == cty.NilVal && v.expr == nil:
		s.report(t.SourceRange(), "Missing value", fmt.Sprintf("The variable %s has no default, and no value was given.", printable(member)), fmt.Sprintf("start with --var %s=VALUE, or set it in variables { … } of user.hcl", member))
	case v.value(side) == cty.NilVal: // its default is wrong, which was reported
	default:
		return refs{vars: []string{member}, launch: v.expr == nil, varies: true}, true
	}
	return refs{}, false
}

// value is what a variable is on a side.
func (v *variable) value(side Side) cty.Value {
	if side == LaunchSide && v.given != cty.NilVal {
		return v.given
	}
	return v.preset
}
