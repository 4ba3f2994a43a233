package hcl

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

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

// NewReport is a report of findings that something else than loading has made.
// sources has the text of each file that a finding is in. A finding whose End is
// zero is about the word or the string at its Start, and of a place Line and
// Column alone are looked at.
func NewReport(sources map[string][]byte, findings []Finding) *Report {
	var diags Diagnostics
	normal := map[string][]byte{}
	for file, src := range sources {
		normal[file] = normalise(src)
	}
	for _, f := range findings {
		src := normal[f.File]
		start := f.Start.in(src)
		end := f.End.in(src)
		if f.End.Line == 0 {
			end = wordEnd(src, start)
		}
		d := problem(hcl.Range{Filename: f.File, Start: start, End: end}, f.Summary, f.Detail, f.Help)
		if f.Severity == "warning" {
			d.Severity = hcl.DiagWarning
		}
		diags = append(diags, d)
	}
	r := newReport(nil, "", diags)
	r.sources = normal
	return r
}

// in is p as hcl has it, in src.
func (p Place) in(src []byte) hcl.Pos {
	pos := hcl.Pos{Line: p.Line, Column: p.Column}
	for line := 1; line < p.Line; line++ {
		i := bytes.IndexByte(src[pos.Byte:], '\n')
		if i < 0 {
			break
		}
		pos.Byte += i + 1
	}
	for column := 1; column < p.Column && pos.Byte < len(src) && src[pos.Byte] != '\n'; column++ {
		_, size := utf8.DecodeRune(src[pos.Byte:])
		pos.Byte += size
	}
	return pos
}

// wordEnd is the end of the word or the string that starts at a place.
func wordEnd(src []byte, start hcl.Pos) hcl.Pos {
	rest := src[min(start.Byte, len(src)):]
	length := 0
	for length < len(rest) && (rest[length] >= utf8.RuneSelf || isWord(rest[length])) {
		length++
	}
	if len(rest) > 0 && rest[0] == '"' {
		length = stringEnd(rest, 0)
		if i := bytes.IndexByte(rest[:length], '\n'); i >= 0 {
			length = i
		}
	}
	end := start
	end.Byte += length
	end.Column += utf8.RuneCount(rest[:length])
	return end
}

func isWord(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
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
