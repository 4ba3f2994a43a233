package main

import "encoding/json"

// printJSON prints v for programs: indented, so that people can read it too, and
// without escapes for HTML.
func (c *common) printJSON(v any) error {
	out := json.NewEncoder(c.io.Out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return coded(codeFailed, out.Encode(v))
}
