package hcl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
)

// Limits on the bytes of a spec. They are far from what a human writes, and
// near enough that no spec makes the parser, which recurses, exhaust the stack.
const maxBytes = 2 << 20

// bounds limit how deep the parser recurses.
type bounds struct {
	depth     int // of brackets and templates inside each other
	operators int // in one expression, between commas and line ends
}

var limits = bounds{depth: 64, operators: 1000}

// parse reads the syntax of src. It refuses what later phases could not quote:
// bad UTF-8, and NUL, at which Nix 2.8 ends a string without a word.
func parse(src []byte, filename string) (*hcl.File, hcl.Diagnostics) {
	isJSON := strings.HasSuffix(filename, ".hcl.json")
	if !isJSON && !strings.HasSuffix(filename, ".hcl") {
		return nil, hcl.Diagnostics{problem(at(src, filename, 0), "Unknown syntax",
			"The name of a spec decides its syntax, and this name ends in neither .hcl nor .hcl.json.", "rename it to workspace.hcl")}
	}
	if d := checkBytes(src, filename); d != nil {
		return nil, hcl.Diagnostics{d}
	}
	if isJSON {
		if d := checkJSON(src, filename); d != nil {
			return nil, hcl.Diagnostics{d}
		}
		return hcljson.Parse(src, filename)
	}
	if !plain(src, limits) {
		tokens, _ := hclsyntax.LexConfig(src, filename, hcl.InitialPos)
		if d := checkTokens(tokens, limits); d != nil {
			return nil, hcl.Diagnostics{d}
		}
	}
	return hclsyntax.ParseConfig(src, filename, hcl.InitialPos)
}

// normalise takes away what an editor or git puts into a text without anybody
// writing it: a byte order mark, and carriage returns before line ends, which
// would end up in heredocs.
func normalise(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
}

func checkBytes(src []byte, filename string) *hcl.Diagnostic {
	if len(src) > maxBytes {
		return problem(at(src, filename, 0), "Spec too large",
			fmt.Sprintf("The spec has %d bytes. At most %d are read.", len(src), maxBytes), "")
	}
	if bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")) {
		return problem(at(src, filename, 0), "Not UTF-8", "The spec is UTF-16.", "save it as UTF-8")
	}
	if utf8.Valid(src) && bytes.IndexByte(src, 0) < 0 {
		return nil
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return problem(at(src, filename, i), "Not UTF-8", fmt.Sprintf("The byte 0x%02x is not part of a character.", src[i]), "save the spec as UTF-8")
		}
		if r == 0 {
			return problem(at(src, filename, i), "NUL in spec", "A spec is text, and has no NUL.", "")
		}
		i += size
	}
	return nil
}

// at is the place of a byte, for what is found before there are tokens.
func at(src []byte, filename string, offset int) hcl.Range {
	before := src[:offset]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	start := hcl.Pos{Line: line, Column: column, Byte: offset}
	end := start
	if offset < len(src) {
		end = hcl.Pos{Line: line, Column: column + 1, Byte: offset + 1}
	}
	return hcl.Range{Filename: filename, Start: start, End: end}
}

func tooDeep(r hcl.Range) *hcl.Diagnostic {
	return problem(r, "Nested too deeply", fmt.Sprintf("Brackets and templates may stand inside each other %d deep.", limits.depth), "")
}

// checkTokens bounds how deep the parser and the evaluator recurse. Brackets
// and templates nest; a chain of operators makes a tree as deep as it is long.
// A chain ends at a comma, and at a line end that no bracket swallows.
func checkTokens(tokens hclsyntax.Tokens, most bounds) *hcl.Diagnostic {
	var open []hclsyntax.TokenType
	operators := 0
	for _, t := range tokens {
		switch {
		case opening[t.Type]:
			if open = append(open, t.Type); len(open) > most.depth {
				return tooDeep(t.Range)
			}
		case closing[t.Type] && len(open) > 0:
			open = open[:len(open)-1]
		case t.Type == hclsyntax.TokenComma, t.Type == hclsyntax.TokenNewline && (len(open) == 0 || open[len(open)-1] == hclsyntax.TokenOBrace):
			operators = 0
		}
		if t.Type == hclsyntax.TokenNumberLit && !modest(t.Bytes) {
			return problem(t.Range, "Number too large", "A number has at most 30 characters, and an exponent of at most two digits.", "")
		}
		if chaining[t.Type] {
			if operators++; operators > most.operators {
				return problem(t.Range, "Expression too long", fmt.Sprintf("One expression may have %d operators.", limits.operators), "")
			}
		}
	}
	return nil
}

// modest tells whether a number is one that somebody meant: the text of
// 1e999999999 would be a gigabyte.
func modest(number []byte) bool {
	_, exponent, _ := bytes.Cut(bytes.ToLower(number), []byte("e"))
	return len(number) <= 30 && len(bytes.Trim(exponent, "+-")) <= 2
}

var opening = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenOBrace: true, hclsyntax.TokenOBrack: true, hclsyntax.TokenOParen: true, hclsyntax.TokenOQuote: true,
	hclsyntax.TokenOHeredoc: true, hclsyntax.TokenTemplateInterp: true, hclsyntax.TokenTemplateControl: true,
}

var closing = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenCBrace: true, hclsyntax.TokenCBrack: true, hclsyntax.TokenCParen: true, hclsyntax.TokenCQuote: true,
	hclsyntax.TokenCHeredoc: true, hclsyntax.TokenTemplateSeqEnd: true,
}

var chaining = map[hclsyntax.TokenType]bool{
	hclsyntax.TokenStar: true, hclsyntax.TokenSlash: true, hclsyntax.TokenPlus: true, hclsyntax.TokenMinus: true, hclsyntax.TokenPercent: true,
	hclsyntax.TokenEqualOp: true, hclsyntax.TokenNotEqual: true, hclsyntax.TokenLessThan: true, hclsyntax.TokenLessThanEq: true,
	hclsyntax.TokenGreaterThan: true, hclsyntax.TokenGreaterThanEq: true, hclsyntax.TokenAnd: true, hclsyntax.TokenOr: true,
	hclsyntax.TokenBang: true, hclsyntax.TokenQuestion: true, hclsyntax.TokenDot: true, hclsyntax.TokenOBrack: true,
	hclsyntax.TokenTemplateControl: true,
}

// checkJSON does for JSON what checkTokens does. Every string may be a template.
func checkJSON(src []byte, filename string) *hcl.Diagnostic {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '{', '[':
			if depth++; depth > limits.depth {
				return tooDeep(at(src, filename, i))
			}
		case '}', ']':
			depth--
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end := i + len(src[i:]) - len(bytes.TrimLeft(src[i:], "0123456789.eE+-"))
			if !modest(src[i:end]) {
				return problem(at(src, filename, i), "Number too large", "A number has at most 30 characters, and an exponent of at most two digits.", "")
			}
			i = end - 1
		case '"':
			end := stringEnd(src, i)
			if d := checkTemplate(src[i:end]); d != nil {
				d.Subject = at(src, filename, i).Ptr()
				return d
			}
			i = end - 1
		}
	}
	return nil
}

// stringEnd is the offset after the JSON string that starts at i.
func stringEnd(src []byte, i int) int {
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return len(src)
}

// checkTemplate checks a JSON string, whose place the caller knows.
func checkTemplate(quoted []byte) *hcl.Diagnostic {
	var text string
	if !bytes.ContainsAny(quoted, "$%\\") || json.Unmarshal(quoted, &text) != nil {
		return nil
	}
	tokens, _ := hclsyntax.LexTemplate([]byte(text), "", hcl.InitialPos)
	return checkTokens(tokens, limits)
}
