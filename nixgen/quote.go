package nixgen

import (
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

// keywords cannot name an attribute without quotes. Nix parses `or` there, and
// its manual advises against it.
var keywords = []string{"assert", "else", "if", "in", "inherit", "let", "or", "rec", "then", "with"}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// spelled tells whether s starts with a character of first and goes on with
// those of rest. A regular expression would be compiled at every start.
func spelled(s, first, rest string) bool {
	return s != "" && strings.Contains(first, s[:1]) && strings.Trim(s[1:], rest) == ""
}

// attrName returns s as the name of an attribute, in quotes where it needs them.
func attrName(s string) string {
	if spelled(s, letters+"_", letters+digits+"_'-") && !slices.Contains(keywords, s) {
		return s
	}
	return quote(s)
}
