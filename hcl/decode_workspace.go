package hcl

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/internal/flakeref"
	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type workspaceConfig struct {
	name     field[string]
	systems  []field[string]
	out      field[string]
	agentenv field[workspace.Reference]
}

func (d *decoder) decodeWorkspaceBlock(b *block) workspaceConfig {
	found := len(d.diags)
	systems := d.strs(b, "systems")
	if attr, ok := b.attrs["systems"]; ok && len(systems) == 0 && len(d.diags) == found {
		d.report(attr.Expr.Range(), "Missing system", "A workspace has at least one system.", "leave systems out for the default")
	}
	return workspaceConfig{
		name:     d.name(b),
		systems:  deriveAll(systems, d.system),
		out:      derive(d.str(b, "out"), d.relative),
		agentenv: d.launcher(b),
	}
}

// launcher is the flake that the launcher comes from. The default is what the
// binary was told it comes from, and may be a tree of this machine.
func (d *decoder) launcher(b *block) field[workspace.Reference] {
	if written := d.str(b, "agentenv"); written.Set {
		return derive(written, d.reference)
	}
	ref, err := flakeref.Parse(d.o.Release, true)
	if err != nil {
		d.report(b.header, "Missing attribute", "This binary does not know which release it is, so the workspace must say where the launcher comes from.", `add agentenv = "github:agentenv/agentenv/VERSION"`)
		return field[workspace.Reference]{}
	}
	return field[workspace.Reference]{Value: ref, OK: true}
}

// systems are those that a launcher is built for.
var systems = []string{"x86_64-linux", "aarch64-linux", "riscv64-linux"}

func (d *decoder) system(name string, r hcl.Range) (string, bool) {
	if slices.Contains(systems, name) {
		return name, true
	}
	d.report(r, "Unknown system", fmt.Sprintf("The system %s is not one of %s. The sandbox needs Linux.", printable(name), strings.Join(systems, ", ")), hintNearest(name, systems))
	return "", false
}

// relative checks a path of the repository: slash-separated and inside it.
func (d *decoder) relative(p string, r hcl.Range) (string, bool) {
	clean := path.Clean(p)
	if p == "" || path.IsAbs(p) || clean == ".." || strings.HasPrefix(clean, "../") || strings.HasPrefix(p, "~") || hasControl(p) || slices.Contains(strings.Split(clean, "/"), ".git") {
		d.report(r, "Invalid path", fmt.Sprintf("The path %q is not one below the directory of the spec.", p), `write a relative path, such as "." or "nix"`)
		return "", false
	}
	return clean, true
}

// reference reads a flake reference.
func (d *decoder) reference(url string, r hcl.Range) (workspace.Reference, bool) {
	ref, err := flakeref.Parse(url, d.o.Dev)
	var wrong *flakeref.Error
	if errors.As(err, &wrong) {
		hint := ""
		if wrong.Form != "" {
			hint = "write " + wrong.Form
		}
		d.report(r, "Invalid flake reference", fmt.Sprintf("%q is not a reference that can be pinned: %s.", url, wrong.Reason), hint)
	}
	return ref, err == nil
}

func hintNearest(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return ""
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}
