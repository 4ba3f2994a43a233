package hcl_test

import (
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
)

// given loads a spec with one variable, v, whose value is passed as A and, where
// it is a list, as hosts.
func given(typ, use string, vars ...hcl.Given) (set map[string]string, report *hcl.Report) {
	spec := "workspace \"w\" {}\nvariable \"v\" {\n type = " + typ + "\n}\nenvironment {\n set = " + use + "\n}\n"
	ws, report := loadAll(map[string]string{"workspace.hcl": spec, "user.hcl": "variables {\n w = 1\n}\n"}, vars...)
	if ws == nil {
		return nil, report
	}
	return ws.Policy.Set, report
}

// TestGivenValues holds how the text of a value is read.
func TestGivenValues(t *testing.T) {
	one := `{ A = "${var.v}" }`
	for _, tt := range []struct {
		typ, use, text string
		want           string // "" where the value is refused
	}{
		{"string", one, "main", "main"},
		{"string", one, `"quoted" ${home}`, `"quoted" ${home}`},
		{"string", one, "a\x00b", ""},
		{"bool", one, "true", "true"},
		{"bool", one, "1", ""},
		{"bool", one, "yes", ""},
		{"number", one, "3000", "3000"},
		{"number", one, "1.5", "1.5"},
		{"number", one, "1e999999999", ""},
		{"number", one, "0x10", ""},
		{"number", one, "true", ""},
		{"number", one, "", ""},
		{"list(string)", `{ A = join("+", var.v) }`, `["a", "b"]`, "a+b"},
		{"list(string)", `{ A = join("+", var.v) }`, `[]`, "-"},
		{"list(string)", `{ A = join("+", var.v) }`, `a,b`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `[1]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `[null]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `[home]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `["${home}"]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `[for x in ["a"] : x]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, `[[for x in ["a"] : x][0]]`, ""},
		{"list(string)", `{ A = join("+", var.v) }`, strings.Repeat("[", 1000), ""},
		{"map(string)", "var.v", `{ A = "1" }`, "1"},
		{"map(string)", "var.v", `{ A = 1 }`, ""},
		{"map(string)", "var.v", `["A"]`, ""},
	} {
		set, report := given(tt.typ, tt.use, hcl.Given{Name: "v", Value: tt.text, From: "--var"})
		got := set["A"]
		if tt.want == "-" && set != nil && got == "" {
			got = "-"
		}
		if got != tt.want || (tt.want == "") != report.HasErrors() {
			t.Errorf("%s = %.40q: %q, want %q (%v)", tt.typ, tt.text, got, tt.want, report.Err())
		}
		if tt.want == "" && report.Diagnostics()[0].Summary != "Wrong value" {
			t.Errorf("%s = %.40q: %v", tt.typ, tt.text, report.Err())
		}
	}
}

// TestGivenPrecedence: of two values for one variable the later counts, and what
// the caller gives counts before user files.
func TestGivenPrecedence(t *testing.T) {
	flag := func(v string) hcl.Given { return hcl.Given{Name: "v", Value: v, From: "--var"} }
	files := map[string]string{
		"workspace.hcl": "workspace \"w\" {}\nvariable \"v\" {\n default = \"preset\"\n}\nlocals {\n l = \"l-${var.v}\"\n}\npackages = [\"p-${var.v}\", local.l]\nenvironment {\n set = { A = \"${var.v} ${local.l}\" }\n}\n",
	}
	for _, step := range []struct {
		file, text string
		vars       []hcl.Given
		want       string
	}{
		{want: "preset l-preset"},
		{file: "user.hcl", text: "variables {\n v = \"user\"\n}", want: "user l-user"},
		{file: "workspaces/w.hcl", text: "variables {\n v = \"own\"\n}", want: "own l-own"},
		{vars: []hcl.Given{{Name: "v", Value: "env", From: "AGENTENV_VAR_v", Loose: true}}, want: "env l-env"},
		{vars: []hcl.Given{{Name: "v", Value: "env", From: "AGENTENV_VAR_v", Loose: true}, flag("one"), flag("two")}, want: "two l-two"},
	} {
		if step.file != "" {
			files[step.file] = step.text
		}
		ws, report := loadAll(files, step.vars...)
		if report.HasErrors() {
			t.Fatal(report.Err())
		}
		if got := ws.Policy.Set["A"]; got != step.want {
			t.Errorf("%+v: %q", step, got)
		}
		var packages []string
		for _, p := range ws.Nix.Packages {
			packages = append(packages, p.ID)
		}
		if diff := cmp.Diff([]string{"l-preset", "p-preset"}, packages); diff != "" {
			t.Errorf("the environment side does not see the default:\n%s", diff)
		}
	}
}

// TestUnknownVariables: a name on the command line must be one; in the
// environment and in user.hcl it may be for another workspace.
func TestUnknownVariables(t *testing.T) {
	for _, tt := range []struct {
		given hcl.Given
		want  string
	}{
		{hcl.Given{Name: "w", Value: "x", From: "AGENTENV_VAR_w", Loose: true}, "Missing value"},
		{hcl.Given{Name: "V", Value: "x", From: "--var"}, "Unknown variable"},
	} {
		_, report := given("string", `{ A = var.v }`, tt.given)
		if ds := report.Diagnostics(); len(ds) == 0 || ds[0].Summary != tt.want {
			t.Errorf("%+v: %v", tt.given, report.Err())
		}
	}
}
