package hcl

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// resolve says what a checked spec means. It cannot fail.
func resolve(c *config) *workspace.Workspace {
	return &workspace.Workspace{
		Name:   c.workspace.name.Value,
		File:   c.file,
		Dir:    c.dir,
		Nix:    resolveNix(c),
		Policy: resolvePolicy(c),
	}
}

func resolveNix(c *config) workspace.Nix {
	n := workspace.Nix{
		Name:      c.workspace.name.Value,
		Systems:   set(c.workspace.systems),
		Out:       c.workspace.out.Value,
		Agentenv:  c.workspace.agentenv.Value,
		Nixpkgs:   workspace.Nixpkgs{Reference: c.nixpkgs.url.Value, Unfree: set(c.nixpkgs.unfree)},
		From:      c.environment.from.Value,
		Base:      c.environment.base.Value,
		Loader:    c.environment.loader.Value,
		Positions: map[string]workspace.Position{},
	}
	resolveInputs(c, &n)
	resolvePackages(c, &n)
	resolveSources(c, &n)
	for _, a := range c.agents {
		n.Agents = append(n.Agents, a.name.Value)
	}
	slices.Sort(n.Agents)
	return n
}

func resolveInputs(c *config, n *workspace.Nix) {
	n.Positions["agentenv"] = position(c.workspace.agentenv.Range)
	n.Positions["nixpkgs"] = position(c.nixpkgs.url.Range)
	for _, in := range c.inputs {
		follows := map[string]string{}
		for _, p := range in.follows {
			follows[p.Key.Value] = p.Value.Value
		}
		n.Inputs = append(n.Inputs, workspace.Input{Name: in.name.Value, Reference: in.url.Value, Flake: in.flake.Value, Follows: follows})
		n.Positions["input."+in.name.Value] = position(in.url.Range)
	}
	slices.SortFunc(n.Inputs, func(a, b workspace.Input) int { return cmp.Compare(a.Name, b.Name) })
}

// resolvePackages keeps one entry for each package, the first, however it was
// quoted. Whether the last component is an output, only evaluation can tell.
func resolvePackages(c *config, n *workspace.Nix) {
	seen := map[string]bool{}
	for _, p := range c.packages {
		v := p.Value
		key := v.input + "#" + strings.Join(v.path, "\x00")
		if seen[key] {
			continue
		}
		seen[key] = true
		n.Packages = append(n.Packages, workspace.Package{ID: v.written, Input: v.input, Path: v.path})
		n.Positions[v.written] = position(p.Range)
	}
	slices.SortFunc(n.Packages, func(a, b workspace.Package) int { return cmp.Compare(a.ID, b.ID) })
}

func resolveSources(c *config, n *workspace.Nix) {
	for _, s := range c.sources {
		src := workspace.Source{ID: "source." + s.name.Value, Name: s.name.Value, Package: s.pkg.Value.written, Input: s.pkg.Value.input, Path: s.pkg.Value.path}
		at := s.pkg.Range
		if s.input.Set {
			at = s.input.Range
			src.Input = s.input.Value
			if src.Input == "nixpkgs" {
				src.Input = ""
			}
		}
		n.Sources = append(n.Sources, src)
		n.Positions[src.ID] = position(at)
	}
	slices.SortFunc(n.Sources, func(a, b workspace.Source) int { return cmp.Compare(a.Name, b.Name) })
}

func resolvePolicy(c *config) workspace.Policy {
	p := workspace.Policy{
		Text:    c.text,
		Project: workspace.Project{Path: c.project.path.Value, Mode: c.project.mode.Value, At: position(c.project.path.Range)},
		Set:     map[string]string{},
		Filesystem: workspace.Filesystem{
			Read:  grants(c.filesystem.read),
			Write: grants(c.filesystem.write),
		},
		Network: resolveNetwork(c.network),
	}
	for _, co := range c.checkouts {
		p.Checkouts = append(p.Checkouts, workspace.Checkout{Name: co.name.Value, Path: co.path.Value, Hide: values(co.hide), At: position(co.path.Range)})
	}
	slices.SortFunc(p.Checkouts, func(a, b workspace.Checkout) int { return cmp.Compare(a.Name, b.Name) })
	for _, a := range c.agents {
		p.Agents = append(p.Agents, workspace.Agent{Name: a.name.Value, Program: a.program.Value, Args: values(a.args), At: position(a.program.Range)})
	}
	for _, v := range c.environment.set {
		p.Set[v.Key.Value] = v.Value.Value
	}
	for _, name := range unique(c.environment.pass) {
		p.Pass = append(p.Pass, workspace.Named{Name: name.Value, At: position(name.Range)})
	}
	return p
}

func resolveNetwork(c networkConfig) workspace.Network {
	var n workspace.Network
	for _, e := range unique(c.allow) {
		e.Value.At = position(e.Range)
		n.Allow = append(n.Allow, e.Value)
	}
	for _, p := range unique(c.private) {
		n.Private = append(n.Private, workspace.Prefix{CIDR: p.Value, At: position(p.Range)})
	}
	return n
}

func grants(paths []field[string]) []workspace.Grant {
	var out []workspace.Grant
	for _, p := range unique(paths) {
		out = append(out, workspace.Grant{Path: p.Value, At: position(p.Range)})
	}
	return out
}

// unique keeps the first of each value: these lists are sets in the order of
// the file.
func unique[T comparable](fields []field[T]) []field[T] {
	seen := map[T]bool{}
	return slices.DeleteFunc(slices.Clone(fields), func(f field[T]) bool {
		again := seen[f.Value]
		seen[f.Value] = true
		return again
	})
}

func values(fields []field[string]) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Value)
	}
	return out
}

// set is the values sorted, each once.
func set(fields []field[string]) []string {
	out := values(fields)
	slices.Sort(out)
	return slices.Compact(out)
}
