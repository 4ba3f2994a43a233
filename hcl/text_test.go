package hcl_test

import (
	"fmt"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
)

// TestPolicyText holds that the text of the policy means what was written, for
// the ways in which an expression can be written.
func TestPolicyText(t *testing.T) {
	for expr, want := range map[string]any{
		`["a"]`:                                            []any{"a"},
		`["$${x} %%{y} $$ $ % {"]`:                         []any{"$${x} %%{y} $$ $ % {"},
		`["$$${x}"]`:                                       nil,
		`["tab\tquote\"back\\slash\u00e9"]`:                []any{"tab\tquote\"back\\slashé"},
		`["${home}/x", "x${local.one}y"]`:                  []any{"${home}/x", "x${local.one}y"},
		`["${home}", "${"$"}${local.one}"]`:                nil,
		`["a$ ${~ local.one ~} b"]`:                        nil,
		`["a ${~ local.one ~} b"]`:                         []any{"a${local.one}b"},
		`["%{ if true }a%{ else }b%{ endif }"]`:            nil,
		`["x%{ for n in local.many }${n},%{ endfor }"]`:    nil,
		`["x${true ? "a" : "b"}"]`:                         []any{`x${true ? "a" : "b"}`},
		`[for n in local.many : "x-${n}"]`:                 `${[for n in local.many : "x-${n}"]}`,
		`concat(local.many, ["c"])`:                        `${concat(local.many, ["c"])}`,
		`[(local.one)]`:                                    []any{"${local.one}"},
		`(["a"])`:                                          []any{"a"},
		`[local.many[0], local.map.k, local.map["k"]]`:     []any{"${local.many[0]}", "${local.map.k}", `${local.map["k"]}`},
		`local.many[*]`:                                    "${local.many[*]}",
		`[for k, v in local.map : "${k}=${v}" if v != ""]`: nil,
		"[<<EOT\nline ${local.one}\n$${x}\nEOT\n]":         []any{"line ${local.one}\n$${x}\n"},
		"[<<-EOT\n  a\n    ${local.one}\n  EOT\n]":         nil,
		"[\n  # a comment\n  \"a\", // another\n]":         []any{"a"},
		`["${local.number}", "${1 + 1}"]`:                  []any{"${local.number}", "${1 + 1}"},
		`["${"nested ${"quotes"}"}"]`:                      nil,
		`[upper("a"), format("%s-%03d", "x", 7)]`:          nil,
		`["a" == "a" ? "yes" : "no"]`:                      []any{`${"a" == "a" ? "yes" : "no"}`},
	} {
		src := fmt.Sprintf(`
workspace "w" {}
locals {
  one    = "1"
  many   = ["a", "b"]
  map    = { k = "v" }
  number = 22
}
agent "a" {
  program = "a"
  args    = %s
}
`, expr)
		ws, report := hcl.Load([]byte(src), dir+"/workspace.hcl", options())
		if err := report.Err(); err != nil {
			t.Errorf("%s: %v", expr, err)
			continue
		}
		checkText(t, ws)
		got := ws.Policy.Text["agent"].([]any)[0].(map[string]any)["a"].(map[string]any)["args"]
		if diff := cmp.Diff(want, got); want != nil && diff != "" {
			t.Errorf("%s (-want +got):\n%s", expr, diff)
		}
	}
}

// TestPolicyTextHasWhatItNeeds holds that locals are in the text if, and only
// if, something in it refers to them.
func TestPolicyTextHasWhatItNeeds(t *testing.T) {
	src := `
workspace "w" {}
locals {
  used     = local.through
  through  = "${home}/x"
  packages = ["go"]
  unused   = "x"
}
packages = local.packages
checkout "a" {
  path = local.used
}
source "openssl" {}
environment {
  base = false
}
`
	ws, report := hcl.Load([]byte(src), dir+"/workspace.hcl", options())
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"checkout": map[string]any{"a": map[string]any{"path": "${local.used}"}},
		"locals":   map[string]any{"used": "${local.through}", "through": "${home}/x"},
	}
	if diff := cmp.Diff(want, ws.Policy.Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	checkText(t, ws)
}
