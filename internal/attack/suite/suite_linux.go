// Package suite runs the attacks: each first outside of the sandbox, as an
// ordinary user, where it must work, then inside, where it must be refused in
// the way that its row names, with nothing outside changed.
//
// It builds no sandbox; a test hands it a way to run a program in one. It aims
// only at what it has set up itself, in a directory of its own.
package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// Run runs a program and returns its standard output. The files are what a
// careless caller would let it inherit, from descriptor 3 on. An error means
// that the program was not run, or not to its end.
type Run func(ctx context.Context, argv []string, files []*os.File) (stdout []byte, err error)

// timeout bounds one attack; those that wait for something take two seconds.
const timeout = time.Minute

// Verdict is what came of one attack.
type Verdict struct {
	catalogue.Result
	Changed string // what has changed outside, a line each; "" for nothing
	Leaked  bool   // the output holds the decoy
}

// Worked reports whether the attack had the effect that its row names. What
// the attack says of itself is not enough where there is something to see.
func (v Verdict) Worked(row catalogue.Row) bool {
	switch row.Proof {
	case catalogue.Reads:
		return v.Result.Result == catalogue.Works && v.Leaked
	case catalogue.Changes:
		return v.Changed != ""
	default:
		return v.Result.Result == catalogue.Works
	}
}

// Try runs the attack of one row against w.
func (w *World) Try(t testing.TB, row catalogue.Row, run Run) Verdict {
	t.Helper()
	before := w.snapshot(t)
	targets, files := w.inherit(t, row)
	text, err := json.Marshal(targets)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	out, err := run(ctx, []string{w.Attack, row.ID, string(text)}, files)
	if err != nil {
		t.Fatalf("run attack: %v\n%s", err, out)
	}
	v := Verdict{Leaked: strings.Contains(string(out), w.Decoy)}
	if err := json.Unmarshal(out, &v.Result); err != nil {
		t.Fatalf("read result %q: %v", out, err)
	}
	v.Changed = changes(before, w.snapshot(t))
	// What arrives at the victim, such as a signal or a line on its terminal, may
	// be on its way. An attack that says that it worked is given the time.
	for end := time.Now().Add(arrival); v.Changed == "" && row.Proof == catalogue.Changes && v.Result.Result == catalogue.Works && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond)
		v.Changed = changes(before, w.snapshot(t))
	}
	return v
}

// arrival bounds how long something sent to the victim may be on its way.
const arrival = 3 * time.Second

// Control is what came of an attack outside of the sandbox.
type Control string

// The controls.
const (
	Proven Control = "proven" // it works outside: its refusal inside proves something
	Absent Control = "absent" // this machine lacks what it needs
	Closed Control = "closed" // an ordinary user is refused it outside, and its row says so
)

// lacking are the errors of a kernel that does not have a call, a family or a
// protocol at all.
var lacking = []string{"ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "EOPNOTSUPP"}

// Outside tries a row outside, in a world of its own, and returns what that
// proves and what came of it. A row that neither works nor says that it does
// not is an error.
func Outside(t testing.TB, p Programs, row catalogue.Row) (Control, Verdict, error) {
	t.Helper()
	w := NewWorld(t, p)
	for _, need := range row.Needs {
		if w.met(need) != nil {
			return Absent, Verdict{}, nil
		}
	}
	v := w.Try(t, row, w.Run)
	switch {
	case v.Worked(row):
		return Proven, v, nil
	case row.Regression:
		return Closed, v, nil
	case slices.Contains(lacking, v.Errno):
		return Absent, v, nil
	}
	return "", v, fmt.Errorf("it does not work outside: %+v", v)
}

// Inside runs every row: outside, then inside by what start returns for a world
// of its own. Only proven rows count as blocked.
func Inside(t *testing.T, start func(t *testing.T, w *World) Run) {
	p, count := Build(t), map[string]int{}
	for _, row := range catalogue.Rows() {
		t.Run(row.ID, func(t *testing.T) {
			control, _, err := Outside(t, p, row)
			if err != nil {
				t.Fatal(err)
			}
			w := NewWorld(t, p)
			v := w.Try(t, row, start(t, w))
			if err := Judge(row, control, v); err != nil {
				t.Fatalf("%s: %v", row.Says, err)
			}
			count[outcome(row, control)]++
		})
	}
	t.Logf("attacks: %v", count)
}

func outcome(row catalogue.Row, control Control) string {
	switch {
	case row.Accepted != "":
		return "accepted"
	case control == Proven:
		return "blocked"
	}
	return "regression"
}

// Judge returns what is wrong with the verdict of an attack inside: nil when
// it was refused as its row says, or worked and is accepted.
func Judge(row catalogue.Row, control Control, v Verdict) error {
	if row.Accepted != "" {
		if !v.Worked(row) {
			return fmt.Errorf("it is accepted, but did not work: strike it from the accepted ones: %+v", v)
		}
		return nil
	}
	var errs []error
	if v.Result.Result != catalogue.Denied {
		errs = append(errs, fmt.Errorf("it worked: %s", v.Detail))
	}
	if v.Leaked {
		errs = append(errs, errors.New("the decoy came out"))
	}
	if v.Changed != "" {
		errs = append(errs, fmt.Errorf("it changed something outside:\n%s", v.Changed))
	}
	if control != Absent && !slices.Contains(row.Inside, v.Errno) {
		errs = append(errs, fmt.Errorf("refused with %q (%s), want one of %q", v.Errno, v.Detail, row.Inside))
	}
	return errors.Join(errs...)
}
