package hcl

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFunctionsHaveDocs holds that what can be called is in the reference.
func TestFunctionsHaveDocs(t *testing.T) {
	var names []string
	for _, f := range Functions() {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(functions)), names); diff != "" {
		t.Errorf("(-functions +reference):\n%s", diff)
	}
}
