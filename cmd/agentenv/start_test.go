package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// heavy are packages that cost every start more than a command is worth: they
// compile patterns, fill tables, or bring much else along.
var heavy = []string{
	"github.com/google/go-cmp/cmp", "github.com/hashicorp/hcl/v2/hclwrite", "github.com/alecthomas/chroma/v2",
	"net/http", "html/template", "testing", "go/types",
}

func TestStartsWithoutHeavyPackages(t *testing.T) {
	cmd := exec.Command("go", "list", "-buildvcs=false", "-deps", ".")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "github.com/hashicorp/hcl/v2") {
		t.Fatal("go list does not list what is imported")
	}
	for _, p := range heavy {
		if slices.Contains(deps, p) {
			t.Errorf("%s is imported", p)
		}
	}
}
