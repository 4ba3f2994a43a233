package hcl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Given is a value that the caller has for a variable.
type Given struct {
	Name  string
	Value string // text for a string, bool or number, else an expression of literals
	From  string // how the user gave it, such as "--var"
	Loose bool   // not an error where there is no such variable
}

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

// values gives variables the values that the user has for them: in user.hcl, in
// the workspace's own file, and then what the caller was given.
func (d *decoder) values(units []*sourceFile) {
	for _, u := range units {
		for _, b := range u.named("variables") {
			for _, a := range sorted(b.attrs) {
				d.assign(u, a)
			}
		}
	}
	for _, g := range d.o.Vars {
		d.give(g)
	}
	for _, name := range slices.Sorted(maps.Keys(d.scope.vars)) {
		v := d.scope.vars[name]
		if v.measure(); v.size > maxLocal {
			d.report(v.header, "Variable too large", fmt.Sprintf("The value of a variable may have %d elements and bytes.", maxLocal), "")
		}
	}
}

// assign takes a value from a user file. In user.hcl it may be for a variable of
// another workspace.
func (d *decoder) assign(u *sourceFile, a *hcl.Attribute) {
	v := d.scope.vars[a.Name]
	if v == nil {
		if u.Role == RoleWorkspaceUser {
			d.report(a.NameRange, "Unknown variable", fmt.Sprintf("The workspace has no variable %s.", printable(a.Name)), hintNearest(a.Name, d.variableNames()))
		}
		return
	}
	value, ok := u.scope.value(a.Expr, LaunchSide)
	if ok {
		v.given, ok = d.conform(v, value)
	}
	v.wrong = v.wrong || !ok
}

func (d *decoder) variableNames() []string { return slices.Sorted(maps.Keys(d.scope.vars)) }

// give takes a value that the caller was given.
func (d *decoder) give(g Given) {
	v := d.scope.vars[g.Name]
	if v == nil {
		if !g.Loose {
			d.report(d.top, "Unknown variable", fmt.Sprintf("The workspace has no variable %s, for which %s gives a value.", printable(g.Name), g.From), hintNearest(g.Name, d.variableNames()))
		}
		return
	}
	value, ok := parseGiven(g.Value, v.typ)
	if !ok {
		v.wrong = true
		d.report(v.header, "Wrong value", fmt.Sprintf("The value that %s gives for the variable %s is not a %s%s.", g.From, printable(g.Name), v.spelled(), literalForms[v.spelled()]), "")
		return
	}
	v.given = value
}

// literalForms say how a value is given that is more than a text.
var literalForms = map[string]string{
	"list(string)": `, such as ["a", "b"]`,
	"map(string)":  `, such as { a = "b" }`,
}

// parseGiven reads a value that has no quotes around it.
func parseGiven(text string, t cty.Type) (cty.Value, bool) {
	switch {
	case hasNUL(text):
		return cty.NilVal, false
	case t == cty.String:
		return cty.StringVal(text), true
	case t == cty.Bool:
		return cty.BoolVal(text == "true"), text == "true" || text == "false"
	case t == cty.Number:
		if !bareRE().MatchString(text) || !modest([]byte(text)) {
			return cty.NilVal, false
		}
		value, err := cty.ParseNumberVal(text)
		return value, err == nil
	}
	return parseLiteral(text, t)
}

// parseLiteral reads a list or a map whose elements are strings.
func parseLiteral(text string, t cty.Type) (cty.Value, bool) {
	tokens, diags := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() || checkTokens(tokens, limits) != nil {
		return cty.NilVal, false
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.NilVal, false
	}
	switch expr.(type) {
	case *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr:
	default:
		return cty.NilVal, false
	}
	if len(expr.Variables()) > 0 || !cheap(expr) {
		return cty.NilVal, false
	}
	value, diags := expr.Value(nil)
	if diags.HasErrors() || !value.IsWhollyKnown() {
		return cty.NilVal, false
	}
	for it := value.ElementIterator(); it.Next(); {
		if _, e := it.Element(); e.IsNull() || e.Type() != cty.String {
			return cty.NilVal, false
		}
	}
	value, err := convert.Convert(value, t)
	_, ok := size(value)
	return value, err == nil && ok
}

// cheap tells whether an expression repeats nothing.
func cheap(expr hclsyntax.Expression) bool {
	for _, child := range children(expr) {
		switch child.(type) {
		case *hclsyntax.ForExpr, *hclsyntax.SplatExpr:
			return false
		}
		if !cheap(child) {
			return false
		}
	}
	return true
}
