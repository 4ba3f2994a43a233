package hcl

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type agentConfig struct {
	name    field[string]
	program field[string]
	args    []field[string]
	private bool // only user files have it
}

func (d *decoder) decodeAgentBlock(b *block) agentConfig {
	c := agentConfig{name: d.name(b), args: d.strs(b, "args")}
	if preset, pkg := d.str(b, "preset"), d.str(b, "package"); preset.OK || pkg.OK {
		derive(preset, d.preset)
		derive(pkg, d.agentPackage)
		return c
	}
	c.program = derive(d.str(b, "program"), d.program)
	return c
}

// preset refuses a preset with the line that is written instead.
func (d *decoder) preset(name string, r hcl.Range) (string, bool) {
	programs := workspace.Presets()
	if d.oneOf(name, r, slices.Sorted(maps.Keys(programs))...) {
		d.later(r, "Attribute not supported", "attribute", "preset", fmt.Sprintf("write program = %q, and add its package to packages", programs[name]))
	}
	return "", false
}

// agentPackage refuses the package of an agent in the same way.
func (d *decoder) agentPackage(written string, r hcl.Range) (string, bool) {
	if p, ok := d.packageName(written, r); ok {
		d.later(r, "Attribute not supported", "attribute", "package", fmt.Sprintf("add %q to packages, and write program = %q", p.written, p.path[len(p.path)-1]))
	}
	return "", false
}

// program checks a name that is looked up inside, or an absolute path inside. A
// relative path would depend on what the agent has written.
func (d *decoder) program(p string, r hcl.Range) (string, bool) {
	bare := !strings.Contains(p, "/") && p != "" && p != "." && p != ".." && !strings.HasPrefix(p, "-")
	if hasControl(p) || !bare && (!path.IsAbs(p) || path.Clean(p) != p || p == "/") {
		d.report(r, "Invalid program", fmt.Sprintf("The program %q is neither a name to look up in the environment nor an absolute path inside.", p), "")
		return "", false
	}
	return p, true
}

type environmentConfig struct {
	from   field[workspace.Base]
	base   field[bool]
	loader field[bool]
	set    []pair
	pass   []field[string]

	libraries []field[packageName]
	store     field[string]
}

func (d *decoder) decodeEnvironmentBlock(b *block) environmentConfig {
	c := environmentConfig{
		from: derive(d.str(b, "from"), func(s string, r hcl.Range) (workspace.Base, bool) {
			return workspace.Base(s), d.oneOf(s, r, string(workspace.FromNix), string(workspace.FromHost))
		}),
		base:   d.boolean(b, "base"),
		loader: d.boolean(b, "loader"),
		pass:   deriveAll(d.strs(b, "pass"), d.variable),

		libraries: deriveAll(d.strs(b, "libraries"), d.packageName),
		store: derive(d.str(b, "store"), func(s string, r hcl.Range) (string, bool) {
			return s, d.oneOf(s, r, storeClosure, storeAll)
		}),
	}
	for _, p := range d.pairs(b, "set") {
		if _, ok := d.variable(p.Key.Value, p.Key.Range); ok {
			c.set = append(c.set, p)
		}
	}
	return c
}

// The values of environment.store.
const (
	storeClosure = "closure"
	storeAll     = "all"
)

// variable checks the name of an environment variable.
func (d *decoder) variable(name string, r hcl.Range) (string, bool) {
	if !variableRE().MatchString(name) {
		d.report(r, "Invalid variable name", fmt.Sprintf("%q is not the name of an environment variable.", name), "")
		return "", false
	}
	if why := decided(name); why != "" {
		d.report(r, "Variable not yours to set", fmt.Sprintf("agentenv decides %s itself: %s.", name, why), "")
		return "", false
	}
	return name, true
}
