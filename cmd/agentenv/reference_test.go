package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const referenceFile = "../../docs/commands.md"

// TestReference holds docs/commands.md against the commands.
func TestReference(t *testing.T) {
	var b bytes.Buffer
	writeReference(&b, newRoot(streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	if *update {
		if err := os.WriteFile(referenceFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/commands.md is not what the commands say; accept it with go test ./cmd/agentenv -run Reference -update\n%s", diff)
	}
}

func writeReference(w io.Writer, root *cobra.Command) {
	fmt.Fprint(w, "# Commands\n\nThis page is made from the commands' own help.\n\n")
	for _, cmd := range commands(root) {
		fmt.Fprintf(w, "- [%s](#%s): %s\n", cmd.CommandPath(), pageName(cmd), cmd.Short)
	}
	for _, cmd := range commands(root) {
		fmt.Fprintf(w, "\n## %s\n\n    %s\n\n%s\n", cmd.CommandPath(), cmd.UseLine(), markdown(description(cmd)))
		writeFlagTable(w, cmd.NonInheritedFlags())
		if cmd.Example != "" {
			fmt.Fprintf(w, "\n%s\n", markdown(cmd.Example))
		}
	}
	fmt.Fprint(w, "\n## Flags of every command\n")
	writeFlagTable(w, root.PersistentFlags())
}

func writeFlagTable(w io.Writer, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprint(w, "\n| flag | does |\n|---|---|\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			name, usage := flagWords(f)
			fmt.Fprintf(w, "| `%s` | %s |\n", name, strings.ReplaceAll(usage, "|", `\|`))
		}
	})
}

// markdown indents what is indented in help as code.
func markdown(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "  ") {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

// TestEveryCommandExplainsItself holds what help must have.
func TestEveryCommandExplainsItself(t *testing.T) {
	for _, cmd := range commands(newRoot(streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})) {
		path := cmd.CommandPath()
		if cmd.Example == "" {
			t.Errorf("%s has no example", path)
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || len(cmd.Short) > 80 {
			t.Errorf("%s: its short description %q is none, or no title, or too long", path, cmd.Short)
		}
		for line := range strings.SplitSeq(cmd.Long+"\n"+cmd.Example, "\n") {
			if len(line) > 80 {
				t.Errorf("%s: more than 80 columns: %s", path, line)
			}
		}
		if cmd.Args == nil {
			t.Errorf("%s takes any arguments", path)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" || strings.HasSuffix(f.Usage, ".") || f.Usage[0] >= 'A' && f.Usage[0] <= 'Z' {
				t.Errorf("%s --%s: usage %q", path, f.Name, f.Usage)
			}
		})
	}
}

// TestManual has man format every page without a complaint.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	root := newRoot(streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	if err := writeManual(root, dir); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) != len(commands(root)) {
		t.Fatalf("%d pages for %d commands, error %v", len(pages), len(commands(root)), err)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not here")
	}
	for _, page := range pages {
		out, err := exec.Command(groff, "-man", "-Tutf8", "-ww", "-b", "-z", page).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("groff %s: %v\n%s", filepath.Base(page), err, out)
		}
	}
	text, err := exec.Command(groff, "-man", "-Tascii", "-c", "-P-bou", filepath.Join(dir, "agentenv-fmt.1")).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"agentenv fmt --check --diff    # in CI", "--check\n", "SEE ALSO"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
