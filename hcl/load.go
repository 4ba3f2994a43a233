// Package hcl turns the bytes of a spec into a workspace.Workspace, or into
// diagnostics that say where the spec is wrong and what to write instead. It is
// the only package that knows HCL.
//
// It opens no file: what it asks of the disk it asks through Options.Stat. It
// runs nothing, knows no Nix beyond the form of a flake reference, and decides
// nothing about a launch.
//
// The phases are parse (bytes to syntax), decode (syntax to values, each with
// its range, each checked by itself), check (values against each other and the
// disk) and resolve (values to their meaning). Decode and check report all that
// they find at once; a value that decode found wrong, check leaves alone.
package hcl

import (
	"io/fs"
	"path/filepath"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

// Options is what loading depends on besides the bytes of the spec.
type Options struct {
	Home    string                                 // for ~ and home; "" is an error only where one is used
	Dev     bool                                   // whether references may name trees of this machine
	Stat    func(path string) (fs.FileInfo, error) // follows links, as os.Stat; nil: nothing is asked of the disk
	Release string                                 // flake URL of the launcher, the default of workspace.agentenv
	Vars    map[string]string                      // reserved for the values of variables
}

// Load checks the spec in src and says what it means. filename is absolute and
// decides the syntax: .hcl is HCL's own, .hcl.json its form as JSON. The file
// itself is not read. The workspace is nil if and only if the report has errors.
func Load(src []byte, filename string, o Options) (*workspace.Workspace, *Report) {
	if !filepath.IsAbs(filename) {
		panic("hcl: the name of the spec is not absolute: " + filename)
	}
	src = normalise(src)
	filename = filepath.Clean(filename)
	file, diags := parse(src, filename)
	if diags.HasErrors() {
		return nil, newReport(src, filename, diags)
	}
	cfg, diags := decode(file, filename, o)
	diags = append(diags, check(cfg, o)...)
	if diags.HasErrors() {
		return nil, newReport(src, filename, diags)
	}
	return resolve(cfg), newReport(src, filename, nil)
}

// problem is a diagnostic about what is written in a range. The summary is
// constant, so that people come to know it; the detail is in sentences and
// names what is wrong and why; the hint, if any, is what to write.
func problem(subject hcl.Range, summary, detail, hint string) *hcl.Diagnostic {
	d := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: detail, Subject: &subject}
	if hint != "" {
		d.Extra = suggestion(hint)
	}
	return d
}

// suggestion is the extra of a diagnostic that knows what to write instead.
type suggestion string
