package state_test

import (
	"errors"
	"os"
	"testing"

	"github.com/agentenv/agentenv/internal/state"
	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want state.Dirs
	}{
		{"defaults", map[string]string{"HOME": "/h"}, state.Dirs{State: "/h/.local/state/agentenv", Cache: "/h/.cache/agentenv"}},
		{"xdg", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/c"}, state.Dirs{State: "/s/agentenv", Cache: "/c/agentenv"}},
		{"relative is ignored", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s"}, state.Dirs{State: "/h/.local/state/agentenv", Cache: "/h/.cache/agentenv"}},
	}
	for _, tt := range tests {
		got, err := state.Locate(func(k string) string { return tt.env[k] })
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
	}
	if _, err := state.Locate(func(string) string { return "" }); err == nil {
		t.Error("no HOME: no error")
	}
}

func TestDraftOfTwoProjectsOfOneName(t *testing.T) {
	d := state.Dirs{State: t.TempDir()}
	if a, b := d.Draft("x", "/a", "main"), d.Draft("x", "/b", "main"); a == b {
		t.Errorf("both at %s", a.Dir)
	}
}

func TestLockHoldsOneSession(t *testing.T) {
	draft := state.Dirs{State: t.TempDir()}.Draft("x", "/a", "main")
	if err := draft.Make(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(draft.Home()); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("home: %v %v", info, err)
	}
	first, err := draft.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draft.Lock(); !errors.Is(err, state.ErrBusy) {
		t.Errorf("second lock: %v", err)
	}
	first.Close()
	again, err := draft.Lock()
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	again.Close()
}
