package hcl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// scope is what expressions may refer to. It holds the two sides apart: an
// expression of the environment side that refers to this machine, directly or
// through a local, is an error, since what is generated is the same everywhere.
type scope struct {
	report func(r hcl.Range, summary, detail, hint string)
	append func(hcl.Diagnostics)
	name   string // workspace.name
	dir    string // workspace.dir
	home   string // "" when it is not known
	locals map[string]*local
	vars   map[string]*variable
	spent  float64 // see affordable

	contexts map[string]*hcl.EvalContext // by side and locals

	templates func(hcl.Expression) []hclsyntax.Expression
}

// local is one attribute of the locals block.
type local struct {
	expr  hcl.Expression
	state localState
	side  Side // LaunchSide when it refers to this machine
	value located
	fixed cty.Value // what the environment side sees: variables have their defaults
	size  float64   // see size

	varies bool // refers to a variable
}

type localState int

const (
	localWaiting localState = iota
	localRunning            // being evaluated: a reference to it is a cycle
	localDone
	localWrong // reported; what refers to it is silently wrong too
)

// value evaluates expr on a side. What is wrong is reported; of a list that is
// written out, what is wrong in each element.
func (s *scope) value(expr hcl.Expression, side Side) (located, bool) {
	list, diags := hcl.ExprList(expr)
	if diags.HasErrors() {
		return s.single(expr, side)
	}
	values, ok := make([]cty.Value, len(list)), true
	for i, e := range list {
		v, good := s.value(e, side)
		values[i], ok = v.value, ok && good
	}
	if !ok {
		return located{}, false
	}
	return located{value: cty.TupleVal(values), rng: expr.Range(), expr: expr}, true
}

func (s *scope) single(expr hcl.Expression, side Side) (located, bool) {
	refs, ok := s.references(expr, side)
	if !ok {
		return located{}, false
	}
	if !s.affordable(expr) {
		return located{}, false
	}
	value, diags := expr.Value(s.context(refs, side))
	s.append(diags)
	if diags.HasErrors() {
		return located{}, false
	}
	if !value.IsWhollyKnown() {
		s.report(expr.Range(), "Wrong value", "This has no value that is known.", "")
		return located{}, false
	}
	return located{value: value, rng: expr.Range(), expr: expr}, true
}

// refs are the names that an expression refers to.
type refs struct {
	locals []string
	vars   []string
	launch bool // refers to this machine
	varies bool // refers to a variable, by itself or through a local
}

// references checks every name in expr.
func (s *scope) references(expr hcl.Expression, side Side) (refs, bool) {
	var found refs
	ok := true
	for _, t := range expr.Variables() {
		r, good := s.reference(t, side)
		found.locals = append(found.locals, r.locals...)
		found.vars = append(found.vars, r.vars...)
		found.launch = found.launch || r.launch
		found.varies = found.varies || r.varies
		ok = ok && good
	}
	return found, ok
}

func (s *scope) reference(t hcl.Traversal, side Side) (refs, bool) {
	member := member(t)
	switch t.RootName() {
	case "workspace":
		return s.workspace(t, member, side)
	case "home":
		if s.home == "" {
			s.report(t.SourceRange(), "Home not known", "HOME is not set to an absolute path.", "")
			return refs{}, false
		}
		return refs{launch: true}, s.launchOnly(t, side)
	case "local":
		return s.local(t, member, side)
	case "var":
		return s.variable(t, member, side)
	}
	hint := ""
	if near := nearest(t.RootName(), []string{"home", "local", "var", "workspace"}); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	s.report(t.SourceRange(), "Unknown name", fmt.Sprintf("There is no %s. Expressions may use workspace.name, local and var, and on the launch side home and workspace.dir.", printable(t.RootName())), hint)
	return refs{}, false
}

// member is the name after the root: x in local.x; "" if there is none.
func member(t hcl.Traversal) string {
	if len(t) < 2 {
		return ""
	}
	switch step := t[1].(type) {
	case hcl.TraverseAttr:
		return step.Name
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String {
			return step.Key.AsString()
		}
	}
	return ""
}

func (s *scope) workspace(t hcl.Traversal, member string, side Side) (refs, bool) {
	switch member {
	case "name":
		return refs{}, true
	case "dir":
		return refs{launch: true}, s.launchOnly(t, side)
	}
	s.report(t.SourceRange(), "Unknown name", "A workspace has a name and a dir.", "write workspace.name or workspace.dir")
	return refs{}, false
}

func (s *scope) launchOnly(t hcl.Traversal, side Side) bool {
	if side == EnvironmentSide {
		s.report(t.SourceRange(), "Not on the environment side",
			"This attribute reaches what is generated, which is the same on every machine, and so it cannot refer to this machine.", "use literals, workspace.name, or locals that are made of them")
		return false
	}
	return true
}

func (s *scope) local(t hcl.Traversal, member string, side Side) (refs, bool) {
	l, known := s.locals[member]
	switch {
	case member == "":
		s.report(t.SourceRange(), "Unknown name", "A reference to a local names one.", "write local.NAME")
		return refs{}, false
	case !known:
		hint := ""
		if near := nearest(member, keys(s.locals)); near != "" {
			hint = fmt.Sprintf("did you mean local.%s?", near)
		}
		s.report(t.SourceRange(), "Unknown name", fmt.Sprintf("There is no local %s.", printable(member)), hint)
		return refs{}, false
	case l.state == localRunning:
		s.report(t.SourceRange(), "Cycle of locals", fmt.Sprintf("The value of the local %s depends on itself.", printable(member)), "")
		return refs{}, false
	}
	s.resolve(l)
	if l.state == localWrong {
		return refs{}, false
	}
	found := refs{locals: []string{member}, launch: l.side == LaunchSide, varies: l.varies}
	return found, !found.launch || s.launchOnly(t, side)
}

// resolve evaluates a local and what it refers to. Its side is that of what it
// refers to.
func (s *scope) resolve(l *local) {
	if l.state != localWaiting {
		return
	}
	l.state = localRunning
	found, ok := s.references(l.expr, LaunchSide)
	if ok {
		l.value, ok = s.value(l.expr, LaunchSide)
	}
	l.side, l.varies = EnvironmentSide, found.varies
	if found.launch {
		l.side = LaunchSide
	}
	if l.fixed = l.value.value; ok && l.varies && !found.launch {
		var fixed located
		fixed, ok = s.value(l.expr, EnvironmentSide)
		l.fixed = fixed.value
	}
	l.state = localWrong
	if ok && s.small(l) {
		l.state = localDone
	}
}

// context is what an expression may see. Most refer to the same few locals, so
// it is kept; variables, which are given in the course of loading, are not.
func (s *scope) context(r refs, side Side) *hcl.EvalContext {
	if len(r.vars) > 0 {
		return s.newContext(r, side)
	}
	key := string(side) + " " + strings.Join(r.locals, " ")
	ctx := s.contexts[key]
	if ctx == nil {
		ctx = s.newContext(r, side)
		s.contexts[key] = ctx
	}
	return ctx
}

// newContext holds only what an expression refers to: locals may be large.
func (s *scope) newContext(r refs, side Side) *hcl.EvalContext {
	variables := map[string]cty.Value{
		"workspace": cty.ObjectVal(map[string]cty.Value{"name": cty.StringVal(s.name), "dir": cty.StringVal(s.dir)}),
		"home":      cty.StringVal(s.home),
	}
	if len(r.locals) > 0 {
		locals := map[string]cty.Value{}
		for _, name := range r.locals {
			locals[name] = s.locals[name].on(side)
		}
		variables["local"] = cty.ObjectVal(locals)
	}
	if len(r.vars) > 0 {
		vars := map[string]cty.Value{}
		for _, name := range r.vars {
			vars[name] = s.vars[name].value(side)
		}
		variables["var"] = cty.ObjectVal(vars)
	}
	return &hcl.EvalContext{Variables: variables, Functions: functions}
}

// on is what a local is on a side.
func (l *local) on(side Side) cty.Value {
	if side == EnvironmentSide {
		return l.fixed
	}
	return l.value.value
}

func keys(m map[string]*local) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
