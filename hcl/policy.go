package hcl

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
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
