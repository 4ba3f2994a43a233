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
