package suite

import (
	"strings"
	"testing"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

func TestJudge(t *testing.T) {
	absent := catalogue.Row{Proof: catalogue.Reads, Inside: []string{"ENOENT"}}
	silent := catalogue.Row{Proof: catalogue.Says, Inside: []string{""}}
	change := catalogue.Row{Proof: catalogue.Changes, Inside: []string{"ESRCH"}}
	accepted := catalogue.Row{Proof: catalogue.Reads, Accepted: "by design"}
	denied := func(errno string) Verdict {
		return Verdict{Result: catalogue.Result{Result: catalogue.Denied, Errno: errno}}
	}
	works := Verdict{Result: catalogue.Result{Result: catalogue.Works}, Leaked: true}
	quiet := denied("ESRCH")
	quiet.Changed = "met"

	for _, c := range []struct {
		name    string
		row     catalogue.Row
		control Control
		v       Verdict
		want    string // part of the error; "" for none
	}{
		{"refused as named", absent, Proven, denied("ENOENT"), ""},
		{"refused by another layer", absent, Proven, denied("EACCES"), `refused with "EACCES"`},
		{"worked", absent, Proven, works, "it worked"},
		{"leaked all the same", absent, Proven, Verdict{Result: denied("ENOENT").Result, Leaked: true}, "the decoy came out"},
		{"refused without an error", silent, Proven, denied(""), ""},
		{"refused with an error instead", silent, Proven, denied("EPERM"), `refused with "EPERM"`},
		{"had its effect and said no", change, Proven, quiet, "it changed something outside"},
		{"lacking here, refused in any way", absent, Absent, denied("ENOSYS"), ""},
		{"lacking here, and yet it worked", absent, Absent, works, "it worked"},
		{"closed to all, refused as named", absent, Closed, denied("ENOENT"), ""},
		{"closed to all, open inside", absent, Closed, works, "it worked"},
		{"accepted", accepted, Proven, works, ""},
		{"accepted, but refused", accepted, Proven, denied("ENOENT"), "strike it"},
		{"no result", absent, Proven, Verdict{}, "it worked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Judge(c.row, c.control, c.v)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestWorkedNeedsItsProof(t *testing.T) {
	says := Verdict{Result: catalogue.Result{Result: catalogue.Works}}
	for _, c := range []struct {
		proof catalogue.Proof
		v     Verdict
		want  bool
	}{
		{catalogue.Says, says, true},
		{catalogue.Reads, says, false},
		{catalogue.Reads, Verdict{Result: says.Result, Leaked: true}, true},
		{catalogue.Changes, says, false},
		{catalogue.Changes, Verdict{Changed: "x"}, true},
	} {
		if got := c.v.Worked(catalogue.Row{Proof: c.proof}); got != c.want {
			t.Errorf("%s: %+v worked: %v, want %v", c.proof, c.v, got, c.want)
		}
	}
}
