package hcl

import (
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
)

// newScope gathers what expressions may refer to before any is evaluated.
func newScope(d *decoder, blocks []*block) *scope {
	s := &scope{
		report: d.report,
		append: func(diags hcl.Diagnostics) { d.diags = append(d.diags, diags...) },
		dir:    d.dir,
		locals: map[string]*local{},

		templates: d.templates,
	}
	if filepath.IsAbs(d.o.Home) {
		s.home = filepath.Clean(d.o.Home)
	}
	for _, b := range blocks {
		switch b.schema.Name {
		case "workspace":
			s.name = b.label.Value
		case "locals":
			for name, a := range b.attrs {
				s.locals[name] = &local{expr: a.Expr}
			}
		}
	}
	return s
}

// decodeLocalsBlock evaluates every local, so that one that is wrong is
// reported even where nothing refers to it.
func (d *decoder) decodeLocalsBlock(b *block) {
	for _, a := range sorted(b.attrs) {
		if d.meta(a.Name, a.NameRange) {
			continue
		}
		d.scope.resolve(d.scope.locals[a.Name])
	}
}
