package hcl

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
)

// scopes gathers what expressions may refer to before any is evaluated. There
// are two: the locals of the spec and its includes are one set, of which the
// later file replaces the earlier; those of the user's own files are another, so
// that neither changes what the other means.
func (d *decoder) scopes(units []*sourceFile, blocks []*block) {
	own := newScope(d)
	d.scope = newScope(d)
	for _, u := range units {
		if u.scope = d.scope; u.Role.private() {
			u.scope = own
		}
		for _, b := range u.named("locals") {
			for name, a := range b.attrs {
				u.scope.locals[name] = &local{expr: a.Expr}
			}
		}
	}
	for _, b := range blocks {
		if b.schema.Name == "workspace" {
			d.scope.name, own.name = b.label.Value, b.label.Value
		}
	}
	d.scope.vars = d.declared(blocks)
	d.values(units)
	own.vars = d.scope.vars
	for _, u := range units {
		for _, b := range u.named("locals") {
			d.locals(u.scope, b)
		}
	}
}

// newScope is a scope without locals and variables.
func newScope(d *decoder) *scope {
	s := &scope{
		report: d.report,
		append: func(diags hcl.Diagnostics) { d.diags = append(d.diags, diags...) },
		dir:    d.dir,
		locals: map[string]*local{},
		vars:   map[string]*variable{},

		contexts: map[string]*hcl.EvalContext{},

		templates: d.templates,
	}
	if filepath.IsAbs(d.o.Home) {
		s.home = filepath.Clean(d.o.Home)
	}
	return s
}

// locals evaluates every local of a block, so that one that is wrong is reported
// even where nothing refers to it.
func (d *decoder) locals(s *scope, b *block) {
	for _, a := range sorted(b.attrs) {
		if !d.meta(a.Name, a.NameRange) {
			s.resolve(s.locals[a.Name])
		}
	}
}
