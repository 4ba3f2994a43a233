package hcl

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/mitchellh/go-wordwrap"
)

// width is the column at which details are wrapped, as in the manual pages.
const width = 80

// palette is the escape sequences of a terminal, or none.
type palette struct{ bold, bad, dim, reset string }

var ansi = palette{bold: "\x1b[1m", bad: "\x1b[1;31m", dim: "\x1b[2m", reset: "\x1b[0m"}

// Write prints every diagnostic: where it is in a form that editors jump to,
// what is wrong, the line, why, and what to write instead.
func (r *Report) Write(w io.Writer, colour bool) error {
	p := palette{}
	if colour {
		p = ansi
	}
	b := bufio.NewWriter(w)
	for i, d := range r.diags {
		if i > 0 {
			fmt.Fprintln(b)
		}
		r.write(b, d, p)
	}
	return b.Flush()
}

func (r *Report) write(w io.Writer, d *hcl.Diagnostic, p palette) {
	s := d.Subject
	fmt.Fprintf(w, "%s%s:%d:%d:%s %serror:%s %s%s%s\n", p.bold, visible(s.Filename), s.Start.Line, s.Start.Column, p.reset, p.bad, p.reset, p.bold, visible(d.Summary), p.reset)
	r.snippet(w, *s, p)
	if d.Detail != "" {
		text := wordwrap.WrapString(visible(strings.ReplaceAll(d.Detail, "\n", " ")), width-2)
		fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(text, "\n", "\n  "))
	}
	if hint, ok := d.Extra.(suggestion); ok {
		fmt.Fprintf(w, "  %shelp:%s %s\n", p.bold, p.reset, visible(string(hint)))
	}
}

// snippet prints the line where the subject starts, or what is near the subject
// on a very long one, and marks the part of the subject that is on it.
func (r *Report) snippet(w io.Writer, s hcl.Range, p palette) {
	before, marked, after, ok := r.around(s)
	if !ok {
		return
	}
	number := fmt.Sprintf("%4d", s.Start.Line)
	fmt.Fprintf(w, "%s%s |%s %s%s%s\n", p.dim, number, p.reset, before, marked, after)
	indent, length := utf8.RuneCountInString(before), max(1, utf8.RuneCountInString(marked))
	fmt.Fprintf(w, "%s%s |%s %s%s%s%s\n", p.dim, strings.Repeat(" ", len(number)), p.reset, strings.Repeat(" ", indent), p.bad, strings.Repeat("^", length), p.reset)
}

// around cuts the line of the subject in three, each ready to print.
func (r *Report) around(s hcl.Range) (before, marked, after string, ok bool) {
	src := r.sources[s.Filename]
	start, end := s.Start.Byte, s.End.Byte
	if start > len(src) || end > len(src) || end < start {
		return "", "", "", false
	}
	lineStart := bytes.LastIndexByte(src[:start], '\n') + 1
	lineEnd := len(src)
	if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
		lineEnd = start + i
	}
	end = min(end, lineEnd)
	return tail(src[lineStart:start]), head(src[start:end]), head(src[end:lineEnd]), true
}

// maxPart is how many bytes of each part of a long line are shown.
const maxPart = 120

func head(b []byte) string {
	if len(b) <= maxPart {
		return visible(string(b))
	}
	return visible(strings.ToValidUTF8(string(b[:maxPart]), "")) + "…"
}

func tail(b []byte) string {
	if len(b) <= maxPart {
		return visible(string(b))
	}
	return "…" + visible(strings.ToValidUTF8(string(b[len(b)-maxPart:]), ""))
}

// visible replaces what a terminal would obey or hide: a spec may come from
// somebody else, and its text is printed before it is trusted.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString("  ")
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u{%x}", r)
		}
	}
	return b.String()
}
