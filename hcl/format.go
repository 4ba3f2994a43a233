package hcl

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Format returns a spec, or another file in the same syntax, in the form that
// all are meant to have: HCL's own for .hcl, two spaces of indent for .hcl.json.
// Only white space differs, and formatting the result changes nothing.
//
// Only the syntax is checked: blocks and attributes may be unknown. The bytes
// are nil if and only if the report has errors.
func Format(src []byte, filename string) ([]byte, *Report) {
	src = withoutReturns(src)
	if _, diags := parse(src, filename); diags.HasErrors() {
		return nil, newReport(src, filename, diags)
	}
	if strings.HasSuffix(filename, ".json") {
		return formatJSON(src, filename)
	}
	text := layout(src)
	if text == nil {
		text = src
	}
	return ended(text), newReport(src, filename, nil)
}

// withoutReturns normalises src until that changes nothing: what has two carriage
// returns before a line end would have one in the result.
func withoutReturns(src []byte) []byte {
	for {
		next := normalise(src)
		if len(next) == len(src) {
			return bytes.TrimRight(next, "\r")
		}
		src = next
	}
}

// formatJSON keeps the order and the text of all values, and a key that is
// there twice: in HCL it may be two blocks.
func formatJSON(src []byte, filename string) ([]byte, *Report) {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(src), "", "  "); err != nil {
		return nil, newReport(src, filename, hcl.Diagnostics{problem(at(src, filename, 0), "Not JSON", "The spec is almost JSON: "+err.Error()+".", "")})
	}
	return ended(b.Bytes()), newReport(src, filename, nil)
}

// ended ends a text in one line end; one without a word is empty.
func ended(text []byte) []byte {
	if text = bytes.TrimRight(text, " \t\n"); len(text) == 0 {
		return []byte{}
	}
	return append(text, '\n')
}
