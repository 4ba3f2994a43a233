package suite

import (
	"testing"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// TestControls runs every attack outside, where it must work: one that does
// not proves nothing by failing inside. What came of it is then judged as if
// it had come from inside: a sandbox that holds nothing must not pass.
func TestControls(t *testing.T) {
	p := Build(t)
	count := map[Control]int{}
	for _, row := range catalogue.Rows() {
		t.Run(row.ID, func(t *testing.T) {
			control, v, err := Outside(t, p, row)
			if err != nil {
				t.Fatalf("%s: %v", row.Says, err)
			}
			if control == Closed && row.Accepted != "" {
				t.Errorf("%s is accepted, and does not work anywhere", row.ID)
			}
			if control == Proven && row.Accepted == "" && Judge(row, control, v) == nil {
				t.Errorf("%s works, and is judged to be refused: %+v", row.ID, v)
			}
			count[control]++
		})
	}
	t.Logf("controls: %v", count)
}
