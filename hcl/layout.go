package hcl

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// This lays a spec out as `terraform fmt` would. hclwrite does the same, but its
// import costs every start a millisecond: it brings a package for tests along,
// whose patterns are compiled at once.

// word is a token, or several that are kept as they were written: a string, a
// heredoc.
type word struct {
	kind hclsyntax.TokenType
	text string
}

// row is the words that begin on one line. Further lines of a word with several
// belong to it.
type row struct {
	words  []word
	indent int
	equals int // index of the = that is aligned; 0 for none
}

// layout returns src in the one layout; nil where that would be another text than
// src, and there is a mistake here.
func layout(src []byte) []byte {
	rows := rowsOf(src)
	indent(rows)
	out := render(rows)
	if !sameWords(rows, rowsOf(out)) {
		return nil
	}
	return out
}

// rowsOf takes src apart.
func rowsOf(src []byte) []row {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
	rows := []row{{}}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		last := &rows[len(rows)-1]
		switch t.Type {
		case hclsyntax.TokenEOF:
		case hclsyntax.TokenNewline:
			rows = append(rows, row{})
		case hclsyntax.TokenComment:
			text := strings.TrimRight(string(t.Bytes), " \t\n")
			last.words = append(last.words, word{t.Type, text})
			if bytes.HasSuffix(t.Bytes, []byte("\n")) {
				rows = append(rows, row{})
			}
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			end := closed(tokens, i)
			last.words = append(last.words, word{t.Type, string(src[t.Range.Start.Byte:tokens[end].Range.End.Byte])})
			i = end
		default:
			last.words = append(last.words, word{t.Type, string(t.Bytes)})
		}
	}
	return rows
}

// closed is the index of the token that closes the string or heredoc at i.
func closed(tokens hclsyntax.Tokens, i int) int {
	depth := 0
	for ; i < len(tokens)-1; i++ {
		switch tokens[i].Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			depth++
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

func sameWords(a, b []row) bool {
	for len(a) > 0 && len(a[len(a)-1].words) == 0 {
		a = a[:len(a)-1]
	}
	for len(b) > 0 && len(b[len(b)-1].words) == 0 {
		b = b[:len(b)-1]
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i].words) != len(b[i].words) {
			return false
		}
		for j := range a[i].words {
			if a[i].words[j] != b[i].words[j] {
				return false
			}
		}
	}
	return true
}

// brackets are the kinds that nest, +1 where they open.
var brackets = map[hclsyntax.TokenType]int{
	hclsyntax.TokenOBrace: 1, hclsyntax.TokenOBrack: 1, hclsyntax.TokenOParen: 1,
	hclsyntax.TokenCBrace: -1, hclsyntax.TokenCBrack: -1, hclsyntax.TokenCParen: -1,
}

// indent says how deep each row is, and which = is aligned. However many brackets
// a row opens, what is in them is one step deeper than the row; a row that begins
// by closing one is as deep as the row that opened it.
func indent(rows []row) {
	var open []int // the depth of the row that opened each bracket
	for i := range rows {
		r := &rows[i]
		if len(open) > 0 {
			r.indent = open[len(open)-1] + 1
		}
		leading := true
		for _, w := range r.words {
			switch change := brackets[w.kind]; {
			case change > 0:
				open = append(open, r.indent)
				leading = false
			case change < 0 && len(open) > 0:
				if leading {
					r.indent = open[len(open)-1]
				}
				open = open[:len(open)-1]
			default:
				leading = false
			}
		}
		r.equals = equals(r.words)
	}
}

// equals is the index of the = of a row that is a whole attribute, else 0.
func equals(words []word) int {
	depth, at := 0, 0
	for i, w := range words {
		depth += brackets[w.kind]
		switch {
		case depth < 0:
			return 0
		case w.kind == hclsyntax.TokenEqual && at == 0:
			if depth > 0 || i == 0 {
				return 0
			}
			at = i
		}
	}
	if depth != 0 {
		return 0
	}
	return at
}

// render writes rows, with the = and the comments of neighbours below each other.
func render(rows []row) []byte {
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = strings.Repeat("  ", rows[i].indent) + spaced(rows[i].words, 0, upTo(rows[i]))
	}
	align(rows, lines, func(r row) int { return r.equals }, func(r row) string { return spaced(r.words, r.equals, body(r)) })
	align(rows, lines, func(r row) int {
		if body(r) == 0 || body(r) == len(r.words) {
			return 0
		}
		return body(r)
	}, func(r row) string { return r.words[len(r.words)-1].text })
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " "))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// body is how many words of a row stand before its comment.
func body(r row) int {
	if n := len(r.words); n > 0 && r.words[n-1].kind == hclsyntax.TokenComment {
		return n - 1
	}
	return len(r.words)
}

// upTo is how many words of a row stand before the first that is aligned.
func upTo(r row) int {
	switch {
	case r.equals > 0:
		return r.equals
	case body(r) == 0:
		return len(r.words)
	}
	return body(r)
}

// align appends to each line of a run of rows what is in its second column, so
// that it begins below that of its neighbours. A row without is not of the run.
func align(rows []row, lines []string, column func(row) int, second func(row) string) {
	for start := 0; start < len(rows); start++ {
		end, widest := start, 0
		for ; end < len(rows) && column(rows[end]) > 0; end++ {
			widest = max(widest, columns(lines[end]))
		}
		for i := start; i < end; i++ {
			lines[i] += strings.Repeat(" ", widest-columns(lines[i])+1) + second(rows[i])
		}
		start = max(start, end-1)
	}
}

// columns is the length of the last line of a text, in characters.
func columns(line string) int {
	return utf8.RuneCountInString(line[strings.LastIndexByte(line, '\n')+1:])
}

// spaced joins words from one index to before another.
func spaced(words []word, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from && space(words, i) {
			b.WriteByte(' ')
		}
		b.WriteString(words[i].text)
	}
	return b.String()
}

// tight are the kinds that have no space before them, or after them.
var tightBefore = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenComma: true, hclsyntax.TokenCParen: true, hclsyntax.TokenCBrack: true,
	hclsyntax.TokenDot: true, hclsyntax.TokenEllipsis: true, hclsyntax.TokenDoubleColon: true,
}

var tightAfter = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenOParen: true, hclsyntax.TokenOBrack: true, hclsyntax.TokenDot: true,
	hclsyntax.TokenDoubleColon: true, hclsyntax.TokenBang: true,
}

// operand are the kinds that a value can end with: a bracket after one is a call
// or an index, and a minus after one is between two values.
var operand = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenIdent: true, hclsyntax.TokenNumberLit: true, hclsyntax.TokenOQuote: true, hclsyntax.TokenStar: true,
	hclsyntax.TokenCParen: true, hclsyntax.TokenCBrack: true, hclsyntax.TokenCBrace: true,
}

// space tells whether there is one before the word at i, which is not the first.
func space(words []word, i int) bool {
	before, w := words[i-1], words[i]
	switch {
	case w.kind == hclsyntax.TokenComment || before.kind == hclsyntax.TokenComment:
		return true
	case tightBefore[w.kind] || tightAfter[before.kind]:
		return false
	case before.kind == hclsyntax.TokenOBrace && w.kind == hclsyntax.TokenCBrace:
		return false
	case w.kind == hclsyntax.TokenOParen && before.kind == hclsyntax.TokenIdent,
		w.kind == hclsyntax.TokenOBrack && operand[before.kind] && before.kind != hclsyntax.TokenStar:
		return before.text == "in" || before.text == "if"
	case before.kind == hclsyntax.TokenMinus:
		return i >= 2 && operand[words[i-2].kind] && words[i-2].text != "in" && words[i-2].text != "if"
	}
	return true
}
