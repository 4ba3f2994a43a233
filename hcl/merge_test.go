package hcl_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
)

// archive reads the files of a fixture.
func archive(t testing.TB, file string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range a.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// loadAll loads the workspace.hcl of some files with all others.
func loadAll(files map[string]string, vars ...hcl.Given) (*workspace.Workspace, *hcl.Report) {
	o := having(files)
	o.Vars = vars
	return hcl.Load([]byte(files["workspace.hcl"]), dir+"/workspace.hcl", o)
}

// inFixture is the name that a file has in a fixture.
func inFixture(name string) string {
	for _, above := range []string{dir, config} {
		if rel, err := filepath.Rel(above, name); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return name
}

// TestMergedFiles loads fixtures of several files. Lines that are marked are
// wrong; a fixture without a mark has the workspace that it makes beside it, in
// which every value names the file and the line that it comes from.
func TestMergedFiles(t *testing.T) {
	for _, fixture := range fixtures(t, "testdata/merge/*.txtar") {
		t.Run(filepath.Base(fixture), func(t *testing.T) {
			files := archive(t, fixture)
			want := map[string][]string{}
			for name, text := range files {
				for line, summaries := range marked([]byte(text)) {
					want[place(name, line)] = append(want[place(name, line)], summaries...)
				}
			}
			maps.DeleteFunc(want, func(_ string, s []string) bool { return len(s) == 0 })
			ws, report := loadAll(files)
			got := map[string][]string{}
			for _, d := range report.Diagnostics() {
				at := place(inFixture(d.Subject.Filename), d.Subject.Start.Line)
				got[at] = append(got[at], d.Summary)
				slices.Sort(got[at])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				var text strings.Builder
				report.Write(&text, false)
				t.Fatalf("diagnostics by line (-marked +found):\n%s\n%s", diff, &text)
			}
			if ws != nil {
				golden(t, strings.TrimSuffix(fixture, ".txtar")+".golden.json", printed(t, ws))
				checkMerged(t, files, ws)
			}
		})
	}
}

func place(file string, line int) string {
	return workspace.Position{File: file, Line: line}.String()
}

// checkMerged holds what is true of every merged workspace.
func checkMerged(t *testing.T, files map[string]string, ws *workspace.Workspace) {
	t.Helper()
	team := maps.Clone(files)
	maps.DeleteFunc(team, func(name string, _ string) bool {
		return strings.HasPrefix(name, "user.") || strings.HasPrefix(name, "workspaces/")
	})
	shared, report := loadAll(team)
	if report.HasErrors() {
		t.Fatalf("without user files: %v", report.Err())
	}
	if diff := cmp.Diff(shared.Nix, ws.Nix, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("user files change the environment side (-without +with):\n%s", diff)
	}
	if diff := cmp.Diff(shared.Policy.Text, ws.Policy.Text); diff != "" {
		t.Errorf("user files change the text of the policy (-without +with):\n%s", diff)
	}
	checkText(t, shared)
}
