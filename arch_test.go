package agentenv_test

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/agentenv/agentenv"

// TestArrows holds the imports of the packages against the table in
// ARCHITECTURE.md: our own arrows exactly, and which packages may import a
// third-party module.
func TestArrows(t *testing.T) {
	if diff := cmp.Diff(written(t), actual(t)); diff != "" {
		t.Errorf("imports differ from the table in ARCHITECTURE.md (-table +code)\n%s", diff)
	}
}

// written reads the rows `| package | ours | others |` of the table.
func written(t *testing.T) map[string][]string {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "<!-- arrows -->")
	table, _, ok2 := strings.Cut(table, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatal("ARCHITECTURE.md has no table between <!-- arrows --> and <!-- end -->")
	}
	rows := map[string][]string{}
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		if len(cells) != 3 || !strings.Contains(cells[0], "`") {
			continue
		}
		arrows := append(words(cells[1]), words(cells[2])...)
		slices.Sort(arrows)
		rows[words(cells[0])[0]] = arrows
	}
	return rows
}

// words are the texts between back quotes.
func words(cell string) []string {
	out := []string{}
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

func actual(t *testing.T) map[string][]string {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	rows := map[string][]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(p.ImportPath, module+"/"); ok {
			rows[name] = arrows(p.Imports)
		}
	}
}

// arrows shortens imports: ours to the folder, others to their module; the
// standard library is left out.
func arrows(imports []string) []string {
	out := []string{}
	for _, i := range imports {
		if name, ok := strings.CutPrefix(i, module+"/"); ok {
			out = append(out, name)
		} else if host, _, _ := strings.Cut(i, "/"); strings.Contains(host, ".") {
			out = append(out, moduleOf(i))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moduleOf cuts an import path to the module: three elements on a code host,
// three on golang.org, and a major version where one follows.
func moduleOf(path string) string {
	parts := strings.Split(path, "/")
	n := min(3, len(parts))
	if len(parts) > 3 && len(parts[3]) > 1 && parts[3][0] == 'v' && parts[3][1] >= '2' && parts[3][1] <= '9' {
		n = 4
	}
	return strings.Join(parts[:n], "/")
}

// TestExitsAndProcesses holds the rules that imports cannot show: only main
// exits, and only two packages start processes.
func TestExitsAndProcesses(t *testing.T) {
	for _, rule := range []struct {
		text string
		only []string
	}{
		{"os.Exit(", []string{"cmd/agentenv/main.go", "launcher/", "internal/attack/", "internal/demo/", "internal/fixture/", "internal/bench/"}},
		{`"os/exec"`, []string{"internal/nix/", "internal/demo/", "internal/fixture/", "internal/attack/", "internal/bench/"}},
	} {
		out, err := exec.Command("git", "grep", "-lF", "--untracked", rule.text, "--", "*.go", ":!*_test.go", ":!*testdata*").Output()
		if err != nil && len(out) > 0 {
			t.Fatalf("git grep: %v", err)
		}
		for _, file := range strings.Fields(string(out)) {
			if !slices.ContainsFunc(rule.only, func(p string) bool { return strings.HasPrefix(file, p) }) {
				t.Errorf("%s has %s, which only %v may have", file, rule.text, rule.only)
			}
		}
	}
}
