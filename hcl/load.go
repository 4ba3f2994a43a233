// Package hcl turns the bytes of a spec, and of the files that belong to it,
// into a workspace.Workspace, or into diagnostics that say where the spec is
// wrong and what to write instead. It is the only package that knows HCL.
//
// It opens no file: what it asks of the disk it asks through Options. It runs
// nothing, knows no Nix beyond the form of a flake reference, and decides
// nothing about a launch.
//
// The phases are gather (files to syntax), merge (what several files say of one
// block), decode (syntax to values, each with its range, each checked by
// itself), check (values against each other and the disk) and resolve (values to
// their meaning). Decode and check report all that they find at once; a value
// that decode found wrong, check leaves alone.
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
	Vars    []Given                                // values of variables; of two for one variable the later counts

	// Read returns a file that a spec includes. tree is "." for the directory
	// of the spec, or "agentenv.d/NAME" for a vendored tree; path lies in it.
	// Both are slash-separated, and no link may lead out of the tree. Nil: no
	// file can be included.
	Read func(tree, path string) ([]byte, error)

	// HashTree returns the NAR hash of a vendored tree, sha256 in SRI form. Nil:
	// none can be included.
	HashTree func(tree string) (string, error)

	// User returns one of the user's own files, by its name without the ending:
	// "user", or "workspaces/NAME". A Source without a name means that there is
	// none. The role is not looked at. Nil: there are no such files.
	User func(name string) (Source, error)
}

// Load checks the spec in src, with what it includes and the user's own files,
// and says what it means. filename is absolute and decides the syntax: .hcl is
// HCL's own, .hcl.json its form as JSON. The file itself is not read. The
// workspace is nil if and only if the report has errors.
func Load(src []byte, filename string, o Options) (*workspace.Workspace, *Report) {
	if !filepath.IsAbs(filename) {
		panic("hcl: the name of the spec is not absolute: " + filename)
	}
	d := newDecoder(src, filepath.Clean(filename), o)
	units, ok := d.gather(d.given[0])
	if !ok {
		return nil, d.result()
	}
	cfg := d.decode(units)
	d.diags = append(d.diags, check(cfg, o)...)
	if d.diags.HasErrors() {
		return nil, d.result()
	}
	return resolve(cfg), d.result()
}

// result is the report of what has been found.
func (d *decoder) result() *Report {
	first := d.given[0]
	r := newReport(d.sources[first.Name], first.Name, d.diags)
	r.sources, r.given = d.sources, d.given
	return r
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
