package hcl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
)

// TestSchemaIsComplete holds that the table has what a reference needs, and
// that what it shows as an example is taken.
func TestSchemaIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range hcl.Schema() {
		if seen[b.Name] {
			t.Errorf("the block %q is in the table twice", b.Name)
		}
		seen[b.Name] = true
		if b.Later {
			continue
		}
		if !strings.HasSuffix(b.Doc, ".") {
			t.Errorf("the doc of the block %q is not a sentence", b.Name)
		}
		if b.Example != "" {
			taken(t, b.Example)
		} else if b.Name != "" {
			t.Errorf("the block %q has no example", b.Name)
		}
		attributes := map[string]bool{}
		for _, a := range b.Attributes {
			if attributes[a.Name] {
				t.Errorf("the attribute %s.%s is in the table twice", b.Name, a.Name)
			}
			attributes[a.Name] = true
			if !a.Later {
				checkAttribute(t, b, a)
			}
		}
	}
}

func checkAttribute(t *testing.T, b hcl.Block, a hcl.Attribute) {
	t.Helper()
	if !strings.HasSuffix(a.Doc, ".") || a.Example == "" || a.Side == "" || a.Type == "" {
		t.Errorf("the attribute %s.%s lacks a doc, an example, a side or a type", b.Name, a.Name)
	}
	if a.Required && a.Default != "" {
		t.Errorf("the attribute %s.%s is required and has a default", b.Name, a.Name)
	}
	for _, value := range []string{a.Example, a.Default, "null"} {
		if value == "" || value == "null" && a.Required {
			continue
		}
		taken(t, with(b, a, value))
	}
}

// with is a block with one attribute, and with what it needs besides.
func with(b hcl.Block, a hcl.Attribute, value string) string {
	if b.Name == "" {
		return fmt.Sprintf("%s = %s", a.Name, value)
	}
	label := ""
	if b.Label != "" {
		label = ` "` + strings.Split(b.Example, `"`)[1] + `"`
	}
	lines := []string{fmt.Sprintf("%s%s {", b.Name, label), fmt.Sprintf("  %s = %s", a.Name, value)}
	for _, other := range b.Attributes {
		if other.Required && other.Name != a.Name {
			lines = append(lines, fmt.Sprintf("  %s = %s", other.Name, other.Example))
		}
	}
	return strings.Join(append(lines, "}"), "\n")
}

// taken loads an example with the blocks that it refers to.
func taken(t *testing.T, example string) {
	t.Helper()
	files := map[string]string{"team.hcl": "", "agentenv.d/example/team.hcl": "", "agentenv.d/team/team.hcl": "", "agentenv.lock": exampleLock}
	if word, _, _ := strings.Cut(example, " "); word == "forbid" || word == "force" || word == "variables" {
		files["user.hcl"], example = example, ""
	}
	src := example + "\n"
	if !strings.Contains("\n"+example, "\nworkspace ") {
		src += "workspace \"example\" {}\n"
	}
	if !strings.Contains("\n"+example, "\ninput ") {
		src += "input \"llm-agents\" {\n url = \"github:numtide/llm-agents.nix\"\n}\n"
	}
	if _, report := hcl.Load([]byte(src), dir+"/workspace.hcl", having(files)); report.HasErrors() {
		var text strings.Builder
		report.Write(&text, false)
		t.Errorf("an example of the schema is not taken:\n%s\n%s", src, &text)
	}
}

var exampleLock = string(hcl.Lock{
	"example": {URL: "git+https://example.org/platform.git", Hash: exampleHash},
	"team":    {URL: "git+https://example.org/platform.git", Hash: exampleHash},
}.Bytes())

func TestSchemaIsACopy(t *testing.T) {
	hcl.Schema()[1].Attributes[0].Name = "changed"
	if hcl.Schema()[1].Attributes[0].Name == "changed" {
		t.Error("a caller can change the table")
	}
}
