package hcl_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
)

func chain(n int) map[string]string {
	files := map[string]string{"workspace.hcl": "workspace \"w\" {}\ninclude \"a\" {\n path = \"1.hcl\"\n}\n"}
	for i := 1; i < n; i++ {
		files[fmt.Sprintf("%d.hcl", i)] = fmt.Sprintf("include \"a\" {\n path = \"%d.hcl\"\n}\n", i+1)
	}
	files[fmt.Sprintf("%d.hcl", n)] = "packages = [\"deep\"]\n"
	return files
}

func TestIncludeDepth(t *testing.T) {
	if ws, report := loadAll(chain(8)); ws == nil || len(ws.Nix.Packages) != 1 {
		t.Errorf("8 deep: %v", report.Err())
	}
	_, report := loadAll(chain(9))
	if ds := report.Diagnostics(); len(ds) != 1 || ds[0].Summary != "Nested too deeply" || filepath.Base(ds[0].Subject.Filename) != "8.hcl" {
		t.Errorf("9 deep: %v", report.Err())
	}
}

// TestIncludedOnce: a file that two others include is merged once.
func TestIncludedOnce(t *testing.T) {
	ws, report := loadAll(map[string]string{
		"workspace.hcl": "workspace \"w\" {}\ninclude \"a\" {\n path = \"a.hcl\"\n}\ninclude \"b\" {\n path = \"./b.hcl\"\n}\n",
		"a.hcl":         "include \"c\" {\n path = \"c.hcl\"\n}\n",
		"b.hcl":         "include \"c\" {\n path = \"./c.hcl\"\n}\n",
		"c.hcl":         "agent \"x\" {\n program = \"x\"\n}\n",
	})
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	var names []string
	for _, f := range ws.Files {
		names = append(names, inFixture(f))
	}
	if diff := cmp.Diff([]string{"a.hcl", "c.hcl", "b.hcl"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestSources: the report has the bytes of every file as they were read.
func TestSources(t *testing.T) {
	files := map[string]string{
		"workspace.hcl":    "workspace \"w\" {}\r\ninclude \"a\" {\r\n path = \"a.hcl.json\"\r\n}\r\n",
		"a.hcl.json":       `{"packages": ["x"]}`,
		"user.hcl.json":    `{"network": {"allow": ["a.example.org:443"]}}`,
		"workspaces/w.hcl": "\xef\xbb\xbf",
	}
	ws, report := loadAll(files)
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	got := map[string]string{}
	var roles []hcl.Role
	report.Rename(func(string) string { return "renamed" })
	for _, s := range report.Sources() {
		got[inFixture(s.Name)] = string(s.Src)
		roles = append(roles, s.Role)
	}
	if diff := cmp.Diff(files, got); diff != "" {
		t.Error(diff)
	}
	if want := []hcl.Role{hcl.RoleSpec, hcl.RoleInclude, hcl.RoleUser, hcl.RoleWorkspaceUser}; !slices.Equal(roles, want) {
		t.Errorf("roles %q", roles)
	}
	if at := ws.Policy.Network.Allow[0].At; filepath.Base(at.File) != "user.hcl.json" || at.Line != 1 {
		t.Errorf("the place of a value of JSON: %v", at)
	}
}

// TestBadUserFile: a user file that cannot be read is no file that is not there.
func TestBadUserFile(t *testing.T) {
	o := options()
	o.User = func(name string) (hcl.Source, error) { return hcl.Source{}, errors.New("it is a directory") }
	ws, report := hcl.Load([]byte("workspace \"w\" {}"), dir+"/workspace.hcl", o)
	if ds := report.Diagnostics(); ws != nil || len(ds) != 2 || ds[0].Summary != "User file not readable" || !strings.Contains(ds[0].Detail, "directory") {
		t.Errorf("%v", report.Err())
	}
}

// TestIncludes finds what is to be fetched before anything is there.
func TestIncludes(t *testing.T) {
	files := map[string]string{
		"a.hcl": "include \"two\" {\n path = \"x.hcl\"\n url = \"github:example/two/main\"\n}\n",
		"agentenv.d/one/x.hcl": "include \"three\" {\n path = \"x.hcl\"\n url = \"git+https://example.org/three.git\"\n}\n" +
			"include \"beside\" {\n path = \"y.hcl\"\n}\n",
		"agentenv.d/one/y.hcl": "",
	}
	spec := "workspace \"w\" {}\ninclude \"one\" {\n path = \"x.hcl\"\n url = \"github:example/one\"\n}\ninclude \"a\" {\n path = \"a.hcl\"\n}\nnonsense {}\n"
	found, report := hcl.Includes([]byte(spec), dir+"/workspace.hcl", having(files))
	if report.HasErrors() {
		t.Fatal(report.Err())
	}
	var got []string
	for _, i := range found {
		got = append(got, fmt.Sprintf("%s %s %v %s:%d", i.Tree(), i.URL, i.Reference["type"], inFixture(i.At.File), i.At.Line))
	}
	want := []string{
		"agentenv.d/one github:example/one github workspace.hcl:4",
		"agentenv.d/three git+https://example.org/three.git git agentenv.d/one/x.hcl:3",
		"agentenv.d/two github:example/two/main github a.hcl:3",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
