package hcl

import (
	"fmt"
	"path"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type agentConfig struct {
	name    field[string]
	program field[string]
	args    []field[string]
}

func (d *decoder) decodeAgentBlock(b *block) agentConfig {
	return agentConfig{
		name:    d.name(b),
		program: derive(d.str(b, "program"), d.program),
		args:    d.strs(b, "args"),
	}
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
}

func (d *decoder) decodeEnvironmentBlock(b *block) environmentConfig {
	c := environmentConfig{
		from: derive(d.str(b, "from"), func(s string, r hcl.Range) (workspace.Base, bool) {
			return workspace.Base(s), d.oneOf(s, r, string(workspace.FromNix), string(workspace.FromHost))
		}),
		base:   d.boolean(b, "base"),
		loader: d.boolean(b, "loader"),
		pass:   deriveAll(d.strs(b, "pass"), d.variable),
	}
	for _, p := range d.pairs(b, "set") {
		if _, ok := d.variable(p.Key.Value, p.Key.Range); ok {
			c.set = append(c.set, p)
		}
	}
	return c
}

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
