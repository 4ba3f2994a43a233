package hcl_test

import (
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
)

// TestReportLooks holds how errors look, with and without colour.
func TestReportLooks(t *testing.T) {
	src := `workspace "billing" {
  systms = ["x86_64-linux"]
}

input "tools" {
  url = "https://github.com/o/tools"
}

checkout "ssh" {
	path = "~/.ssh"	# a tab before and after
}

network { allow = ["` + "\u202e" + `evil:443", "` + strings.Repeat("long-", 60) + `"] }

environment {
  set = {
    NOTE = <<-EOT
      ${nowhere}
    EOT
  }
}
`
	_, report := hcl.Load([]byte(src), dir+"/workspace.hcl", options())
	for name, colour := range map[string]bool{"report.txt": false, "report-colour.txt": true} {
		var text strings.Builder
		if err := report.Write(&text, colour); err != nil {
			t.Fatal(err)
		}
		golden(t, "testdata/"+name, []byte(text.String()))
	}
	want := dir + "/workspace.hcl:2:3: Unknown attribute, and 5 more"
	if err := report.Err(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestRightSpecReportsNothing(t *testing.T) {
	_, report := hcl.Load([]byte(`workspace "a" {}`), dir+"/workspace.hcl", options())
	var text strings.Builder
	if err := report.Write(&text, true); err != nil || text.Len() > 0 || report.Err() != nil || report.HasErrors() {
		t.Errorf("%q, %v, %v", &text, err, report.Err())
	}
}
