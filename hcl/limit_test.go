package hcl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
)

// TestHostileSpecs holds that no spec crashes or stalls the program: these
// would exhaust the stack, the memory or the patience of a naive one.
func TestHostileSpecs(t *testing.T) {
	const many = 100_000
	head := "workspace \"a\" {}\n"
	arg := func(expr string) string { return head + "agent \"b\" {\n program = \"b\"\n args = " + expr + "\n}\n" }
	doubling := "locals {\n l0 = \"xxxxxxxxxxxxxxxx\"\n"
	for i := range 60 {
		doubling += fmt.Sprintf(" l%d = \"${local.l%d}${local.l%d}\"\n", i+1, i, i)
	}
	squares := "locals {\n l0 = 10\n"
	for i := range 60 {
		squares += fmt.Sprintf(" l%d = local.l%d * local.l%d\n", i+1, i, i)
	}
	for name, c := range map[string]struct {
		src, summary string
		json         bool
	}{
		"empty":               {src: "", summary: "Missing workspace block"},
		"large":               {src: strings.Repeat("# 10 MB\n", 10<<20/8), summary: "Spec too large"},
		"nul":                 {src: "workspace \"a\x00b\" {}", summary: "NUL in spec"},
		"latin 1":             {src: "# caf\xe9", summary: "Not UTF-8"},
		"utf-16":              {src: "\xff\xfew\x00o\x00", summary: "Not UTF-8"},
		"lists":               {src: arg(strings.Repeat("[", many)), summary: "Nested too deeply"},
		"closed lists":        {src: arg(strings.Repeat("[", many) + strings.Repeat("]", many)), summary: "Nested too deeply"},
		"parentheses":         {src: arg(strings.Repeat("(", many)), summary: "Nested too deeply"},
		"blocks":              {src: head + strings.Repeat("a {\n", many), summary: "Nested too deeply"},
		"templates":           {src: arg(strings.Repeat(`"${`, many)), summary: "Nested too deeply"},
		"directives":          {src: arg(`"` + strings.Repeat("%{ if true }", many) + `"`), summary: "Expression too long"},
		"unary":               {src: arg(strings.Repeat("!", many) + "true"), summary: "Expression too long"},
		"unary lines":         {src: arg("(" + strings.Repeat("-\n", many) + "1)"), summary: "Expression too long"},
		"conditions":          {src: arg("(" + strings.Repeat("true ? 1 :\n", many) + "1)"), summary: "Expression too long"},
		"binary":              {src: arg("1" + strings.Repeat("+1", many)), summary: "Expression too long"},
		"indexes":             {src: arg("local.x" + strings.Repeat("[0]", many)), summary: "Expression too long"},
		"members":             {src: arg("local" + strings.Repeat(".x", many)), summary: "Expression too long"},
		"digits":              {src: arg("[" + strings.Repeat("9", many) + "]"), summary: "Number too large"},
		"exponent":            {src: arg("[\"${1e999999999}\"]"), summary: "Number too large"},
		"doubling":            {src: head + doubling + "}\n", summary: "Local too large"},
		"squares":             {src: head + squares + "}\n", summary: "Local too large"},
		"loops":               {src: arg(`[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : "x"]]]`), summary: "Expression too large"},
		"many loops":          {src: arg(strings.Repeat("[for a in [1] : ", 60) + "1" + strings.Repeat("]", 60)), summary: "Expression too large"},
		"format":              {src: arg(`[format("%999999999d", 1)]`), summary: "Invalid function argument"},
		"format by star":      {src: arg(`[format("%*d", 999999999, 1)]`), summary: "Invalid function argument"},
		"join":                {src: arg(`[join("` + strings.Repeat("x", 10_000) + `", range(1000))]`), summary: "Expression too large"},
		"cycle":               {src: head + "locals {\n a = local.b\n b = local.a\n}\n", summary: "Cycle of locals"},
		"not json":            {src: "workspace \"a\" {}", json: true, summary: "Invalid JSON keyword"},
		"json lists":          {src: strings.Repeat("[", many), json: true, summary: "Nested too deeply"},
		"json objects":        {src: strings.Repeat(`{"a":`, many), json: true, summary: "Nested too deeply"},
		"json templates":      {src: `{"packages": ["` + strings.Repeat("${[", many) + `"]}`, json: true, summary: "Nested too deeply"},
		"json escaped":        {src: `{"packages": ["` + strings.Repeat(`\u0024{[`, many) + `"]}`, json: true, summary: "Nested too deeply"},
		"json unary":          {src: `{"packages": ["${` + strings.Repeat("!", many) + `true}"]}`, json: true, summary: "Expression too long"},
		"json exponent":       {src: `{"packages": [1e999999999]}`, json: true, summary: "Number too large"},
		"json exponent in it": {src: `{"packages": ["${1e999999999}"]}`, json: true, summary: "Number too large"},
		"json loops":          {src: `{"workspace": {"a": {}}, "packages": "${[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]}"}`, json: true, summary: "Expression too large"},
		"json open string":    {src: `{"packages": ["`, json: true, summary: "Invalid JSON string"},
	} {
		t.Run(name, func(t *testing.T) {
			file := dir + "/workspace.hcl"
			if c.json {
				file += ".json"
			}
			ws, report := hcl.Load([]byte(c.src), file, options())
			if ws != nil || len(report.Diagnostics()) == 0 {
				t.Fatal("the spec was taken")
			}
			var got []string
			for _, d := range report.Diagnostics() {
				if got = append(got, d.Summary); d.Summary == c.summary {
					return
				}
			}
			t.Errorf("found %q, want %q", got, c.summary)
		})
	}
}

// TestManyBlocks holds that a large spec is just that, and that its errors are
// all found.
func TestManyBlocks(t *testing.T) {
	const many, wrong = 10_000, 2_000
	var good, bad strings.Builder
	good.WriteString("workspace \"a\" {}\nlocals {\n src = \"${home}/src\"\n}\n")
	bad.WriteString("workspace \"a\" {}\n")
	for i := range many {
		fmt.Fprintf(&good, "checkout \"c%d\" {\n  path = \"${local.src}/c%d\"\n}\n", i, i)
		if i < wrong {
			fmt.Fprintf(&bad, "checkout \"c%d\" {\n  pth = \"~/c%d\"\n}\n", i, i)
		}
	}
	ws, report := hcl.Load([]byte(good.String()), dir+"/workspace.hcl", options())
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	if n := len(ws.Policy.Checkouts); n != many {
		t.Errorf("%d checkouts, want %d", n, many)
	}
	_, report = hcl.Load([]byte(bad.String()), dir+"/workspace.hcl", options())
	if n := len(report.Diagnostics()); n != 2*wrong {
		t.Errorf("%d diagnostics, want %d", n, 2*wrong)
	}
	var text strings.Builder
	if err := report.Write(&text, false); err != nil {
		t.Fatal(err)
	}
}

func TestDepthThatIsTaken(t *testing.T) {
	deep := strings.Repeat("[", 50) + "1" + strings.Repeat("]", 50)
	src := "workspace \"a\" {}\nlocals {\n x = " + deep + "\n}\n"
	if _, report := hcl.Load([]byte(src), dir+"/workspace.hcl", options()); report.HasErrors() {
		t.Error(report.Err())
	}
}

func TestFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"/a/workspace.hcl":      "",
		"/a/workspace.hcl.json": "Invalid JSON keyword",
		"/a/workspace.json":     "Unknown syntax",
		"/a/workspace":          "Unknown syntax",
		"/a/workspace.HCL":      "Unknown syntax",
	} {
		_, report := hcl.Load([]byte("workspace \"a\" {}"), name, options())
		got := ""
		if ds := report.Diagnostics(); len(ds) > 0 {
			got = ds[0].Summary
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
