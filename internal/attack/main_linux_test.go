package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

func TestEveryRowHasAnAttempt(t *testing.T) {
	var rows []string
	for _, r := range catalogue.Rows() {
		rows = append(rows, r.ID)
	}
	slices.Sort(rows)
	if diff := cmp.Diff(rows, slices.Sorted(maps.Keys(attempts()))); diff != "" {
		t.Errorf("rows and attempts differ (-catalogue +program):\n%s", diff)
	}
}

func TestDecoy(t *testing.T) {
	for _, c := range []struct {
		in, want string
		err      error
	}{
		{"A=b\x00D=" + catalogue.Marker + "12\x00E=f", catalogue.Marker + "12", nil},
		{catalogue.Marker + "34", catalogue.Marker + "34", nil},
		{"nothing", "", errNoDecoy},
		{"", "", errNoDecoy},
	} {
		got, err := decoy([]byte(c.in))
		if got != c.want || err != c.err {
			t.Errorf("decoy(%q) = %q, %v; want %q, %v", c.in, got, err, c.want, c.err)
		}
	}
}
