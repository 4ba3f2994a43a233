package state_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/google/go-cmp/cmp"
)

func TestTrees(t *testing.T) {
	d := state.Dirs{State: t.TempDir()}
	if known, err := d.Known(); len(known) != 0 || err != nil {
		t.Fatalf("nothing launched: %v %v", known, err)
	}
	want := []state.Trees{{Project: "/a", Spec: "/a/workspace.hcl", Writable: []string{"/a", "/cache"}}}
	draft := d.Draft("x", "/a", "main")
	if err := draft.Make(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := draft.Remember(want[0]); err != nil {
			t.Fatal(err)
		}
	}
	got, err := d.Known()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(draft.Dir, "../../trees.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Known(); err == nil {
		t.Error("a broken record is no error")
	}
}

func TestSuspect(t *testing.T) {
	draft := state.Dirs{State: t.TempDir()}.Draft("x", "/a", "main")
	if err := draft.Make(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"", "/a/.env", ""} {
		if want != "" {
			if err := draft.Suspect(want); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := draft.Suspected(); got != want || err != nil {
			t.Errorf("%q %v, want %q", got, err, want)
		}
		if want != "" {
			if err := draft.Clear(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
