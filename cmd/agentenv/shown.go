package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// shown is how a path is named to the user: relative to the current directory
// when it lies below that, else absolute; on one line, and nothing that a
// terminal obeys.
func shown(path string) string {
	if dir, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
	}
	return strings.ReplaceAll(visible(path), "\n", "\\n")
}

// here is path relative to the current directory, for a command that the user is
// to type.
func here(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	return relative(dir, path)
}

// relative is path as seen from dir; both are absolute.
func relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return path
	}
	return rel
}

// quote writes words as a shell takes them.
func quote(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.ContainsFunc(w, special) {
			quoted[i] = "'" + strings.ReplaceAll(visible(w), "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// special says of a character that a shell may take it for more than itself. #
// is not special within a word.
func special(r rune) bool {
	return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,+@%#", r))
}

// visible replaces what a terminal would obey or hide, all but line ends and
// tabs: much that is printed was written by somebody else.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u{%x}", r)
		}
	}
	return b.String()
}

func terminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// colour says whether words on f may be coloured: https://no-color.org, and
// terminals that know no colour.
func colour(f *os.File) bool {
	return terminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
