package templates_test

import (
	"os"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/nixgen"
)

// TestInit: what nix flake init writes is a spec without errors, and formatted.
func TestInit(t *testing.T) {
	text, err := os.ReadFile("init/workspace.hcl")
	if err != nil {
		t.Fatal(err)
	}
	ws, report := hcl.Load(text, "/home/h/w/workspace.hcl", hcl.Options{Home: "/home/h", Release: "github:agentenv/agentenv/v1.0.0"})
	if ws == nil || report.HasErrors() {
		t.Fatalf("the spec has errors: %v", report.Err())
	}
	if _, err := nixgen.Generate(ws, "1.0.0"); err != nil {
		t.Error(err)
	}
	if formatted, _ := hcl.Format(text, "workspace.hcl"); string(formatted) != string(text) {
		t.Errorf("the spec is not formatted; want\n%s", formatted)
	}
}
