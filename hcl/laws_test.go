package hcl_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/hcl/v2/hclwrite"

	hclcore "github.com/hashicorp/hcl/v2"
)

// sameMeaning compares workspaces that come from different files.
var sameMeaning = gocmp.Options{
	samePlaces,
	cmpopts.IgnoreFields(workspace.Workspace{}, "Files"),
	cmpopts.EquateEmpty(),
}

// TestEmptyFilesChangeNothing: a file that says nothing, in each place, leaves a
// spec as it is.
func TestEmptyFilesChangeNothing(t *testing.T) {
	for _, file := range fixtures(t, "testdata/valid-files/*.hcl") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, report := loadAll(map[string]string{"workspace.hcl": string(src)})
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		got, report := loadAll(map[string]string{
			"workspace.hcl":                    string(src) + "\ninclude \"nothing\" {\n path = \"nothing.hcl\"\n}\nremove {}\n",
			"nothing.hcl":                      "# nothing\n",
			"user.hcl":                         "force {}\nremove {}\nforbid {}\nvariables {}\nlocals {}\n",
			"workspaces/" + want.Name + ".hcl": "environment {}\n",
		})
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		if diff := gocmp.Diff(want, got, sameMeaning); diff != "" {
			t.Errorf("%s with empty files (-alone +with):\n%s", file, diff)
		}
	}
}

// TestHalvesMakeTheWhole: a spec of which some blocks stand in an include means
// the same, whichever they are. The order of agents is that of the nearest file.
func TestHalvesMakeTheWhole(t *testing.T) {
	for _, file := range fixtures(t, "testdata/valid-files/*.hcl") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, report := loadAll(map[string]string{"workspace.hcl": string(src)})
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		for seed := range 16 {
			spec, include := halves(t, src, seed)
			got, report := loadAll(map[string]string{"workspace.hcl": spec, "half.hcl": include})
			if report.HasErrors() {
				t.Fatalf("%v\n%s\n-- half.hcl --\n%s", report.Err(), spec, include)
			}
			if diff := gocmp.Diff(ordered(t, want), ordered(t, got), sameMeaning); diff != "" {
				t.Fatalf("%s in halves (-whole +halves):\n%s\n%s\n-- half.hcl --\n%s", file, diff, spec, include)
			}
		}
	}
}

// halves deals the blocks of a spec out to itself and an include.
func halves(t *testing.T, src []byte, seed int) (spec, include string) {
	t.Helper()
	f, diags := hclwrite.ParseConfig(src, "", hclcore.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	parts := []*strings.Builder{{}, {}}
	for i, b := range f.Body().Blocks() {
		part := parts[(seed>>(i%4))&1]
		if b.Type() == "workspace" {
			part = parts[0]
		}
		fmt.Fprintf(part, "%s\n", b.BuildTokens(nil).Bytes())
	}
	for _, name := range slices.Sorted(maps.Keys(f.Body().Attributes())) {
		fmt.Fprintf(parts[seed&1], "%s\n", f.Body().GetAttribute(name).BuildTokens(nil).Bytes())
	}
	fmt.Fprint(parts[0], "include \"half\" {\n path = \"half.hcl\"\n}\n")
	return parts[0].String(), parts[1].String()
}

// ordered is a workspace with its agents sorted, also in the text.
func ordered(t *testing.T, ws *workspace.Workspace) *workspace.Workspace {
	t.Helper()
	out := *ws
	out.Policy.Agents = slices.SortedFunc(slices.Values(ws.Policy.Agents), func(a, b workspace.Agent) int { return cmp.Compare(a.Name, b.Name) })
	out.Policy.Text = maps.Clone(ws.Policy.Text)
	if agents, ok := out.Policy.Text["agent"].([]any); ok {
		out.Policy.Text["agent"] = slices.SortedFunc(slices.Values(agents), func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return strings.Compare(string(x), string(y))
		})
	}
	return &out
}

// FuzzMerge holds what is true of any four files together.
func FuzzMerge(f *testing.F) {
	archives, err := filepath.Glob("testdata/merge/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archives {
		files := archive(f, file)
		f.Add(files["user.hcl"], files["base.hcl"]+files["first.hcl"], files["workspace.hcl"], files["workspaces/billing.hcl"], "v")
	}
	f.Fuzz(func(t *testing.T, user, include, spec, own, given string) {
		files := map[string]string{"user.hcl": user, "base.hcl": include, "first.hcl": include, "workspace.hcl": spec, "workspaces/billing.hcl": own}
		vars := []hcl.Given{{Name: "branch", Value: given, From: "--var", Loose: true}, {Name: "hosts", Value: given, From: "--var", Loose: true}}
		ws, report := loadAll(files, vars...)
		if (ws == nil) != report.HasErrors() {
			t.Fatal("a workspace and errors, or neither")
		}
		again, reportAgain := loadAll(files, vars...)
		if diff := gocmp.Diff(ws, again); diff != "" || len(report.Diagnostics()) != len(reportAgain.Diagnostics()) {
			t.Errorf("loaded twice:\n%s", diff)
		}
		for _, d := range report.Diagnostics() {
			if d.Subject == nil || d.Subject.Start.Line < 1 || d.Summary == "" || d.Detail == "" {
				t.Errorf("the diagnostic %+v", d)
			}
		}
		if err := report.Write(&strings.Builder{}, true); err != nil {
			t.Error(err)
		}
		if ws == nil {
			return
		}
		checkWorkspace(t, ws)
		delete(files, "user.hcl")
		delete(files, "workspaces/billing.hcl")
		shared, report := loadAll(files)
		if report.HasErrors() {
			return // a variable has no value, or a user file removed what is wrong
		}
		if diff := gocmp.Diff(shared.Nix, ws.Nix); diff != "" {
			t.Errorf("user files change the environment side (-without +with):\n%s", diff)
		}
		if diff := gocmp.Diff(shared.Policy.Text, ws.Policy.Text); diff != "" {
			t.Errorf("user files change the text of the policy (-without +with):\n%s", diff)
		}
		checkText(t, shared)
	})
}
