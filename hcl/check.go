package hcl

import (
	"fmt"
	"slices"
	"strings"

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
	c.packages()
	c.sourceSets()
	c.base()
	c.exceptions()
	c.commits()
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
	for _, p := range c.cfg.allPackages() {
		pkg(p)
	}
	for _, o := range c.cfg.nixpkgs.overlays {
		if isFlake, known := flakes[o.Value.input]; !known {
			undeclared(o.Value.input, o.Range)
		} else if !isFlake {
			c.report(o.Range, "Input without overlays", fmt.Sprintf("The input %s is a plain tree, since its flake is false.", o.Value.input), "")
		}
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

// allPackages are the packages of the environment, however they are written.
func (c *config) allPackages() []field[packageName] {
	all := slices.Concat(c.packages, c.environment.libraries)
	for _, w := range c.withs {
		all = append(all, w.pkg)
	}
	return all
}

// packages refuses a package that has a block and is written elsewhere too:
// nobody could tell which of them is meant. A library may have one.
func (c *checker) packages() {
	blocks := map[string]hcl.Range{}
	twice := func(p field[packageName]) bool {
		at, again := blocks[p.Value.key()]
		if again && p.OK {
			c.report(p.Range, "Duplicate package", fmt.Sprintf("The package %s stands here and has a block at %s:%d:%d.", printable(p.Value.written), at.Filename, at.Start.Line, at.Start.Column), "keep one of them")
		}
		return again
	}
	for _, w := range c.cfg.withs {
		if w.pkg.OK && !twice(w.pkg) {
			blocks[w.pkg.Value.key()] = w.pkg.Range
		}
	}
	for _, p := range c.cfg.packages {
		twice(p)
	}
}

// sourceSets refuses the same set twice.
func (c *checker) sourceSets() {
	first := map[workspace.SourceSet]hcl.Range{}
	for _, s := range c.cfg.sourceSets {
		at, again := first[s.of.Value]
		switch {
		case !s.of.OK:
		case again:
			c.report(s.of.Range, "Duplicate block", fmt.Sprintf("The source set %s stands here and at %s:%d:%d.", s.of.Value, at.Filename, at.Start.Line, at.Start.Column), "keep one of them")
		default:
			first[s.of.Value] = s.of.Range
		}
	}
}

// exceptions refuses what no match of a checkout's glob can be: it would be
// shown all the same.
func (c *checker) exceptions() {
	for _, co := range c.cfg.checkouts {
		for _, e := range co.except {
			switch {
			case !co.path.OK:
			case !isGlob(co.path.Value):
				c.report(e.Range, "Exception to nothing", "Without a glob in path, there is one tree and nothing that could be excepted.", "hide names in the tree with hide")
			case strings.Count(e.Value, "/") != strings.Count(co.path.Value, "/"):
				c.report(e.Range, "Exception to nothing", fmt.Sprintf("%s is on another level than what %s matches, so it excepts nothing.", e.Value, co.path.Value), "except whole trees, and hide names in them with hide")
			}
		}
	}
}

// commits refuses commits in direct mode, where the repository is the human's.
func (c *checker) commits() {
	commit := c.cfg.git.commit
	if commit.OK && commit.Value == unsignedCommits && c.cfg.project.mode.Value == workspace.ModeDirect {
		c.report(commit.Range, "Contradiction", "In direct mode the repository is yours and read-only.", `write commit = "forbidden", or leave it out`)
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
	var built []hcl.Range
	for _, p := range c.cfg.allPackages() {
		built = append(built, p.Range)
	}
	for _, s := range c.cfg.sources {
		built = append(built, s.name.Range)
	}
	for _, s := range c.cfg.sourceSets {
		built = append(built, s.header)
	}
	for _, r := range built {
		c.report(r, "Needs a Nix environment", `With environment.from = "host" nothing is built, so there is nothing that this could come from.`, "leave it out, or leave out environment.from")
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
