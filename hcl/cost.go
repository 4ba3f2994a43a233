package hcl

import (
	"fmt"
	"math"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// Evaluation has no budget of its own: forty locals that each repeat the one
// before twice make a terabyte. So what an expression can cost is bounded
// before it is evaluated, from the sizes of what it refers to. A spec is
// evaluated before anybody has approved it.
const (
	maxLocal = 1 << 16 // size of one local
	maxCost  = 1e7     // elements and bytes that one expression may touch
	maxSpent = 1e8     // and all of them together
	maxLoops = 3       // for expressions inside each other
)

// affordable reports an expression that could cost too much.
func (s *scope) affordable(expr hcl.Expression) bool {
	total := 0.0
	for _, t := range s.templates(expr) {
		e := estimate{scope: s}
		total += e.of(t, nil).work
	}
	s.spent += total
	if total > maxCost || s.spent > maxSpent {
		s.report(expr.Range(), "Expression too large", "Evaluating this could take too long or too much memory.", "use smaller lists, or fewer for expressions inside each other")
		return false
	}
	return true
}

// small reports a local whose value is too large to be used again, or that Nix
// could not read.
func (s *scope) small(l *local) bool {
	n, ok := size(l.value.value)
	switch {
	case !ok:
		s.report(l.expr.Range(), "NUL in value", "No value may have a NUL in it.", "")
	case n > maxLocal:
		ok = false
		s.report(l.expr.Range(), "Local too large", fmt.Sprintf("The value of a local may have %d elements and bytes.", maxLocal), "")
	}
	l.size = n
	return ok
}

// size counts the bytes and elements of a value. It is not ok if a string has a
// NUL.
func size(v cty.Value) (n float64, ok bool) {
	ok = true
	err := cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		n++
		switch {
		case v.IsNull() || !v.IsKnown():
		case v.Type() == cty.String:
			n += float64(len(v.AsString()))
			ok = ok && !hasNUL(v.AsString())
		case v.Type() == cty.Number:
			n += math.Abs(float64(v.AsBigFloat().MantExp(nil)))
		}
		return true, nil
	})
	return n, ok && err == nil
}

// cost is a bound on the size of a value and on the work to make it.
type cost struct{ size, work float64 }

func (c cost) plus(d cost) cost { return cost{c.size + d.size, c.work + d.work} }

// bound is the size of a variable of a for expression.
type bound struct {
	name  string
	size  float64
	outer *bound
	depth int
}

func (b *bound) find(name string) (float64, bool) {
	for ; b != nil; b = b.outer {
		if b.name == name {
			return b.size, true
		}
	}
	return 0, false
}

type estimate struct{ scope *scope }

// machine is the size of home and the like.
const machine = 4096

// of bounds the cost of an expression where the variables in b have values.
func (e estimate) of(expr hclsyntax.Expression, b *bound) cost {
	switch x := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		n, _ := size(x.Val)
		return cost{n, 1}
	case *hclsyntax.ScopeTraversalExpr:
		return cost{e.variable(x.Traversal, b), 1}
	case *hclsyntax.FunctionCallExpr:
		return e.call(x, b)
	case *hclsyntax.ForExpr:
		return e.loop(x, b)
	case *hclsyntax.SplatExpr:
		source, each := e.of(x.Source, b), e.of(x.Each, b)
		return cost{source.size + each.work, source.work + source.size*each.work}
	}
	total := cost{1, 1}
	for _, child := range children(expr) {
		total = total.plus(e.of(child, b))
	}
	total.work = max(total.work, total.size)
	return total
}

// children are the expressions directly in expr. Those that of handles itself
// have none here.
func children(expr hclsyntax.Expression) []hclsyntax.Expression {
	switch x := expr.(type) {
	case *hclsyntax.ParenthesesExpr:
		return []hclsyntax.Expression{x.Expression}
	case *hclsyntax.TemplateExpr:
		return x.Parts
	case *hclsyntax.TemplateWrapExpr:
		return []hclsyntax.Expression{x.Wrapped}
	case *hclsyntax.TemplateJoinExpr:
		return []hclsyntax.Expression{x.Tuple}
	case *hclsyntax.ConditionalExpr:
		return []hclsyntax.Expression{x.Condition, x.TrueResult, x.FalseResult}
	case *hclsyntax.BinaryOpExpr:
		return []hclsyntax.Expression{x.LHS, x.RHS}
	case *hclsyntax.UnaryOpExpr:
		return []hclsyntax.Expression{x.Val}
	case *hclsyntax.IndexExpr:
		return []hclsyntax.Expression{x.Collection, x.Key}
	case *hclsyntax.RelativeTraversalExpr:
		return []hclsyntax.Expression{x.Source}
	case *hclsyntax.TupleConsExpr:
		return x.Exprs
	case *hclsyntax.ObjectConsKeyExpr:
		return []hclsyntax.Expression{x.Wrapped}
	case *hclsyntax.ObjectConsExpr:
		var all []hclsyntax.Expression
		for _, item := range x.Items {
			all = append(all, item.KeyExpr, item.ValueExpr)
		}
		return all
	}
	return nil
}

func (e estimate) variable(t hcl.Traversal, b *bound) float64 {
	if n, ok := b.find(t.RootName()); ok {
		return n
	}
	if l, ok := e.scope.locals[member(t)]; ok && t.RootName() == "local" {
		return l.size
	}
	if v, ok := e.scope.vars[member(t)]; ok && t.RootName() == "var" {
		return v.size
	}
	return machine
}

// growing are the functions whose result may be as large as the product of
// their arguments, or that compare every element with every other.
var growing = map[string]bool{
	"distinct": true, "format": true, "formatlist": true, "join": true, "regex": true, "regexall": true, "regexreplace": true, "replace": true,
	"setintersection": true, "setsubtract": true, "setunion": true, "title": true,
}

func (e estimate) call(x *hclsyntax.FunctionCallExpr, b *bound) cost {
	total := cost{8, 8}
	for _, arg := range x.Args {
		total = total.plus(e.of(arg, b))
	}
	switch {
	case x.Name == "range":
		total.size += 1024 // all that stdlib's range makes
	case growing[x.Name]:
		total.size *= total.size
	case x.Name == "jsonencode":
		total.size *= 6 // \u0000 for a byte
	}
	total.work += total.size
	return total
}

// loop bounds a for expression: the body once for each element, with elements
// that together are as large as the collection. The cost of the body grows at
// least as fast as its element, so it is largest where one element is all.
func (e estimate) loop(x *hclsyntax.ForExpr, b *bound) cost {
	depth := 1
	if b != nil {
		depth = b.depth + 1
	}
	if depth > maxLoops {
		return cost{math.Inf(1), math.Inf(1)}
	}
	coll := e.of(x.CollExpr, b)
	body := func(n float64) cost {
		inner := &bound{name: x.ValVar, size: n, depth: depth, outer: b}
		if x.KeyVar != "" {
			inner = &bound{name: x.KeyVar, size: n, depth: depth, outer: inner}
		}
		total := e.of(x.ValExpr, inner)
		for _, part := range []hclsyntax.Expression{x.KeyExpr, x.CondExpr} {
			if part != nil {
				total = total.plus(e.of(part, inner))
			}
		}
		return total
	}
	least, most := body(1), body(coll.size)
	return cost{
		size: coll.size*least.size + most.size,
		work: coll.work + coll.size*least.work + most.work,
	}
}
