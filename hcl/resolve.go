package hcl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentenv/agentenv/workspace"
)

// resolve says what a checked spec means. It cannot fail.
func resolve(c *config) *workspace.Workspace {
	return &workspace.Workspace{
		Name:   c.workspace.name.Value,
		File:   c.file,
		Dir:    c.dir,
		Files:  c.files[1:],
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
		Nixpkgs:   workspace.Nixpkgs{Reference: c.nixpkgs.url.Value, Unfree: set(c.nixpkgs.unfree), Insecure: set(c.nixpkgs.insecure)},
		From:      c.environment.from.Value,
		Base:      c.environment.base.Value,
		Loader:    c.environment.loader.Value,
		Positions: map[string]workspace.Position{},
	}
	resolveInputs(c, &n)
	resolvePackages(c, &n)
	resolveSources(c, &n)
	for _, a := range c.agents {
		if !a.private {
			n.Agents = append(n.Agents, a.name.Value)
		}
	}
	slices.Sort(n.Agents)
	return n
}

func resolveInputs(c *config, n *workspace.Nix) {
	n.Positions["agentenv"] = position(c.workspace.agentenv.Range)
	n.Positions["nixpkgs"] = position(c.nixpkgs.url.Range)
	for _, o := range distinct(c.nixpkgs.overlays, packageName.key) {
		// As written it might be a package's id too.
		id := fmt.Sprintf("nixpkgs.overlays %q", o.Value.written)
		n.Nixpkgs.Overlays = append(n.Nixpkgs.Overlays, workspace.Overlay{ID: id, Input: o.Value.input, Path: o.Value.path})
		n.Positions[id] = position(o.Range)
	}
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
	n.Packages = packagesOf(n, c.packages)
	for _, w := range c.withs {
		p := packagesOf(n, []field[packageName]{w.pkg})[0]
		p.With = set(w.with)
		n.Packages = append(n.Packages, p)
	}
	n.Libraries = packagesOf(n, c.environment.libraries)
	for _, list := range [][]workspace.Package{n.Packages, n.Libraries} {
		slices.SortFunc(list, func(a, b workspace.Package) int { return cmp.Compare(a.ID, b.ID) })
	}
}

// packagesOf are the packages of a list, each once, whose positions it keeps.
func packagesOf(n *workspace.Nix, list []field[packageName]) []workspace.Package {
	var out []workspace.Package
	for _, p := range distinct(list, packageName.key) {
		v := p.Value
		out = append(out, workspace.Package{ID: v.written, Input: v.input, Path: v.path})
		if _, known := n.Positions[v.written]; !known {
			n.Positions[v.written] = position(p.Range)
		}
	}
	return out
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
		src.Attribute, src.Patched = s.attribute.Value, s.patched.Value
		n.Sources = append(n.Sources, src)
		n.Positions[src.ID] = position(at)
	}
	for _, s := range c.sourceSets {
		n.SourceSets = append(n.SourceSets, s.of.Value)
		n.Positions["source_set."+string(s.of.Value)] = position(s.of.Range)
	}
	slices.Sort(n.SourceSets)
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
			Hide:  named(c.filesystem.hide),
			Tmp:   sizeOf(c.filesystem.tmp),
		},
		Network: resolveNetwork(c.network),
		Git:     resolveGit(c),
		Limits:  workspace.Limits{Memory: sizeOf(c.limits.memory), Processes: countOf(c.limits.processes), OpenFiles: countOf(c.limits.openFiles)},
		Sandbox: workspace.Sandbox{Isolation: c.sandbox.isolation.Value, At: position(c.sandbox.isolation.Range)},
		Store:   workspace.Store{All: c.environment.store.Value == storeAll, At: position(c.environment.store.Range)},
	}
	p.Project.Carry, p.Project.Protect = named(c.project.carry), named(c.project.protect)
	p.Forbidden = workspace.Forbidden{Read: grants(c.forbid.read), Write: grants(c.forbid.write)}
	for _, co := range c.checkouts {
		p.Checkouts = append(p.Checkouts, workspace.Checkout{
			Name: co.name.Value, Path: co.path.Value, Hide: values(co.hide), At: position(co.path.Range),
			Except: values(co.except), Expose: co.expose.Value, History: co.history.Value,
		})
	}
	slices.SortFunc(p.Checkouts, func(a, b workspace.Checkout) int { return cmp.Compare(a.Name, b.Name) })
	for _, a := range c.agents {
		p.Agents = append(p.Agents, workspace.Agent{Name: a.name.Value, Program: a.program.Value, Args: values(a.args), At: position(a.program.Range)})
	}
	for _, v := range c.environment.set {
		p.Set[v.Key.Value] = v.Value.Value
	}
	p.Pass = named(c.environment.pass)
	return p
}

// resolveGit fills in the default, which depends on the mode.
func resolveGit(c *config) workspace.Git {
	g := workspace.Git{Commit: c.git.commit.Value, At: position(c.git.commit.Range)}
	switch {
	case g.Commit != "":
	case c.project.mode.Value == workspace.ModeDirect:
		g.Commit = noCommits
	default:
		g.Commit = unsignedCommits
	}
	return g
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
	n.Groups = named(c.groups)
	for _, port := range unique(c.publish) {
		n.Publish = append(n.Publish, countOf(port))
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

func named(fields []field[string]) []workspace.Named {
	var out []workspace.Named
	for _, f := range unique(fields) {
		out = append(out, workspace.Named{Name: f.Value, At: position(f.Range)})
	}
	return out
}

func sizeOf(f field[int64]) workspace.Size {
	return workspace.Size{Bytes: f.Value, At: position(f.Range)}
}

func countOf(f field[int64]) workspace.Count {
	return workspace.Count{N: f.Value, At: position(f.Range)}
}

// unique keeps the first of each value: these lists are sets in the order of
// the file.
func unique[T comparable](fields []field[T]) []field[T] {
	return distinct(fields, func(v T) T { return v })
}

// distinct keeps the first of each key.
func distinct[T any, K comparable](fields []field[T], key func(T) K) []field[T] {
	seen := map[K]bool{}
	return slices.DeleteFunc(slices.Clone(fields), func(f field[T]) bool {
		k := key(f.Value)
		again := seen[k]
		seen[k] = true
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
