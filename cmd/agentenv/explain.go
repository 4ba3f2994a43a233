package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/hcl"
	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// wrongSpec is all that Nix found wrong with entries of a spec.
type wrongSpec struct{ findings []hcl.Finding }

func (w *wrongSpec) Error() string {
	return fmt.Sprintf("%d entries of the spec are wrong", len(w.findings))
}

// evaluating are the kinds of failure that evaluation meets, one entry at a
// time: there may be more of them. What a build meets, or the network, is not of
// them.
var evaluating = []nix.Kind{nix.KindMissing, nix.KindNoSource, nix.KindEntry, nix.KindUnfree, nix.KindRefused, nix.KindOther}

// survey makes of the first failure of an evaluation all that there are; others
// it returns as they are.
func (c *common) survey(ctx context.Context, w *workbench, ws *workspace.Workspace, err error) error {
	var e *nix.Error
	if !errors.As(err, &e) || len(e.Findings) == 0 || !slices.Contains(evaluating, e.Kind) {
		return err
	}
	all := &wrongSpec{findings: c.findings(ws, e)}
	rest, more := nixgen.Without(ws, entries(e.Findings))
	if !more {
		return all
	}
	// What ends the survey otherwise than by a finding is reported when what was
	// found is mended.
	nixgen.Survey(rest, func(ws *workspace.Workspace) ([]string, error) {
		err := w.check(ctx, ws)
		if err == nil {
			return nil, nil
		}
		if !errors.As(err, &e) || len(e.Findings) == 0 {
			return nil, err
		}
		all.findings = append(all.findings, c.findings(ws, e)...)
		return entries(e.Findings), nil
	}, func(id string) string { return id })
	return all
}

// summaries are what kinds of failure are called, as the summaries of other
// diagnostics.
var summaries = map[nix.Kind]string{
	nix.KindMissing:  "Package not found",
	nix.KindNoSource: "Package without source",
	nix.KindSource:   "Source not unpacked",
	nix.KindEntry:    "Not a package",
	nix.KindUnfree:   "Unfree package",
	nix.KindRefused:  "Package refused",
	nix.KindHash:     "Download changed",
	nix.KindBuild:    "Build failed",
}

// findings are those of one failure, each with the place of its entry.
func (c *common) findings(ws *workspace.Workspace, e *nix.Error) []hcl.Finding {
	var found []hcl.Finding
	for _, f := range e.Findings {
		at := place(ws, f.Entry)
		summary := summaries[f.Kind]
		if summary == "" {
			summary = "Package not evaluated"
		}
		found = append(found, hcl.Finding{
			Severity: "error", Summary: summary, Detail: sentence(f.Message), Help: help(e, f),
			File: at.File, Start: hcl.Place{Line: at.Line, Column: at.Column},
		})
	}
	return found
}

// place is where an entry was written; the start of the spec for one that is not
// of it.
func place(ws *workspace.Workspace, entry string) workspace.Position {
	if at := ws.Nix.Positions[entry]; at.Line > 0 {
		return at
	}
	return workspace.Position{File: ws.File, Line: 1, Column: 1}
}

// help is what to do about a finding: what its hint says, or the name that comes
// nearest, which the message of a missing name ends with.
func help(e *nix.Error, f nix.Finding) string {
	if hint := e.Hint(f); hint != "" {
		return hint
	}
	if _, near, ok := strings.Cut(f.Message, "; near: "); ok {
		return "did you mean " + strings.ReplaceAll(near, ", ", " or ") + "?"
	}
	return ""
}

// sentence is a message of Nix's as one of ours. It may begin with a name, so its
// first letter stays.
func sentence(message string) string {
	message, _, _ = strings.Cut(message, "; near: ")
	return strings.TrimSuffix(message, ".") + "."
}

// explain prints what Nix found wrong, each finding with the line of the spec
// that it is about, and returns how the command ends.
func (c *common) explain(ws *workspace.Workspace, err error) error {
	var wrong *wrongSpec
	var e *nix.Error
	switch {
	case errors.As(err, &wrong):
		return c.diagnose(located(wrong.findings))
	case !errors.As(err, &e):
		return coded(codeFailed, err)
	case len(e.Findings) > 0:
		if err := c.diagnose(located(c.findings(ws, e))); codeOf(err) != codeUsage {
			return err
		}
		return exit{code: codeFailed}
	}
	return exit{codeFailed, errors.New(c.words(e))}
}

// words are what is to be said of a failure that is about no entry.
func (c *common) words(e *nix.Error) string {
	text := fmt.Sprintf("nix %s: %s", e.Command, strings.TrimRight(e.Message, ".;"))
	if hint := e.Hint(nix.Finding{Kind: e.Kind, Message: e.Message}); hint != "" {
		text += "; " + hint
	}
	switch log := logOf(e.Detail); {
	case log != "":
		text += log
	case !c.verbose:
		text += " (all that Nix says: --verbose)"
	}
	return text
}

// logOf is the end of the log of the builder that failed, as Nix quotes it, with
// the command that shows the whole.
func logOf(detail string) string {
	quoted, rest, ok := strings.Cut(detail, "For full logs, run")
	if !ok {
		return ""
	}
	var b strings.Builder
	for line := range strings.SplitSeq(quoted, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "> ") {
			b.WriteString("\n  " + line)
		}
	}
	if command := strings.Fields(strings.TrimLeft(rest, ":' \n")); len(command) > 2 {
		b.WriteString("\n  the whole log: " + strings.TrimRight(strings.Join(command[:3], " "), "'."))
	}
	return b.String()
}

// located is a report of findings, with the lines that they are about.
func located(findings []hcl.Finding) *hcl.Report {
	sources := map[string][]byte{}
	for _, f := range findings {
		if _, known := sources[f.File]; known {
			continue
		}
		if src, err := read(f.File); err == nil {
			sources[f.File] = src
		}
	}
	return hcl.NewReport(sources, findings)
}

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var e exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	}
	return codeUsage
}
