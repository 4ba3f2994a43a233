package hcl

import (
	"fmt"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

// checker holds what values are checked against: each other, and the disk.
type checker struct {
	cfg   *config
	disk  *disk
	diags hcl.Diagnostics
}

func (c *checker) report(r hcl.Range, summary, detail, hint string) {
	c.diags = append(c.diags, problem(r, summary, detail, hint))
}

// check finds what is wrong between values that are right by themselves.
func check(cfg *config, o Options) hcl.Diagnostics {
	c := &checker{cfg: cfg, disk: newDisk(o)}
	c.inputs()
	c.base()
	c.variables()
	c.grants()
	return c.diags
}

// inputs checks that every input that is named is declared.
func (c *checker) inputs() {
	declared := map[string]bool{"nixpkgs": true}
	flakes := map[string]bool{"": true}
	var names []string
	for _, in := range c.cfg.inputs {
		declared[in.label] = true
		flakes[in.label] = in.flake.Value || !in.flake.OK
		names = append(names, in.label)
	}
	undeclared := func(name string, r hcl.Range) {
		hint := hintNearest(name, names)
		if hint == "" {
			hint = fmt.Sprintf("add input %q { url = … }", name)
		}
		c.report(r, "Undeclared input", fmt.Sprintf("There is no input %s.", printable(name)), hint)
	}
	pkg := func(p field[packageName]) {
		isFlake, known := flakes[p.Value.input]
		switch {
		case !p.OK:
		case !known:
			undeclared(p.Value.input, p.Range)
		case !isFlake:
			c.report(p.Range, "Input without packages", fmt.Sprintf("The input %s is a plain tree, since its flake is false.", p.Value.input), fmt.Sprintf("show its files with source %q { input = %q }", p.Value.input, p.Value.input))
		}
	}
	for _, p := range c.cfg.packages {
		pkg(p)
	}
	for _, s := range c.cfg.sources {
		pkg(s.pkg)
		if s.input.Set && s.input.OK && !declared[s.input.Value] {
			undeclared(s.input.Value, s.input.Range)
		}
	}
	for _, in := range c.cfg.inputs {
		c.follows(in, declared, undeclared)
	}
}

// follows checks the targets of an input's follows. The empty target takes the
// input away, which Nix has a use for.
func (c *checker) follows(in inputConfig, declared map[string]bool, undeclared func(string, hcl.Range)) {
	if len(in.follows) > 0 && in.flake.OK && !in.flake.Value {
		c.report(in.follows[0].Key.Range, "Contradiction", "A plain tree has no inputs that could follow others.", "leave out follows, or flake = false")
		return
	}
	for _, p := range in.follows {
		switch target := p.Value.Value; {
		case target == "":
		case target == in.label:
			c.report(p.Value.Range, "Contradiction", "An input of an input cannot follow the input itself.", "")
		case !declared[target]:
			undeclared(target, p.Value.Range)
		}
	}
}

// base refuses what only a Nix environment can give where there is none.
func (c *checker) base() {
	if c.cfg.environment.from.Value != workspace.FromHost {
		return
	}
	detail := `With environment.from = "host" nothing is built, so there is nothing that this could come from.`
	for _, p := range c.cfg.packages {
		c.report(p.Range, "Needs a Nix environment", detail, "leave it out, or leave out environment.from")
	}
	for _, s := range c.cfg.sources {
		c.report(s.name.Range, "Needs a Nix environment", detail, "leave it out, or leave out environment.from")
	}
}

// variables refuses a name that is both set and passed.
func (c *checker) variables() {
	set := map[string]hcl.Range{}
	for _, p := range c.cfg.environment.set {
		set[p.Key.Value] = p.Key.Range
	}
	for _, name := range c.cfg.environment.pass {
		if at, ok := set[name.Value]; ok {
			c.report(name.Range, "Contradiction", fmt.Sprintf("The variable %s is passed here and set at %s:%d:%d.", name.Value, at.Filename, at.Start.Line, at.Start.Column), "keep one of them")
		}
	}
}
