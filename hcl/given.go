package hcl

import (
	"fmt"
	"maps"
	"slices"

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
