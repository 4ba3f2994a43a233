package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/starter"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/templates"
	"github.com/spf13/cobra"
)

func newInit(c *common) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a spec to start from",
		Long: `Init writes workspace.hcl for the project in the current directory. It sees by
the names of files what the project needs, and suggests the repositories beside
it as checkouts. Comments say what each block is for. A spec that is there is
not overwritten.`,
		Example: `  agentenv init
  agentenv init --force    # throw the old spec away`,
		SuggestFor:        []string{"new", "create", "setup"},
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return c.init(force) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite workspace.hcl")
	return cmd
}

func (c *common) init(force bool) error {
	dir, err := os.Getwd()
	if err != nil {
		return coded(codeFailed, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return coded(codeFailed, err)
	}
	defer root.Close()
	if err := vacant(root, force); err != nil {
		return exit{codeUsage, err}
	}
	facts, err := survey(root, dir)
	if err != nil {
		return coded(codeFailed, err)
	}
	text, report := hcl.Format([]byte(starter.Fill(templates.Starter, facts)), specNames[0])
	if err := report.Err(); err != nil {
		return coded(codeFailed, fmt.Errorf("write spec: %w", err))
	}
	if err := nixgen.Replace(root, specNames[0], text); err != nil {
		return coded(codeFailed, fmt.Errorf("write spec: %w", err))
	}
	c.welcome(facts)
	return nil
}

// vacant fails when there is a spec that init would overwrite, or that would
// stand beside the new one.
func vacant(root *os.Root, force bool) error {
	for _, name := range specNames {
		info, err := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case name != specNames[0]:
			return fmt.Errorf("write spec: %s is here, and there cannot be two; remove it first", name)
		case !info.Mode().IsRegular():
			return fmt.Errorf("write spec: %s is here and is not a regular file; remove it first", name)
		case !force:
			return fmt.Errorf("write spec: %s is here; --force overwrites it", name)
		}
	}
	return nil
}

// survey looks at the names in dir and beside it.
func survey(root *os.Root, dir string) (starter.Facts, error) {
	kinds, err := starter.Detect(root.FS())
	if err != nil {
		return starter.Facts{}, err
	}
	f := starter.Facts{Name: cmp.Or(starter.Name(filepath.Base(dir)), "workspace"), Kinds: kinds}
	if text, err := nixgen.Read(root, nixgen.FlakeFile); err == nil {
		f.Flake = !nixgen.Generated(nixgen.FlakeFile, text)
	}
	if up := filepath.Dir(dir); up != dir && up != "/" {
		f.Checkouts = starter.Siblings(os.DirFS(up), filepath.Base(dir))
	}
	return f, nil
}

func (c *common) welcome(f starter.Facts) {
	var names []string
	for _, k := range f.Kinds {
		names = append(names, k.Name)
	}
	what := ""
	if names != nil {
		what = " for " + strings.Join(names, ", ")
	}
	fmt.Fprintf(c.io.Err, "agentenv: wrote %s%s; look at it, then start the agent with agentenv run\n", specNames[0], what)
}
