package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/agentenv/agentenv/hcl"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
)

// formatting is what fmt does with what it would change.
type formatting struct {
	check bool // write nothing
	diff  bool // print the changes
}

func newFmt(c *common) *cobra.Command {
	var f formatting
	cmd := &cobra.Command{
		Use:   "fmt [FILE...]",
		Short: "Write specs in their one format",
		Long: `Fmt rewrites files of HCL, and of HCL in JSON, in the one format that all are
meant to have, and prints the names of those that changed. Only white space
changes. Without a FILE it takes the spec and what that includes; a directory
stands for the spec in it, and - for standard input, whose result goes to
standard output.

A file that does not parse is left alone, its errors are printed, and the exit
code is 2.`,
		Example: `  agentenv fmt
  agentenv fmt --check --diff    # in CI
  agentenv fmt - <workspace.hcl  # in an editor`,
		SuggestFor: []string{"format"},
		Args:       cobra.ArbitraryArgs,
		RunE:       func(_ *cobra.Command, args []string) error { return c.format(args, f) },
	}
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing, and exit 1 when something would change")
	cmd.Flags().BoolVar(&f.diff, "diff", false, "print what changes; with --check, what would")
	return cmd
}

// format formats each file, also after one that is wrong, and returns the worst
// that happened.
func (c *common) format(names []string, f formatting) error {
	files, err := c.formatted(names)
	if err != nil {
		return coded(codeUsage, err)
	}
	var worst exit
	for _, file := range files {
		err := c.formatOne(file, f)
		var e exit
		if !errors.As(err, &e) {
			continue
		}
		if e.err != nil {
			fmt.Fprintf(c.io.Err, "agentenv: %v\n", e.err)
		}
		worst.code = max(worst.code, e.code)
	}
	if worst.code != 0 {
		return worst
	}
	return nil
}

// stdin is how a command line names standard input.
const stdin = "-"

// formatted are the files that names stand for.
func (c *common) formatted(names []string) ([]string, error) {
	if len(names) == 0 {
		return c.ownFiles()
	}
	var files []string
	for _, name := range names {
		info, err := os.Stat(name)
		if name == stdin || err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		file, err := specIn(name)
		if err == nil && file == "" {
			err = fmt.Errorf("find spec: no workspace.hcl in %s", shown(name))
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// ownFiles are the spec and what it includes of its own directory. What it
// includes of elsewhere is formatted there.
func (c *common) ownFiles() ([]string, error) {
	file, err := c.find(nil)
	if err != nil {
		return nil, err
	}
	src, err := read(file)
	if err != nil {
		return nil, err
	}
	o, err := c.options(file)
	if err != nil {
		return nil, err
	}
	files := []string{file}
	_, report := hcl.Load(src, file, o)
	for _, s := range report.Sources() {
		if s.Role == hcl.RoleInclude && !below(s.Name, filepath.Join(filepath.Dir(file), hcl.VendorDir)) {
			files = append(files, s.Name)
		}
	}
	return files, nil
}

func (c *common) formatOne(file string, f formatting) error {
	src, name, err := c.source(file)
	if err != nil {
		return exit{codeUsage, err}
	}
	text, report := hcl.Format(src, name)
	if err := c.diagnose(report); err != nil {
		return err
	}
	if file == stdin && !f.check && !f.diff {
		_, err := c.io.Out.Write(text)
		return coded(codeFailed, err)
	}
	if bytes.Equal(src, text) {
		return nil
	}
	if !f.check && file != stdin {
		if err := rewrite(file, text); err != nil {
			return exit{codeFailed, err}
		}
	}
	return c.tellFormatted(name, src, text, f)
}

// source reads what is to be formatted, and returns the name that it goes by in
// words to the user, which also decides the syntax. On standard input, a brace
// or a bracket in front is JSON: no HCL begins with one.
func (c *common) source(file string) (src []byte, name string, err error) {
	if file != stdin {
		src, err = read(file)
		return src, shown(file), err
	}
	if src, err = io.ReadAll(c.io.In); err != nil {
		return nil, "", fmt.Errorf("read standard input: %w", err)
	}
	if start := bytes.TrimSpace(src); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		return src, "stdin.hcl.json", nil
	}
	return src, "stdin.hcl", nil
}

func (c *common) tellFormatted(name string, before, after []byte, f formatting) error {
	fmt.Fprintln(c.io.Out, name)
	if f.diff {
		changes := diff.Diff(name, before, name+" (formatted)", after)
		if terminal(c.io.Out) {
			changes = []byte(visible(string(changes)))
		}
		if _, err := c.io.Out.Write(changes); err != nil {
			return exit{codeFailed, err}
		}
	}
	if f.check {
		return exit{code: codeFailed}
	}
	return nil
}

// rewrite gives a file new contents in one step; it keeps its mode and owner. A
// link is not followed: an agent may have put it there.
func rewrite(file string, text []byte) error {
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.Base(file))
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("rewrite %s: not a regular file; name the file that it leads to", shown(file))
	}
	return replace(root, text, info)
}
