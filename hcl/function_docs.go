package hcl

import "slices"

// Function is one function that expressions may call, for the reference.
type Function struct {
	Name    string
	Doc     string
	Example string // an expression
	Result  string // what it is, as an expression
}

// Functions is every function that expressions may call, sorted by name.
func Functions() []Function { return slices.Clone(functionDocs) }

var functionDocs = []Function{
	{"abs", "The absolute value of a number.", `abs(-3)`, `3`},
	{"ceil", "A number, rounded up.", `ceil(2.1)`, `3`},
	{"chomp", "A text without the line ends at its end.", `chomp("a\n")`, `"a"`},
	{"chunklist", "A list, cut into lists of a length.", `chunklist(["a", "b", "c"], 2)`, `[["a", "b"], ["c"]]`},
	{"coalesce", "The first argument that is not null.", `coalesce(null, "b")`, `"b"`},
	{"coalescelist", "The first list that is not empty.", `coalescelist([], ["b"])`, `["b"]`},
	{"compact", "A list of texts without the empty ones.", `compact(["a", "", "b"])`, `["a", "b"]`},
	{"concat", "Lists, one after the other.", `concat(["a"], ["b", "c"])`, `["a", "b", "c"]`},
	{"contains", "Whether a list has a value.", `contains(["a", "b"], "a")`, `true`},
	{"distinct", "A list with each value once.", `distinct(["a", "b", "a"])`, `["a", "b"]`},
	{"element", "The element of a list at an index, which starts again at its end.", `element(["a", "b"], 3)`, `"b"`},
	{"flatten", "A list in which lists are replaced by what is in them.", `flatten([["a"], ["b", "c"]])`, `["a", "b", "c"]`},
	{"floor", "A number, rounded down.", `floor(2.9)`, `2`},
	{"format", "A text with the values put in for its verbs.", `format("%s-%02d", "a", 7)`, `"a-07"`},
	{"formatlist", "Like format, for each element of lists.", `formatlist("%s.dev", ["a", "b"])`, `["a.dev", "b.dev"]`},
	{"join", "The texts of a list, with one between each two.", `join("/", ["a", "b"])`, `"a/b"`},
	{"jsonencode", "A value as JSON.", `jsonencode({ a = [1] })`, `"{\"a\":[1]}"`},
	{"keys", "The keys of a map, sorted.", `keys({ b = 1, a = 2 })`, `["a", "b"]`},
	{"length", "How many elements a list or map has.", `length(["a", "b"])`, `2`},
	{"lookup", "The value of a key of a map, or a default.", `lookup({ a = "1" }, "b", "none")`, `"none"`},
	{"lower", "A text in lower case.", `lower("Go")`, `"go"`},
	{"max", "The largest of some numbers.", `max(1, 3, 2)`, `3`},
	{"merge", "Maps in one; the last that has a key wins.", `merge({ a = 1 }, { a = 2, b = 3 })`, `{ a = 2, b = 3 }`},
	{"min", "The smallest of some numbers.", `min(1, 3, 2)`, `1`},
	{"parseint", "The number that a text is, in a base.", `parseint("ff", 16)`, `255`},
	{"range", "Numbers from a start, up to an end that is left out, by a step.", `range(1, 7, 2)`, `[1, 3, 5]`},
	{"regex", "What a pattern matches first, or the groups in it.", `regex("[0-9]+", "nodejs_22")`, `"22"`},
	{"regexall", "All that a pattern matches.", `regexall("[a-z]+", "a1b2")`, `["a", "b"]`},
	{"regexreplace", "A text in which what a pattern matches is replaced.", `regexreplace("a-b-c", "-.", "+")`, `"a++"`},
	{"replace", "A text in which one part is replaced.", `replace("a.b.c", ".", "-")`, `"a-b-c"`},
	{"reverse", "A list from its end.", `reverse(["a", "b"])`, `["b", "a"]`},
	{"setintersection", "What is in each of some sets.", `setintersection(["a", "b"], ["b", "c"])`, `["b"]`},
	{"setsubtract", "What is in the first set and not in the second.", `setsubtract(["a", "b"], ["b"])`, `["a"]`},
	{"setunion", "What is in any of some sets.", `setunion(["a"], ["a", "b"])`, `["a", "b"]`},
	{"slice", "The elements of a list from an index, up to one that is left out.", `slice(["a", "b", "c"], 1, 3)`, `["b", "c"]`},
	{"sort", "A list of texts, sorted.", `sort(["b", "a"])`, `["a", "b"]`},
	{"split", "A text, cut at another.", `split(",", "a,b")`, `["a", "b"]`},
	{"strlen", "How many characters a text has.", `strlen("café")`, `4`},
	{"substr", "A part of a text, from an index and of a length.", `substr("agent", 1, 3)`, `"gen"`},
	{"title", "A text with each word's first letter in upper case.", `title("a spec")`, `"A Spec"`},
	{"trim", "A text without some characters at both ends.", `trim("--a--", "-")`, `"a"`},
	{"trimprefix", "A text without another at its start.", `trimprefix("go-tools", "go-")`, `"tools"`},
	{"trimspace", "A text without white space at both ends.", `trimspace("  a ")`, `"a"`},
	{"trimsuffix", "A text without another at its end.", `trimsuffix("a.git", ".git")`, `"a"`},
	{"upper", "A text in upper case.", `upper("go")`, `"GO"`},
	{"values", "The values of a map, in the order of its keys.", `values({ b = 1, a = 2 })`, `[2, 1]`},
	{"zipmap", "A map of a list of keys and a list of values.", `zipmap(["a", "b"], [1, 2])`, `{ a = 1, b = 2 }`},
}
