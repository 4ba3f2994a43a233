package hcl_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var update = flag.Bool("update", false, "write the golden files anew")

const dir = "/home/u/src/project"

// options are those of every fixture: a home and a release, and no disk.
func options() hcl.Options {
	return hcl.Options{Home: "/home/u", Release: "github:agentenv/agentenv/v0.1.0"}
}

func load(t *testing.T, file string) (*workspace.Workspace, *hcl.Report) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return hcl.Load(src, filepath.Join(dir, filepath.Base(file)), options())
}

func fixtures(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures %s: %v", pattern, err)
	}
	return files
}

// markRE matches what a fixture says of its own line.
var markRE = regexp.MustCompile(`ERROR: ([^#"\n]+)`)

func marked(src []byte) map[int][]string {
	want := map[int][]string{}
	for i, line := range bytes.Split(src, []byte("\n")) {
		for _, m := range markRE.FindAllSubmatch(line, -1) {
			want[i+1] = append(want[i+1], strings.TrimSpace(string(m[1])))
		}
		slices.Sort(want[i+1])
	}
	return want
}

func TestErrorFiles(t *testing.T) {
	for _, file := range fixtures(t, "testdata/error-files/*") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := marked(src)
			ws, report := load(t, file)
			if ws != nil || report.Err() == nil {
				t.Error("the spec was taken")
			}
			got := map[int][]string{}
			for _, d := range report.Diagnostics() {
				line := d.Subject.Start.Line
				got[line] = append(got[line], d.Summary)
				slices.Sort(got[line])
			}
			if diff := cmp.Diff(want, got, cmpopts.IgnoreMapEntries(func(_ int, s []string) bool { return len(s) == 0 })); diff != "" {
				var text strings.Builder
				report.Write(&text, false)
				t.Errorf("diagnostics by line (-marked +found):\n%s\n%s", diff, &text)
			}
		})
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run go test ./hcl -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-golden +got), go test ./hcl -update accepts it:\n%s", file, diff)
	}
}

// printed is a workspace as JSON without what has its zero value, so that a new
// field of the vocabulary changes no golden file that does not use it.
func printed(t *testing.T, ws *workspace.Workspace) []byte {
	t.Helper()
	var v any
	encoded, err := json.Marshal(ws)
	if err == nil {
		err = json.Unmarshal(encoded, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	v, _ = withoutZeros(v)
	encoded, err = json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(encoded, '\n')
}

func withoutZeros(v any) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, false
	case bool:
		return v, v
	case string:
		return v, v != ""
	case float64:
		return v, v != 0
	case map[string]any:
		for k, e := range v {
			if kept, ok := withoutZeros(e); ok {
				v[k] = kept
			} else {
				delete(v, k)
			}
		}
		return v, len(v) > 0
	case []any:
		for i, e := range v {
			v[i], _ = withoutZeros(e)
		}
		return v, len(v) > 0
	}
	return v, true
}

func TestValidFiles(t *testing.T) {
	for _, file := range fixtures(t, "testdata/valid-files/*.hcl") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ws, report := load(t, file)
			var text strings.Builder
			if err := report.Write(&text, false); err != nil || ws == nil || text.Len() > 0 {
				t.Fatalf("%v\n%s", err, &text)
			}
			golden(t, strings.TrimSuffix(file, ".hcl")+".golden.json", printed(t, ws))
		})
	}
}

// samePlaces compares workspaces of two syntaxes: what was written where is all
// that may differ.
var samePlaces = cmp.Options{
	cmpopts.IgnoreTypes(workspace.Position{}),
	cmpopts.IgnoreFields(workspace.Workspace{}, "File"),
}

func TestJSONTwins(t *testing.T) {
	for _, file := range fixtures(t, "testdata/valid-files/*.hcl.json") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			twin, report := load(t, file)
			if err := report.Err(); err != nil {
				t.Fatal(err)
			}
			want, report := load(t, strings.TrimSuffix(file, ".json"))
			if err := report.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, twin, samePlaces); diff != "" {
				t.Errorf("the same spec in both syntaxes (-HCL +JSON):\n%s", diff)
			}
		})
	}
}

// TestNullIsAbsent holds that null, which JSON has and people generate, means
// what leaving out means.
func TestNullIsAbsent(t *testing.T) {
	want, report := load(t, "testdata/valid-files/minimal.hcl")
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	for src, summary := range map[string]string{
		`{"workspace": {"minimal": {"systems": null}}, "project": null, "network": {"allow": null}, "packages": null}`: "",
		`{"workspace": null}`:              "Missing block label",
		`{"workspace": {"minimal": null}}`: "Missing workspace block",
		`{"workspace": []}`:                "Missing block label",
		`{"workspace": {"minimal": []}}`:   "Missing workspace block",
		`{}`:                               "Missing workspace block",
		`null`:                             "Root value must be object",
		`{"workspace": {"minimal": {}}, "agent": {"a": null}}`: "",
	} {
		ws, report := hcl.Load([]byte(src), dir+"/workspace.hcl.json", options())
		got := ""
		if ds := report.Diagnostics(); len(ds) > 0 {
			got = ds[0].Summary
		}
		if got != summary {
			t.Errorf("%s: %q, want %q", src, got, summary)
		}
		if diff := cmp.Diff(want, ws, samePlaces); summary == "" && diff != "" {
			t.Errorf("%s:\n%s", src, diff)
		}
	}
}

// TestSameBytesEverywhere holds the two sides apart: what reaches derivations
// does not depend on the machine or on the layout of the file.
func TestSameBytesEverywhere(t *testing.T) {
	src, err := os.ReadFile("testdata/valid-files/full.hcl")
	if err != nil {
		t.Fatal(err)
	}
	want, report := hcl.Load(src, "/home/u/src/project/workspace.hcl", options())
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	o := options()
	o.Home = "/Users/somebody"
	crlf := bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
	got, report := hcl.Load(append([]byte("\xef\xbb\xbf# a comment\r\n"), crlf...), "/elsewhere/workspace.hcl", o)
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	if diff := cmp.Diff(want.Nix, got.Nix, samePlaces); diff != "" {
		t.Errorf("environment side on two machines:\n%s", diff)
	}
	if diff := cmp.Diff(want.Policy.Text, got.Policy.Text); diff != "" {
		t.Errorf("text of the policy on two machines:\n%s", diff)
	}
	if cmp.Equal(want.Policy, got.Policy) {
		t.Error("the launch side does not depend on the machine")
	}
}
