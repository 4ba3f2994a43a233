package hcl

import (
	"fmt"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type nixpkgsConfig struct {
	url    field[workspace.Reference]
	unfree []field[string]

	insecure []field[string]
	overlays []field[packageName]
}

func (d *decoder) decodeNixpkgsBlock(b *block) nixpkgsConfig {
	return nixpkgsConfig{
		url:    derive(d.str(b, "url"), d.reference),
		unfree: deriveAll(d.strs(b, "unfree"), d.packageTitle),

		insecure: deriveAll(d.strs(b, "insecure"), d.packageVersion),
		overlays: deriveAll(d.strs(b, "overlays"), d.overlay),
	}
}

// packageVersion checks a NAME-VERSION, which is what Nixpkgs compares. The
// version starts after the first hyphen that no letter follows (parseDrvName in
// Nix).
func (d *decoder) packageVersion(name string, r hcl.Range) (string, bool) {
	if _, ok := d.packageTitle(name, r); !ok {
		return "", false
	}
	if !versionRE().MatchString(name) {
		d.report(r, "Missing version", fmt.Sprintf("%q has no version, and what is insecure is one version of a package.", name), `write name and version as the error of Nix has them, such as "openssl-1.1.1w"`)
		return "", false
	}
	return name, true
}

var versionRE = lazily(`.-[^A-Za-z-]`)

// overlay reads INPUT or INPUT#ATTRPATH.
func (d *decoder) overlay(written string, r hcl.Range) (packageName, bool) {
	input, attribute, found := strings.Cut(written, "#")
	if !found {
		attribute = "overlays.default"
	}
	path, err := splitPath(attribute)
	switch {
	case !nameRE().MatchString(input):
		d.report(r, "Invalid overlay", fmt.Sprintf("%q does not start with the name of an input.", written), `declare the input, and write "INPUT" or "INPUT#ATTRPATH"`)
	case input == "nixpkgs":
		d.report(r, "Invalid overlay", "The package set has no overlays of its own.", `declare the input that has them, and write "INPUT" or "INPUT#ATTRPATH"`)
	case err != nil:
		d.report(r, "Invalid overlay", fmt.Sprintf("%q: %s", written, err), "")
	default:
		return packageName{written: written, input: input, path: path}, true
	}
	return packageName{}, false
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
