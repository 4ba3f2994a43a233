package hcl

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
)

// globMeta are the characters that make a path a glob.
const globMeta = `*?[{`

func isGlob(p string) bool { return strings.ContainsAny(p, globMeta) }

// globEscapes makes text a glob that matches it alone.
var globEscapes = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// glob checks a pattern of names inside a tree.
func (d *decoder) glob(pattern string, r hcl.Range) (string, bool) {
	clean := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	why := ""
	switch {
	case clean == "" || hasControl(clean):
		why = "It is empty or has a control character."
	case path.IsAbs(clean) || strings.HasPrefix(clean, "~"):
		why = "It is relative to the tree."
	case slices.Contains(strings.Split(clean, "/"), ".."):
		why = "It cannot leave the tree."
	case !doublestar.ValidatePattern(clean):
		why = "Its brackets or braces do not match."
	default:
		return clean, true
	}
	d.report(r, "Invalid glob", fmt.Sprintf("The glob %q is not valid. %s", pattern, why), `write one such as "**/private/**"`)
	return "", false
}

// hidden reads a glob of names to hide in every tree: absolute, below ~, or **/
// and what follows it anywhere.
func (d *decoder) hidden(pattern string, r hcl.Range) (string, bool) {
	if anywhere, ok := strings.CutPrefix(pattern, "**/"); ok && strings.Trim(anywhere, "*/") != "" {
		clean, ok := d.glob("**/"+anywhere, r)
		return "/" + clean, ok
	}
	why, hint := d.badGlob(pattern)
	if strings.Trim(pattern, "*/~") == "" {
		why, hint = "It matches everything.", ""
	}
	if why == "" && !path.IsAbs(pattern) && !strings.HasPrefix(pattern, "~/") {
		why, hint = "It is absolute, below ~, or starts with **/.", fmt.Sprintf("write %q", "**/"+strings.TrimPrefix(pattern, "./"))
	}
	if why != "" {
		d.report(r, "Invalid glob", fmt.Sprintf("The glob %q is not valid. %s", pattern, why), hint)
		return "", false
	}
	base, rest := d.base(pattern)
	return path.Join(globEscapes.Replace(base), rest), true
}

// badGlob says why pattern is not a glob of paths of this machine. Each of its
// components is one by itself, so that no bracket or brace reaches over a slash.
func (d *decoder) badGlob(pattern string) (why, hint string) {
	if isGlob(pattern) {
		if why, hint := d.badPath(strings.Map(withoutMeta, pattern)); why != "" {
			return why, hint
		}
	} else if why, hint := d.badPath(pattern); why != "" {
		return why, hint
	}
	seen := false
	for _, part := range strings.Split(pattern, "/") {
		switch {
		case part == ".." && seen:
			return "After a glob, .. would be the tree above each match.", ""
		case !doublestar.ValidatePattern(part):
			return "Its brackets or braces do not match within a component.", ""
		case strings.Contains(part, "**") && part != "**":
			return "** is a component of its own.", ""
		}
		seen = seen || isGlob(part)
	}
	return "", ""
}

func withoutMeta(r rune) rune {
	if strings.ContainsRune(globMeta, r) {
		return 'x'
	}
	return r
}

// pathOrGlob reads a path of this machine that may be a glob. One of which the
// directory of the spec or the home looks like a glob by its name is escaped.
func (d *decoder) pathOrGlob(p string, r hcl.Range) (string, bool) {
	why, hint := d.badGlob(p)
	if why == "" && slices.Contains(strings.Split(p, "/"), "**") {
		why, hint = "** would give a checkout for each directory below.", "write one * for each level"
	}
	if why != "" {
		d.report(r, "Invalid path", why, hint)
		return "", false
	}
	base, rest := d.base(p)
	if literal := filepath.Join(base, rest); !isGlob(literal) {
		return literal, true
	}
	if !isGlob(rest) {
		return globEscapes.Replace(filepath.Join(base, rest)), true
	}
	return path.Join(globEscapes.Replace(base), rest), true
}
