package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/standin"
)

// row is one line of the report.
type row struct {
	ok    bool
	title string
	seen  string
}

// report is how it went.
type report struct {
	work, attempts, checks []row
}

// play starts the agent by start and judges what came of it.
func (w *world) play(ctx context.Context, start func(context.Context) error) (*report, error) {
	if err := start(ctx); err != nil {
		return nil, err
	}
	results := w.model.Results()
	r := &report{work: judge(w.work(), results, 0), attempts: judge(w.attempts(), results, len(w.work()))}
	for _, c := range w.checks() {
		err := c.verify(ctx)
		line := row{ok: err == nil, title: c.title}
		if err != nil {
			line.seen = err.Error()
		}
		r.checks = append(r.checks, line)
	}
	return r, nil
}

// judge looks up what the steps returned; the first one is the turn `first`.
func judge(steps []step, results []standin.Result, first int) []row {
	var rows []row
	for i, s := range steps {
		line := row{title: s.title}
		at := slices.IndexFunc(results, func(r standin.Result) bool { return r.Turn == first+i })
		if at < 0 {
			line.seen = "the agent did not come to it"
		} else if line.seen, line.ok = s.expect(results[at]); !line.ok {
			line.seen = fmt.Sprintf("%q", results[at].Text)
		}
		rows = append(rows, line)
	}
	return rows
}

// ok reports whether every line went as it must.
func (r *report) ok() bool {
	for _, line := range slices.Concat(r.work, r.attempts, r.checks) {
		if !line.ok {
			return false
		}
	}
	return true
}

// write prints the report and reports whether all went as it must.
func (r *report) write(w io.Writer) (ok bool, err error) {
	var text strings.Builder
	fmt.Fprintf(&text, "\nClaude Code %s in the sandbox; a script plays its model.\n", fixture.ClaudeVersion)
	section(&text, "It did its work:", r.work)
	section(&text, "It tried what it must not, and was refused:", r.attempts)
	section(&text, "Seen from outside, afterwards:", r.checks)
	text.WriteString(map[bool]string{true: "\nAll as it must be.\n", false: "\nNOT as it must be: see the lines with ✗.\n"}[r.ok()])
	_, err = io.WriteString(w, text.String())
	return r.ok(), err
}

// width is that of the column of titles, in characters.
const width = 38

func section(text *strings.Builder, head string, rows []row) {
	fmt.Fprintf(text, "\n%s\n", head)
	for _, line := range rows {
		mark := map[bool]string{true: "✓", false: "✗"}[line.ok]
		fmt.Fprintln(text, strings.TrimRight(fmt.Sprintf("  %s %-*s %s", mark, width, line.title, line.seen), " "))
	}
}
