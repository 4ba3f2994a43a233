package hcl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// policyText is the launch side as it was written, in HCL's form as JSON: a
// string is a template, and an expression that is more than literals is one
// interpolation. So what agentenv.json holds names no machine's paths, comments
// and layout do not show in it, and Load reads it back, with a workspace block
// added. What includes say is merged into it; what user files say is not in it.
//
// Agents are a list, since their order counts and that of JSON's keys does not.
func (d *decoder) policyText(blocks []*block) map[string]any {
	w := &policyWriter{decoder: d, text: map[string]any{}, locals: map[string]any{}, vars: map[string]bool{}}
	for _, b := range blocks {
		layers := b.parts()
		attrs := map[string]any{}
		for i := range b.schema.Attributes {
			if row := &b.schema.Attributes[i]; row.Side == LaunchSide {
				if value := w.attribute(layers, row); value != nil {
					attrs[row.Name] = value
				}
			}
		}
		if len(attrs) > 0 {
			b.addText(w.text, attrs)
		}
	}
	if len(w.locals) > 0 {
		w.text["locals"] = w.locals
	}
	if len(w.vars) > 0 {
		w.text["variable"] = w.variables()
	}
	return w.text
}

// policyWriter writes the text of the policy.
type policyWriter struct {
	*decoder
	text   map[string]any
	locals map[string]any  // that the text refers to
	vars   map[string]bool // the same
}

// attribute is the text of what the layers say together; nil for nothing.
func (w *policyWriter) attribute(layers []*block, row *Attribute) any {
	layers = slices.DeleteFunc(slices.Clone(layers), func(l *block) bool { return l.attrs[row.Name] == nil })
	switch len(layers) {
	case 0:
		return nil
	case 1:
		return w.expression(layers[0].attrs[row.Name].Expr)
	}
	v, ok := w.combine(layers, row)
	switch {
	case !ok || v.none():
		return nil
	case !v.summed && v.expr != nil:
		return w.expression(v.expr)
	case row.Type == Map:
		return w.mapText(layers, row, v)
	}
	return w.listText(layers, row, v)
}

// listText is the elements that are left, or, where some were computed, an
// expression that computes them again.
func (w *policyWriter) listText(layers []*block, row *Attribute, v located) any {
	list := []any{}
	for _, item := range v.elements() {
		if item.expr == nil {
			return w.folded(layers, row, "concat(%s, %s)", "[for x in %s : x if !contains(%s, x)]")
		}
		list = append(list, w.expression(item.expr))
	}
	return list
}

func (w *policyWriter) mapText(layers []*block, row *Attribute, v located) any {
	m := map[string]any{}
	for _, e := range v.entries() {
		if e.value.expr == nil {
			return w.folded(layers, row, "merge(%s, %s)", "{for k, x in %s : k => x if !contains(%s, k)}")
		}
		if !e.value.none() {
			m[escapeTemplate(e.key.Value)] = w.expression(e.value.expr)
		}
	}
	return m
}

// folded computes what the layers say together. Each becomes a local.
func (w *policyWriter) folded(layers []*block, row *Attribute, add, remove string) any {
	sum := ""
	for _, l := range layers {
		value := w.expression(l.attrs[row.Name].Expr)
		if value == nil {
			sum = ""
			continue
		}
		name := w.unused()
		w.locals[name] = value
		form := add
		if l.op == opRemove {
			form = remove
		}
		switch {
		case sum != "":
			sum = fmt.Sprintf(form, sum, "local."+name)
		case l.op != opRemove:
			sum = "local." + name
		}
	}
	if sum == "" {
		return nil
	}
	return interpolation(sum)
}

// unused is a name that no local has.
func (w *policyWriter) unused() string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("part%d", i)
		if w.locals[name] == nil && w.scope.locals[name] == nil {
			return name
		}
	}
}

// expression is the text of an expression, and notes what it refers to.
func (w *policyWriter) expression(expr hcl.Expression) any {
	text := w.jsonText(expr)
	if text == nil {
		return nil
	}
	for _, t := range expr.Variables() {
		switch name := member(t); t.RootName() {
		case "local":
			if _, seen := w.locals[name]; !seen {
				w.locals[name] = nil // a local may be null
				w.locals[name] = w.expression(w.scope.locals[name].expr)
			}
		case "var":
			w.vars[name] = true
		}
	}
	return text
}

// variables are those that the text refers to, without what they are for.
func (w *policyWriter) variables() map[string]any {
	all := map[string]any{}
	for name := range w.vars {
		v, text := w.scope.vars[name], map[string]any{}
		if v.typeText != "" {
			text["type"] = v.typeText
		}
		if v.expr != nil {
			text["default"] = w.jsonText(v.expr)
		}
		all[name] = text
	}
	return all
}

func (b *block) addText(text, attrs map[string]any) {
	name := b.schema.Name
	switch {
	case b.schema.Label == "":
		text[name] = attrs
	case name == "agent":
		list, _ := text[name].([]any)
		text[name] = append(list, map[string]any{b.label.Value: attrs})
	default:
		labelled, ok := text[name].(map[string]any)
		if !ok {
			labelled = map[string]any{}
			text[name] = labelled
		}
		labelled[b.label.Value] = attrs
	}
}

// jsonText is an expression in HCL's form as JSON.
func (d *decoder) jsonText(expr hcl.Expression) any {
	switch x := expr.(type) {
	case *hclsyntax.TemplateExpr:
		if s, ok := d.template(x); ok {
			return s
		}
	case *hclsyntax.LiteralValueExpr:
		if x.Val.IsNull() {
			return nil
		}
		if x.Val.Type() == cty.Bool {
			return x.Val.True()
		}
	case *hclsyntax.ParenthesesExpr:
		return d.jsonText(x.Expression)
	case *hclsyntax.TupleConsExpr:
		list := []any{}
		for _, e := range x.Exprs {
			list = append(list, d.jsonText(e))
		}
		return list
	case *hclsyntax.ObjectConsExpr:
		if m, ok := d.object(x); ok {
			return m
		}
	case hclsyntax.Expression: // an interpolation, below
	default:
		return d.rawJSON(expr.Range())
	}
	return interpolation(d.source(expr))
}

func interpolation(source string) string { return "${" + source + "}" }

// source is the text of an expression. A quoted template with one
// interpolation is that interpolation.
func (d *decoder) source(expr hcl.Expression) string {
	if wrap, ok := expr.(*hclsyntax.TemplateWrapExpr); ok {
		expr = wrap.Wrapped
	}
	return d.text(expr.Range())
}

// template writes a quoted template as the text of one. It does not where the
// parts do not show how they were written: a directive, or an interpolation
// that follows a dollar sign, which would become an escape.
func (d *decoder) template(t *hclsyntax.TemplateExpr) (string, bool) {
	var b strings.Builder
	literal := ""
	for _, part := range t.Parts {
		if l, ok := part.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String {
			literal += l.Val.AsString()
			continue
		}
		if strings.HasSuffix(literal, "$") || strings.HasSuffix(literal, "%") || !d.interpolated(part.Range()) {
			return "", false
		}
		b.WriteString(escapeTemplate(literal) + interpolation(d.source(part)))
		literal = ""
	}
	return b.String() + escapeTemplate(literal), true
}

// interpolated tells whether what stands in r was written as ${…}.
func (d *decoder) interpolated(r hcl.Range) bool {
	src := d.sources[r.Filename]
	if !r.CanSliceBytes(src) {
		return false
	}
	before := bytes.TrimRight(src[:r.Start.Byte], " \t\r\n")
	before = bytes.TrimSuffix(before, []byte("~"))
	return bytes.HasSuffix(before, []byte("${"))
}

// escapeTemplate makes text a template that has it as its value.
func escapeTemplate(text string) string {
	return templateEscapes.Replace(text)
}

var templateEscapes = strings.NewReplacer("${", "$${", "%{", "%%{")

// object writes a map. A computed key may become equal to another one, which
// JSON cannot hold, so such a map stays an expression.
func (d *decoder) object(x *hclsyntax.ObjectConsExpr) (map[string]any, bool) {
	m := map[string]any{}
	for _, item := range x.Items {
		key, diags := item.KeyExpr.Value(nil)
		if diags.HasErrors() || key.IsNull() || key.Type() != cty.String {
			return nil, false
		}
		name := escapeTemplate(key.AsString())
		if _, twice := m[name]; twice {
			return nil, false
		}
		m[name] = d.jsonText(item.ValueExpr)
	}
	return m, true
}

// rawJSON is an expression of a spec that is JSON. A number becomes an
// interpolation, as it does elsewhere: Nix 2.8 reads large ones wrongly.
func (d *decoder) rawJSON(r hcl.Range) any {
	dec := json.NewDecoder(strings.NewReader(d.text(r)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(fmt.Sprintf("hcl: an expression that was parsed is no JSON: %v", err))
	}
	return withoutNumbers(v)
}

func withoutNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return interpolation(v.String())
	case []any:
		for i := range v {
			v[i] = withoutNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = withoutNumbers(v[k])
		}
	}
	return v
}

// templates are the expressions in which something can happen: the expression
// itself, or, in JSON, every string and key that is a template.
func (d *decoder) templates(expr hcl.Expression) []hclsyntax.Expression {
	if native, ok := expr.(hclsyntax.Expression); ok {
		return []hclsyntax.Expression{native}
	}
	var out []hclsyntax.Expression
	for _, s := range jsonStrings(d.text(expr.Range())) {
		if t, diags := hclsyntax.ParseTemplate([]byte(s), "", hcl.InitialPos); !diags.HasErrors() {
			out = append(out, t)
		}
	}
	return out
}

// jsonStrings are the strings and keys of a JSON text, in its order.
func jsonStrings(text string) []string {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var out []string
	for {
		token, err := dec.Token()
		if err != nil {
			return slices.Clip(out)
		}
		if s, ok := token.(string); ok {
			out = append(out, s)
		}
	}
}
