package hcl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Diagnostics are findings about a spec, each with the range it is about.
type Diagnostics = hcl.Diagnostics

// Report is what loading found, in the order of the file.
type Report struct {
	diags   Diagnostics
	sources map[string][]byte // by file, for snippets
	given   []Source
}

// newReport sorts the diagnostics and gives each a subject: hcl yields those of
// one body in the order of a map.
func newReport(src []byte, filename string, diags Diagnostics) *Report {
	for _, d := range diags {
		if d.Subject == nil {
			d.Subject = at(src, filename, 0).Ptr()
		}
	}
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.Subject.Filename, b.Subject.Filename),
			cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte),
			cmp.Compare(a.Summary, b.Summary),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
	diags = slices.CompactFunc(diags, func(a, b *hcl.Diagnostic) bool {
		return *a.Subject == *b.Subject && a.Summary == b.Summary && a.Detail == b.Detail
	})
	return &Report{diags: diags, sources: map[string][]byte{filename: src}}
}

// Sources are the files that were read, with the bytes that they had: the spec,
// and then what it includes and the user's own files. Rename does not touch them.
func (r *Report) Sources() []Source { return slices.Clone(r.given) }

// HasErrors tells whether the spec is wrong.
func (r *Report) HasErrors() bool { return r.diags.HasErrors() }

// Diagnostics are sorted by file, line and column; each has a subject.
func (r *Report) Diagnostics() Diagnostics { return slices.Clone(r.diags) }

// Err is nil if the spec is right, else an error of one line. Write prints the
// whole.
func (r *Report) Err() error {
	if !r.HasErrors() {
		return nil
	}
	first := r.diags[0]
	s := first.Subject
	if more := len(r.diags) - 1; more > 0 {
		return fmt.Errorf("%s:%d:%d: %s, and %d more", s.Filename, s.Start.Line, s.Start.Column, first.Summary, more)
	}
	return fmt.Errorf("%s:%d:%d: %s", s.Filename, s.Start.Line, s.Start.Column, first.Summary)
}
