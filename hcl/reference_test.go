package hcl_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

const reference = "../docs/spec.md"

// TestReference holds that docs/spec.md says what the tables say.
func TestReference(t *testing.T) {
	hides := workspace.DefaultHides()
	page, err := template.New("spec.md.tmpl").Funcs(template.FuncMap{
		"blocks":    func() string { return blockSections(t) },
		"functions": functionRows,
		"later":     laterNames,
		"secrets":   func() string { return filled(tilde(workspace.SecretPlaces())) },
		"runs":      func() string { return filled(tilde(workspace.RunPlaces())) },
		"hidden":    func() string { return filled(hides.Hide) },
		"excepted":  func() string { return filled(hides.Except) },
		"keyed":     func() string { return filled(hides.Keyed) },
	}).ParseFiles("testdata/spec.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Execute(&b, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, reference, b.Bytes())
}

func blockSections(t *testing.T) string {
	var b strings.Builder
	for _, block := range hcl.Schema() {
		if block.Later {
			continue
		}
		title := "The top of the file"
		switch {
		case block.Label != "":
			title = fmt.Sprintf("`%s %q`", block.Name, block.Label)
		case block.Name != "":
			title = "`" + block.Name + "`"
		}
		fmt.Fprintf(&b, "### %s\n\n%s%s\n\n", title, block.Doc, standing(block.Only))
		if block.Example != "" {
			fmt.Fprintf(&b, "```hcl\n%s```\n\n", formatted(t, block.Example))
		}
		for _, a := range block.Attributes {
			if !a.Later {
				attributeSection(t, &b, block, a)
			}
		}
	}
	return b.String()
}

// standing says which files a block may stand in, if not in all.
func standing(only []hcl.Role) string {
	if only == nil {
		return ""
	}
	var files []string
	for _, role := range only {
		files = append(files, map[hcl.Role]string{
			hcl.RoleSpec: "the spec", hcl.RoleInclude: "an include", hcl.RoleUser: "`user.hcl`", hcl.RoleWorkspaceUser: "`workspaces/NAME.hcl`",
		}[role])
	}
	return " It stands in " + strings.Join(files, " or ") + "."
}

func attributeSection(t *testing.T, b *strings.Builder, block hcl.Block, a hcl.Attribute) {
	name := a.Name
	if block.Name != "" {
		name = block.Name + "." + a.Name
	}
	fmt.Fprintf(b, "#### `%s`\n\n%s · %s side", name, a.Type, a.Side)
	if a.Ordered {
		b.WriteString(" · in order")
	}
	switch {
	case a.Required:
		b.WriteString(" · required")
	case a.Default != "":
		fmt.Fprintf(b, " · default `%s`", a.Default)
	}
	fmt.Fprintf(b, "\n\n%s\n\n```hcl\n%s```\n\n", a.Doc, formatted(t, with(block, a, a.Example)))
	if a.Unenforced != "" {
		fmt.Fprintf(b, "Checked, but not enforced in this version: a launch refuses %s.\n\n", code(a.Unenforced))
	}
}

// code marks what is a literal in a phrase.
func code(phrase string) string {
	return regexp.MustCompile(`"[a-z]+"|^true$`).ReplaceAllString(phrase, "`$0`")
}

func formatted(t *testing.T, src string) string {
	text, report := hcl.Format([]byte(src), dir+"/workspace.hcl")
	if report.HasErrors() {
		t.Fatalf("%v in\n%s", report.Err(), src)
	}
	return string(text)
}

func functionRows() string {
	var b strings.Builder
	for _, f := range hcl.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | `%s` |\n", f.Name, f.Doc, f.Example, f.Result)
	}
	return b.String()
}

func laterNames() string {
	var names []string
	for _, b := range hcl.Schema() {
		if b.Later {
			names = append(names, "`"+b.Name+"`")
			continue
		}
		for _, a := range b.Attributes {
			if a.Later {
				names = append(names, "`"+b.Name+"."+a.Name+"`")
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// tilde is places as a reader writes them.
func tilde(places []string) []string {
	for i, p := range places {
		if !strings.HasPrefix(p, "/") {
			places[i] = "~/" + p
		}
	}
	return places
}

// filled is words in lines of a page's width. Some have a space in them, so two
// stand between words.
func filled(words []string) string {
	const width = 86
	var lines []string
	line := ""
	for _, w := range words {
		if line != "" && len(line)+2+len(w) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += "  "
		}
		line += w
	}
	return strings.Join(append(lines, line), "\n")
}

var fenceRE = regexp.MustCompile("(?ms)^```(hcl|json)\n(.*?)^```$")

// TestReferenceExamples holds that each example on the page is taken.
func TestReferenceExamples(t *testing.T) {
	page, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	fences := fenceRE.FindAllSubmatch(page, -1)
	attributes := 0
	for _, b := range hcl.Schema() {
		attributes += len(b.Attributes)
	}
	if later := strings.Count(laterNames(), "."); len(fences) < attributes-later {
		t.Errorf("the page has %d examples, and there are %d attributes", len(fences), attributes)
	}
	for _, f := range fences {
		if string(f[1]) == "hcl" {
			taken(t, string(f[2]))
		} else if _, report := hcl.Load(f[2], dir+"/workspace.hcl.json", options()); report.HasErrors() {
			t.Errorf("%v in\n%s", report.Err(), f[2])
		}
	}
}

// refusedRE matches the names of attributes in what the launcher refuses.
var refusedRE = regexp.MustCompile(`"([a-z]+\.[a-z]+) `)

// TestUnenforced holds the table against what the launcher refuses.
func TestUnenforced(t *testing.T) {
	src, err := os.ReadFile("../launcher/unsupported.go")
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]bool{}
	for _, m := range refusedRE.FindAllSubmatch(src, -1) {
		refused[string(m[1])] = true
	}
	marked := map[string]bool{}
	for _, b := range hcl.Schema() {
		for _, a := range b.Attributes {
			if a.Unenforced != "" {
				marked[b.Name+"."+a.Name] = true
			}
		}
	}
	if diff := cmp.Diff(refused, marked); diff != "" {
		t.Errorf("attributes that a launch refuses (-launcher +schema):\n%s", diff)
	}
}

// TestFunctions holds that each function has a row, and that its example is what
// the row says.
func TestFunctions(t *testing.T) {
	var src strings.Builder
	src.WriteString("workspace \"a\" {}\nagent \"b\" {\n program = \"b\"\n args = [\n")
	functions := hcl.Functions()
	for _, f := range functions {
		if !strings.HasPrefix(f.Example, f.Name+"(") || !strings.HasSuffix(f.Doc, ".") || strings.Contains(f.Doc+f.Example+f.Result, "|") {
			t.Errorf("the row of %s", f.Name)
		}
		fmt.Fprintf(&src, "jsonencode(%s), jsonencode(%s),\n", f.Example, f.Result)
	}
	src.WriteString("]\n}\n")
	ws, report := hcl.Load([]byte(src.String()), dir+"/workspace.hcl", options())
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	args := ws.Policy.Agents[0].Args
	for i, f := range functions {
		if args[2*i] != args[2*i+1] {
			t.Errorf("%s is %s, not %s", f.Example, args[2*i], args[2*i+1])
		}
	}
}
