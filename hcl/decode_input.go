package hcl

import (
	"fmt"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type nixpkgsConfig struct {
	url    field[workspace.Reference]
	unfree []field[string]
}

func (d *decoder) decodeNixpkgsBlock(b *block) nixpkgsConfig {
	return nixpkgsConfig{
		url:    derive(d.str(b, "url"), d.reference),
		unfree: deriveAll(d.strs(b, "unfree"), d.packageTitle),
	}
}

// titleRE is the form of a package's name, which is part of a store path.
var titleRE = lazily(`^[A-Za-z0-9+_?=-][A-Za-z0-9+._?=-]*$`)

func (d *decoder) packageTitle(name string, r hcl.Range) (string, bool) {
	if titleRE().MatchString(name) {
		return name, true
	}
	d.report(r, "Invalid package name", fmt.Sprintf("%q is not the exact name of a package.", name), "")
	return "", false
}

type inputConfig struct {
	label   string // as written: a wrong name is declared all the same
	name    field[string]
	url     field[workspace.Reference]
	follows []pair
	flake   field[bool]
}

func (d *decoder) decodeInputBlock(b *block) inputConfig {
	c := inputConfig{
		label:   b.label.Value,
		name:    derive(d.name(b), d.unreserved),
		url:     derive(d.str(b, "url"), d.reference),
		follows: d.pairs(b, "follows"),
		flake:   d.boolean(b, "flake"),
	}
	for _, p := range c.follows {
		d.followed(p.Key)
	}
	return c
}

// reservedInputs are the names of inputs that the generated flake has anyway. Nix
// ignores an input of the name self without a word.
var reservedInputs = map[string]string{
	"agentenv": "it is the flake that the launcher comes from, which the attribute agentenv of the workspace sets",
	"nixpkgs":  "it is the package set, which the block nixpkgs sets",
	"self":     "it is the generated flake itself",
}

func (d *decoder) unreserved(name string, r hcl.Range) (string, bool) {
	why, taken := reservedInputs[name]
	if taken {
		d.report(r, "Reserved name", fmt.Sprintf("An input cannot have the name %s: %s.", name, why), "")
	}
	return name, !taken
}

// followedRE is the form of an input of somebody else's flake. Nix takes a
// slash for a path of inputs.
var followedRE = lazily(`^[A-Za-z_][A-Za-z0-9_'-]*$`)

func (d *decoder) followed(key field[string]) {
	if !followedRE().MatchString(key.Value) {
		d.report(key.Range, "Invalid name", fmt.Sprintf("%q is not the name of an input.", key.Value), "")
	}
}
