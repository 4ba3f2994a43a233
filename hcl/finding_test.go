package hcl_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
)

func TestFindings(t *testing.T) {
	_, report := hcl.Load([]byte("workspace \"w\" {}\nproject { mode = \"direkt\" }\n"), "/w/workspace.hcl", hcl.Options{Home: "/home/h", Release: "github:agentenv/agentenv/v0.1.0"})
	report.Rename(func(file string) string { return filepath.Base(file) })
	found := report.Findings()
	if len(found) != 1 {
		t.Fatalf("%d findings, want one: %v", len(found), found)
	}
	got := found[0]
	if got.Summary == "" || got.Detail == "" || got.Help == "" {
		t.Errorf("without words: %+v", got)
	}
	got.Summary, got.Detail, got.Help = "", "", ""
	want := hcl.Finding{Severity: "error", File: "workspace.hcl", Start: hcl.Place{Line: 2, Column: 18, Byte: 34}, End: hcl.Place{Line: 2, Column: 26, Byte: 42}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var text strings.Builder
	if err := report.Write(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"workspace.hcl:2:18: error: ", `mode = "direkt"`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &text)
		}
	}
	if strings.Contains(text.String(), "/w/") {
		t.Errorf("the old name is in\n%s", &text)
	}
}

func TestNewReport(t *testing.T) {
	src := "workspace \"w\" {}\r\npackages = [\"ä\", \"ripgrep\"]\nsource \"x\" {}\n"
	report := hcl.NewReport(map[string][]byte{"w.hcl": []byte(src)}, []hcl.Finding{
		{Summary: "Later", File: "w.hcl", Start: hcl.Place{Line: 3, Column: 1}},
		{Summary: "Sooner", Detail: "Why.", Help: "what to write", File: "w.hcl", Start: hcl.Place{Line: 2, Column: 18}},
		{Summary: "Beyond", File: "w.hcl", Start: hcl.Place{Line: 9, Column: 7}},
		{Summary: "Elsewhere", File: "other.hcl", Start: hcl.Place{Line: 1, Column: 1}},
	})
	var text strings.Builder
	if err := report.Write(&text, false); err != nil {
		t.Fatal(err)
	}
	want := `other.hcl:1:1: error: Elsewhere
   1 | 
     | ^

w.hcl:2:18: error: Sooner
   2 | packages = ["ä", "ripgrep"]
     |                  ^^^^^^^^^
  Why.
  help: what to write

w.hcl:3:1: error: Later
   3 | source "x" {}
     | ^^^^^^

w.hcl:9:7: error: Beyond
   9 | 
     | ^
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !report.HasErrors() || len(report.Findings()) != 4 {
		t.Errorf("findings %v", report.Findings())
	}
}
