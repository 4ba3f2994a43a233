package suite

import (
	"testing"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// TestControls runs every attack outside, where it must work: one that does
// not proves nothing by failing inside.
func TestControls(t *testing.T) {
	p := Build(t)
	count := map[Control]int{}
	for _, row := range catalogue.Rows() {
		t.Run(row.ID, func(t *testing.T) {
			control, err := Outside(t, p, row)
			if err != nil {
				t.Fatalf("%s: %v", row.Says, err)
			}
			if control == Closed && row.Accepted != "" {
				t.Errorf("%s is accepted, and does not work anywhere", row.ID)
			}
			count[control]++
		})
	}
	t.Logf("controls: %v", count)
}
