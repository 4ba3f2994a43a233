package hcl

import "github.com/hashicorp/hcl/v2"

// Finding is a diagnostic as plain data, for programs that read it.
type Finding struct {
	Severity string // "error" or "warning"
	Summary  string // constant for each kind
	Detail   string // sentences: what is wrong, and why
	Help     string // what to write instead; may be empty
	File     string
	Start    Place
	End      Place // the first place after it
}

// Place is a place in a file. Line and Column start at 1, and the column counts
// characters as hcl does; Byte starts at 0.
type Place struct{ Line, Column, Byte int }

// Findings are the diagnostics of r, in its order.
func (r *Report) Findings() []Finding {
	findings := make([]Finding, 0, len(r.diags))
	for _, d := range r.diags {
		f := Finding{Severity: "error", Summary: d.Summary, Detail: d.Detail, File: d.Subject.Filename, Start: placeOf(d.Subject.Start), End: placeOf(d.Subject.End)}
		if d.Severity == hcl.DiagWarning {
			f.Severity = "warning"
		}
		if hint, ok := d.Extra.(suggestion); ok {
			f.Help = string(hint)
		}
		findings = append(findings, f)
	}
	return findings
}

func placeOf(p hcl.Pos) Place { return Place{Line: p.Line, Column: p.Column, Byte: p.Byte} }

// Rename has r call each file what name returns for it: a path relative to where
// the reader is, say. The words of diagnostics stay as they are.
func (r *Report) Rename(name func(file string) string) {
	sources := make(map[string][]byte, len(r.sources))
	for file, src := range r.sources {
		sources[name(file)] = src
	}
	r.sources = sources
	seen := map[*hcl.Range]bool{} // diagnostics may share a range
	for _, d := range r.diags {
		for _, at := range []*hcl.Range{d.Subject, d.Context} {
			if at != nil && !seen[at] {
				seen[at] = true
				at.Filename = name(at.Filename)
			}
		}
	}
}
