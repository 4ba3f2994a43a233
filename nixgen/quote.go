package nixgen

import (
	"regexp"
	"slices"
	"strings"
)

// escapes has every character that Nix reads otherwise than it stands. Each $ is
// escaped, which covers both ${ and $${. A raw carriage return would be read as
// a line feed, with or without one after it.
var escapes = strings.NewReplacer(
	`\`, `\\`,
	`"`, `\"`,
	`$`, `\$`,
	"\n", `\n`,
	"\r", `\r`,
	"\t", `\t`,
)

// quote returns a Nix string literal that evaluates to s. It is the only way in
// which text gets into generated Nix. s must have passed checkText: no literal
// stands for a NUL, and what is not UTF-8 breaks other tools.
//
// strconv.Quote and JSON will not do: Nix knows no \x, \u, \b or \f, and drops
// the backslash.
func quote(s string) string {
	return `"` + escapes.Replace(s) + `"`
}

var identifier = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_'-]*$`)

// keywords cannot name an attribute without quotes. Nix parses `or` there, and
// its manual advises against it.
var keywords = []string{"assert", "else", "if", "in", "inherit", "let", "or", "rec", "then", "with"}

// attrName returns s as the name of an attribute, in quotes where it needs them.
func attrName(s string) string {
	if identifier.MatchString(s) && !slices.Contains(keywords, s) {
		return s
	}
	return quote(s)
}
