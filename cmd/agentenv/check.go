package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/workspace"
	"github.com/spf13/cobra"
)

// checking is what check looks at, and for whom.
type checking struct{ nix, json bool }

func newCheck(c *common) *cobra.Command {
	var o checking
	cmd := &cobra.Command{
		Use:   "check [SPEC]",
		Short: "Check a spec; quiet when it is right",
		Long: `Check reads a spec and prints all that is wrong with it, each with its place and
what to write instead. It starts no Nix, so that names of packages are not
looked up, unless --nix says so: then Nix evaluates the environment, builds
nothing, and every entry that it cannot find or must not use is told of. Nothing
is written, also no lock.`,
		Example: `  agentenv check
  agentenv check ~/src/shop/workspace.hcl
  agentenv check --nix --json | jq '.diagnostics[].summary'`,
		SuggestFor:        []string{"validate", "lint", "verify"},
		Args:              oneSpec,
		ValidArgsFunction: specFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.check(cmd.Context(), args, o)
		},
	}
	cmd.Flags().BoolVar(&o.nix, "nix", false, "evaluate the environment too, building nothing")
	cmd.Flags().BoolVar(&o.json, "json", false, "print what is wrong for programs")
	return cmd
}

func (c *common) check(ctx context.Context, args []string, o checking) error {
	ws, report, err := c.parse(args)
	switch {
	case err != nil && o.json:
		return c.printFindings([]hcl.Finding{{Severity: "error", Summary: "Spec not readable", Detail: err.Error()}})
	case err != nil:
		return err
	case ws == nil && o.json:
		report.Rename(shown)
		return c.printFindings(report.Findings())
	case ws == nil:
		return c.diagnose(report)
	}
	found := refusals(ws, launcher.Unenforced(ws))
	if o.nix {
		wrong, err := c.evaluated(ctx, ws)
		if err != nil {
			return err
		}
		found = append(found, wrong...)
	}
	if !o.json {
		return c.diagnose(located(found))
	}
	report = located(found)
	report.Rename(shown)
	return c.printFindings(report.Findings())
}

// evaluated has Nix evaluate ws, and returns what is wrong with its entries. An
// error is about something else.
func (c *common) evaluated(ctx context.Context, ws *workspace.Workspace) (found []hcl.Finding, err error) {
	if ws.Nix.From == workspace.FromHost {
		return nil, nil
	}
	dirs, err := state.Locate(os.Getenv)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	lock, err := readLock(ws)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	err = c.withNix(ctx, ws, dirs, func(ctx context.Context, w *workbench) error {
		err := w.complete(ctx, ws, lock.text)
		if err == nil {
			err = w.check(ctx, ws)
		}
		err = c.survey(ctx, w, ws, err)
		var wrong *wrongSpec
		if errors.As(err, &wrong) {
			found = wrong.findings
			return nil
		}
		if err != nil {
			return c.explain(ws, err)
		}
		return nil
	})
	return found, err
}

// refusals are the parts of a refusal, each with the place of its line, or of the
// spec where no line asks for it.
func refusals(ws *workspace.Workspace, err error) []hcl.Finding {
	var refused *launcher.Refusal
	if !errors.As(err, &refused) {
		return nil
	}
	parts := []error{refused.Err}
	if joined, ok := refused.Err.(interface{ Unwrap() []error }); ok {
		parts = joined.Unwrap()
	}
	var found []hcl.Finding
	for _, err := range parts {
		at := workspace.Position{File: ws.File, Line: 1, Column: 1}
		var part *launcher.Part
		if errors.As(err, &part) {
			err = part.Err
			if part.At.Line > 0 {
				at = part.At
			}
		}
		found = append(found, hcl.Finding{
			Severity: "error", Summary: "Not possible", Detail: strings.TrimPrefix(err.Error(), "plan: ") + ".",
			File: at.File, Start: hcl.Place{Line: at.Line, Column: at.Column},
		})
	}
	return found
}

// printed is what check prints for programs, much as terraform validate does.
type printed struct {
	Valid       bool         `json:"valid"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Severity string     `json:"severity"` // "error" or "warning"
	Summary  string     `json:"summary"`  // constant for each kind
	Detail   string     `json:"detail"`
	Help     string     `json:"help,omitempty"`  // what to write instead
	Range    *fileRange `json:"range,omitempty"` // absent for what is about no line
}

type fileRange struct {
	Filename string    `json:"filename"` // relative to the current directory, if below it
	Start    filePlace `json:"start"`
	End      filePlace `json:"end"`
}

type filePlace struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // in characters, from 1
	Byte   int `json:"byte"`   // from 0
}

// printFindings prints findings for programs, and fails when there are some.
func (c *common) printFindings(findings []hcl.Finding) error {
	out := printed{Valid: len(findings) == 0, Diagnostics: []diagnostic{}}
	for _, f := range findings {
		d := diagnostic{Severity: f.Severity, Summary: f.Summary, Detail: f.Detail, Help: f.Help}
		if f.File != "" {
			d.Range = &fileRange{f.File, filePlace(f.Start), filePlace(f.End)}
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	if err := c.printJSON(out); err != nil || out.Valid {
		return err
	}
	return exit{code: codeUsage}
}
