package hcl_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/workspace"
	"github.com/bmatcuk/doublestar/v4"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzLoad holds what every spec must keep to, right or wrong, in both
// syntaxes.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/valid-files/*.hcl*", "testdata/error-files/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src, strings.HasSuffix(file, ".json"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		name := dir + "/workspace.hcl"
		if isJSON {
			name += ".json"
		}
		ws, report := hcl.Load(src, name, options())
		if (ws == nil) != report.HasErrors() {
			t.Fatal("a workspace and errors, or neither")
		}
		checkReport(t, report, name)
		again, reportAgain := hcl.Load(src, name, options())
		if diff := gocmp.Diff(ws, again); diff != "" {
			t.Errorf("loaded twice:\n%s", diff)
		}
		if len(report.Diagnostics()) != len(reportAgain.Diagnostics()) {
			t.Error("diagnostics differ when loaded twice")
		}
		if ws != nil {
			checkWorkspace(t, ws)
			checkText(t, ws)
		}
	})
}

func checkReport(t *testing.T, r *hcl.Report, name string) {
	t.Helper()
	var text strings.Builder
	if err := r.Write(&text, false); err != nil {
		t.Error(err)
	}
	if bad := strings.IndexFunc(text.String(), func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); bad >= 0 {
		t.Errorf("the report has a character that a terminal would obey: %q", text.String()[bad:])
	}
	last := 0
	for _, d := range r.Diagnostics() {
		if d.Subject == nil || d.Subject.Filename != name || d.Subject.Start.Line < 1 || d.Subject.Start.Column < 1 {
			t.Errorf("%s: its subject is %v", d.Summary, d.Subject)
			return
		}
		if d.Summary == "" || d.Detail == "" {
			t.Errorf("a diagnostic without words: %+v", d)
		}
		if d.Subject.Start.Byte < last {
			t.Error("the diagnostics are not sorted")
		}
		last = d.Subject.Start.Byte
	}
}

func checkWorkspace(t *testing.T, ws *workspace.Workspace) {
	t.Helper()
	encoded, err := json.Marshal(ws)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(encoded), `\u0000`) {
		t.Errorf("a NUL got through: %s", encoded)
	}
	paths := []string{ws.Policy.Project.Path}
	for _, c := range ws.Policy.Checkouts {
		checkGlobs(t, ws.Dir, append(c.Except, c.Path)...)
		checkGlobs(t, "", c.Hide...)
	}
	for _, h := range ws.Policy.Filesystem.Hide {
		checkGlobs(t, "/", h.Name)
	}
	for _, n := range slices.Concat(ws.Policy.Project.Carry, ws.Policy.Project.Protect) {
		if !filepath.IsLocal(n.Name) || n.Name == "." || filepath.Clean(n.Name) != n.Name {
			t.Errorf("the path below the project %q", n.Name)
		}
	}
	for _, g := range slices.Concat(ws.Policy.Filesystem.Read, ws.Policy.Filesystem.Write) {
		paths = append(paths, g.Path)
	}
	for _, p := range paths {
		if !filepath.IsAbs(p) || filepath.Clean(p) != p || strings.ContainsAny(p, "\n\x00*?") {
			t.Errorf("the path %q", p)
		}
	}
	if ws.Name == "" || ws.Nix.Name != ws.Name || ws.Dir != filepath.Dir(ws.File) || ws.Policy.Project.Mode == "" || ws.Nix.From == "" || len(ws.Nix.Systems) == 0 {
		t.Errorf("something is not set: %s", encoded)
	}
	if !filepath.IsLocal(filepath.FromSlash(ws.Nix.Out)) {
		t.Errorf("the directory of the generated files is %q", ws.Nix.Out)
	}
	strictlySorted(t, "systems", ws.Nix.Systems, strings.Compare)
	strictlySorted(t, "unfree", ws.Nix.Nixpkgs.Unfree, strings.Compare)
	strictlySorted(t, "agents", ws.Nix.Agents, strings.Compare)
	strictlySorted(t, "inputs", ws.Nix.Inputs, func(a, b workspace.Input) int { return cmp.Compare(a.Name, b.Name) })
	strictlySorted(t, "packages", ws.Nix.Packages, func(a, b workspace.Package) int { return cmp.Compare(a.ID, b.ID) })
	strictlySorted(t, "sources", ws.Nix.Sources, func(a, b workspace.Source) int { return cmp.Compare(a.Name, b.Name) })
	strictlySorted(t, "checkouts", ws.Policy.Checkouts, func(a, b workspace.Checkout) int { return cmp.Compare(a.Name, b.Name) })
	strictlySorted(t, "libraries", ws.Nix.Libraries, func(a, b workspace.Package) int { return cmp.Compare(a.ID, b.ID) })
	strictlySorted(t, "source sets", ws.Nix.SourceSets, func(a, b workspace.SourceSet) int { return cmp.Compare(a, b) })
	strictlySorted(t, "insecure", ws.Nix.Nixpkgs.Insecure, strings.Compare)
	checkReferences(t, ws)
	checkBounds(t, ws.Policy)
}

// checkGlobs holds that a glob is one that can be matched, and, if it is of this
// machine, absolute.
func checkGlobs(t *testing.T, dir string, globs ...string) {
	t.Helper()
	for _, g := range globs {
		if !doublestar.ValidatePattern(g) && strings.ContainsAny(g, "*?[{") || strings.ContainsAny(g, "\n\x00") || dir != "" && !filepath.IsAbs(g) {
			t.Errorf("the glob %q", g)
		}
	}
}

// checkBounds holds that every number is one that the kernel takes.
func checkBounds(t *testing.T, p workspace.Policy) {
	t.Helper()
	for _, n := range []int64{p.Filesystem.Tmp.Bytes, p.Limits.Memory.Bytes, p.Limits.Processes.N, p.Limits.OpenFiles.N} {
		if n < 0 {
			t.Errorf("the bound %d", n)
		}
	}
	for _, port := range p.Network.Publish {
		if port.N < 1 || port.N > 65535 {
			t.Errorf("the port %d", port.N)
		}
	}
	if p.Git.Commit != "unsigned" && p.Git.Commit != "forbidden" || p.Sandbox.Isolation == "" {
		t.Errorf("git %+v, sandbox %+v", p.Git, p.Sandbox)
	}
}

// checkReferences holds that nothing names an input that is not there, and that
// every entry has a position.
func checkReferences(t *testing.T, ws *workspace.Workspace) {
	t.Helper()
	inputs := map[string]bool{"": true}
	references := []workspace.Reference{ws.Nix.Agentenv, ws.Nix.Nixpkgs.Reference}
	for _, in := range ws.Nix.Inputs {
		inputs[in.Name] = true
		references = append(references, in.Reference)
	}
	for _, r := range references {
		if r["type"] == nil {
			t.Errorf("the reference %v", r)
		}
	}
	for _, o := range ws.Nix.Nixpkgs.Overlays {
		if o.Input == "" || !inputs[o.Input] || len(o.Path) == 0 {
			t.Errorf("the overlay %+v", o)
		}
	}
	for _, p := range slices.Concat(ws.Nix.Packages, ws.Nix.Libraries) {
		if !inputs[p.Input] || len(p.Path) == 0 || slices.Contains(p.Path, "") || ws.Nix.Positions[p.ID].Line == 0 {
			t.Errorf("the package %+v at %v", p, ws.Nix.Positions[p.ID])
		}
	}
	for _, s := range ws.Nix.Sources {
		if !inputs[s.Input] || ws.Nix.Positions[s.ID].Line == 0 {
			t.Errorf("the source %+v at %v", s, ws.Nix.Positions[s.ID])
		}
	}
	for _, e := range ws.Policy.Network.Allow {
		if e.Host == "" || e.Host != strings.ToLower(e.Host) || strings.HasSuffix(e.Host, ".") {
			t.Errorf("the endpoint %+v", e)
		}
	}
}

func strictlySorted[T any](t *testing.T, what string, all []T, compare func(a, b T) int) {
	t.Helper()
	for i := 1; i < len(all); i++ {
		if compare(all[i-1], all[i]) >= 0 {
			t.Errorf("%s: %v comes before %v", what, all[i-1], all[i])
		}
	}
}

// checkText reads the text of the policy back: it means the same.
func checkText(t *testing.T, ws *workspace.Workspace) {
	t.Helper()
	text := maps.Clone(ws.Policy.Text)
	text["workspace"] = map[string]any{ws.Name: map[string]any{}}
	src, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	back, report := hcl.Load(src, ws.Dir+"/workspace.hcl.json", options())
	if report.HasErrors() {
		var out strings.Builder
		report.Write(&out, false)
		t.Fatalf("the text of the policy does not load:\n%s\n%s", src, &out)
	}
	if diff := gocmp.Diff(ws.Policy, back.Policy, samePlaces, cmpopts.IgnoreFields(workspace.Policy{}, "Text")); diff != "" {
		t.Errorf("the text of the policy means something else (-spec +text):\n%s\n%s", diff, src)
	}
	if diff := gocmp.Diff(ws.Policy.Text, back.Policy.Text); diff != "" {
		t.Errorf("the text of the text differs:\n%s", diff)
	}
}
