package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/starter"
	"github.com/agentenv/agentenv/templates"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

// TestStarters holds that every spec that init can write is right and formatted,
// as it is and with all that it only suggests.
func TestStarters(t *testing.T) {
	all := []starter.Facts{{Name: "w"}, {Name: "w", Flake: true, Kinds: starter.Kinds(), Checkouts: []string{"a.b", "a-b", "c"}}}
	for _, k := range starter.Kinds() {
		k.Found = k.Files[0]
		all = append(all, starter.Facts{Name: "w", Kinds: []starter.Kind{k}, Checkouts: []string{"c"}})
	}
	suggestion := regexp.MustCompile(`(?m)^( *)# ((?:source|checkout|") ?.*[,}])$`)
	for _, f := range all {
		text := starterText(t, starter.Fill(templates.Starter, f))
		ws := starterSpec(t, text)
		if n := len(ws.Nix.Packages); n < 1+len(f.Kinds) && len(f.Kinds) < 2 {
			t.Errorf("%d packages in\n%s", n, text)
		}
		more := starterSpec(t, starterText(t, suggestion.ReplaceAllString(text, "$1$2")))
		if len(more.Nix.Sources) != 1 || len(more.Policy.Checkouts) != max(1, len(f.Checkouts)) {
			t.Errorf("%d sources and %d checkouts where all is taken that\n%s\nsuggests", len(more.Nix.Sources), len(more.Policy.Checkouts), text)
		}
		if hosts := strings.Count(text, `:443"`); len(more.Policy.Network.Allow) != hosts {
			t.Errorf("%d hosts, want %d", len(more.Policy.Network.Allow), hosts)
		}
	}
}

// starterText is text as fmt writes it.
func starterText(t *testing.T, text string) string {
	t.Helper()
	formatted, report := hcl.Format([]byte(text), "/w/workspace.hcl")
	if report.HasErrors() {
		t.Fatalf("%v in\n%s", report.Err(), text)
	}
	return string(formatted)
}

func starterSpec(t *testing.T, text string) *workspace.Workspace {
	t.Helper()
	ws, report := hcl.Load([]byte(text), "/home/h/w/workspace.hcl", hcl.Options{Home: "/home/h", Release: release})
	if report.HasErrors() {
		t.Fatalf("%v in\n%s", report.Err(), text)
	}
	return ws
}

// TestStarterIsFormatted holds the template itself in the form that fmt writes.
func TestStarterIsFormatted(t *testing.T) {
	if diff := cmp.Diff(templates.Starter, starterText(t, templates.Starter)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
