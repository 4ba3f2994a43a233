package starter_test

import (
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentenv/agentenv/internal/starter"
	"github.com/agentenv/agentenv/templates"
	"github.com/google/go-cmp/cmp"
)

// TestKinds holds the form of the table: each row is found by each of its files,
// and by nothing else.
func TestKinds(t *testing.T) {
	attribute := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$`)
	host := regexp.MustCompile(`^[a-z0-9.-]+:443$`)
	for _, k := range starter.Kinds() {
		if len(k.Packages) == 0 || len(k.Files) == 0 || k.Name == "" {
			t.Errorf("%+v lacks something", k)
		}
		for _, p := range append(k.Packages, k.Source) {
			if p != "" && !attribute.MatchString(p) {
				t.Errorf("%s: package %q", k.Name, p)
			}
		}
		for _, h := range k.Hosts {
			if !host.MatchString(h) {
				t.Errorf("%s: host %q", k.Name, h)
			}
		}
		for _, pattern := range k.Files {
			if _, err := path.Match(pattern, ""); err != nil {
				t.Errorf("%s: pattern %q: %v", k.Name, pattern, err)
			}
			file := strings.ReplaceAll(pattern, "*", "x")
			got := detect(t, fstest.MapFS{file: {}, "README.md": {}})
			if !strings.Contains(got, k.Name+" by "+file+"\n") {
				t.Errorf("%s is not found by %s, but %q", k.Name, file, got)
			}
		}
	}
}

func detect(t *testing.T, dir fstest.MapFS) string {
	t.Helper()
	kinds, err := starter.Detect(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, k := range kinds {
		b.WriteString(k.Name + " by " + k.Found + "\n")
	}
	return b.String()
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name string
		dir  fstest.MapFS
		want string
	}{
		{"nothing", fstest.MapFS{"README.md": {}}, ""},
		{"in the order of the table", fstest.MapFS{"Makefile": {}, "go.mod": {}, "package.json": {}}, "Go by go.mod\nNode.js by package.json\nMake by Makefile\n"},
		{"not by a directory", fstest.MapFS{"go.mod/x": {}}, ""},
		{"not from below", fstest.MapFS{"sub/go.mod": {}}, ""},
		{"not with a name that ends a comment", fstest.MapFS{"a\nb.tf": {}}, "Terraform by *.tf\n"},
	} {
		if diff := cmp.Diff(tt.want, detect(t, tt.dir)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

func TestSiblings(t *testing.T) {
	dir := fstest.MapFS{
		"shop/.git/HEAD":    {},
		"billing/.git/HEAD": {},
		"worktree/.git":     {}, // a file
		"plain/README.md":   {},
		".hidden/.git/HEAD": {},
		"a b/.git/HEAD":     {},
		"${x}/.git/HEAD":    {},
		"123/.git/HEAD":     {},
		"file":              {},
	}
	if diff := cmp.Diff([]string{"billing", "worktree"}, starter.Siblings(dir, "shop")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestName(t *testing.T) {
	for dir, want := range map[string]string{
		"shop": "shop", "My Shop": "my-shop", "9lives": "lives", "a..b": "a-b", "ünder": "nder", "x_1-": "x_1", "": "", "---": "", "日本": "",
		strings.Repeat("a", 70): strings.Repeat("a", 64),
	} {
		if got := starter.Name(dir); got != want {
			t.Errorf("Name(%q) is %q, want %q", dir, got, want)
		}
	}
}

func TestFillLeavesNoMark(t *testing.T) {
	mark := regexp.MustCompile(`(?m)# [A-Z]+$|"[A-Z][A-Z]+"`)
	if len(mark.FindAllString(templates.Starter, -1)) != 6 {
		t.Fatalf("the template has other marks than six: %q", mark.FindAllString(templates.Starter, -1))
	}
	for _, f := range []starter.Facts{
		{Name: "w"},
		{Name: "w", Flake: true, Checkouts: []string{"a.b", "a-b"}, Kinds: starter.Kinds()},
	} {
		if left := mark.FindAllString(starter.Fill(templates.Starter, f), -1); left != nil {
			t.Errorf("%q is left", left)
		}
	}
}
