package hcl

import (
	"fmt"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type sourceConfig struct {
	name  field[string]
	pkg   field[packageName]
	input field[string] // whose whole tree it is

	attribute field[[]string]
	patched   field[bool]
}

func (d *decoder) decodeSourceBlock(b *block) sourceConfig {
	c := sourceConfig{
		name:      d.name(b),
		pkg:       derive(d.str(b, "package"), d.packageName),
		input:     d.str(b, "input"),
		attribute: derive(d.str(b, "attribute"), d.attributePath),
		patched:   d.boolean(b, "patched"),
	}
	tree := `A whole input is a tree as it is: it has no attribute that is a source, and no patches.`
	switch {
	case c.input.Set && c.attribute.Set:
		d.report(c.attribute.Range, "Contradiction", tree, "leave out attribute, or name a package instead of an input")
	case c.input.Set && c.patched.Value:
		d.report(c.patched.Range, "Contradiction", tree, "leave out patched, or name a package instead of an input")
	case c.attribute.Set && c.patched.Value:
		d.report(c.patched.Range, "Contradiction", "The patches of a package are for what it is built from, not for another attribute.", "leave out patched, or attribute")
	}
	switch {
	case c.input.Set && c.pkg.Set:
		d.report(c.input.Range, "Contradiction", "A source is either a package or a whole input.", fmt.Sprintf("leave one out, or write package = %q", c.input.Value+"#"+c.pkg.Value.written))
	case !c.input.Set && !c.pkg.Set && c.name.OK:
		name := c.name.Value
		c.pkg = field[packageName]{Value: packageName{written: name, path: []string{name}}, Range: c.name.Range, OK: true}
	}
	return c
}

// attributePath reads an attribute path that is below something.
func (d *decoder) attributePath(written string, r hcl.Range) ([]string, bool) {
	path, err := splitPath(written)
	if err != nil {
		d.report(r, "Invalid attribute path", fmt.Sprintf("%q: %s", written, err), "")
	}
	return path, err == nil
}

type sourceSetConfig struct {
	of     field[workspace.SourceSet]
	header hcl.Range
}

func (d *decoder) decodeSourceSetBlock(b *block) sourceSetConfig {
	return sourceSetConfig{header: b.header, of: derive(d.str(b, "of"), func(s string, r hcl.Range) (workspace.SourceSet, bool) {
		return workspace.SourceSet(s), d.oneOf(s, r, string(workspace.SourcesOfPackages), string(workspace.SourcesOfRuntime), string(workspace.SourcesOfBuild))
	})}
}
