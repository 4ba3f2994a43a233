package flakelock_test

import (
	"testing"
	"time"

	"github.com/agentenv/agentenv/internal/flakelock"
	"github.com/google/go-cmp/cmp"
)

const before = `{
  "nodes": {
    "agents": {
      "inputs": { "nixpkgs": ["nixpkgs"], "tools": "tools", "again": "agents" },
      "locked": { "lastModified": 1767225600, "narHash": "sha256-aaa=", "type": "github", "rev": "1111111111111111111111111111111111111111" }
    },
    "nixpkgs": { "locked": { "lastModified": 1767225600, "narHash": "sha256-nnn=", "type": "github", "rev": "2222222222222222222222222222222222222222" } },
    "tools": { "locked": { "narHash": "sha256-ttt=", "type": "tarball" } },
    "unused": { "locked": { "narHash": "sha256-uuu=", "type": "tarball" } },
    "root": { "inputs": { "agents": "agents", "nixpkgs": "nixpkgs" } }
  },
  "root": "root",
  "version": 7
}`

const after = `{
  "nodes": {
    "nixpkgs_2": { "locked": { "lastModified": 1769904000, "narHash": "sha256-mmm=", "type": "github", "rev": "3333333333333333333333333333333333333333" } },
    "local": { "locked": { "narHash": "sha256-lll=", "type": "path", "path": "/x" }, "inputs": {} },
    "root": { "inputs": { "nixpkgs": "nixpkgs_2", "local": "local" } }
  },
  "root": "root",
  "version": 7
}`

func parse(t *testing.T, text string) flakelock.Lock {
	t.Helper()
	lock, err := flakelock.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestParse(t *testing.T) {
	january := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	want := flakelock.Lock{
		"agents":       {Type: "github", Revision: "1111111111111111111111111111111111111111", Hash: "sha256-aaa=", Modified: january},
		"nixpkgs":      {Type: "github", Revision: "2222222222222222222222222222222222222222", Hash: "sha256-nnn=", Modified: january},
		"agents/tools": {Type: "tarball", Hash: "sha256-ttt="},
	}
	if diff := cmp.Diff(want, parse(t, before)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestChanges(t *testing.T) {
	var got []string
	for _, c := range flakelock.Changes(parse(t, before), parse(t, after)) {
		line := c.Input
		for _, p := range []*flakelock.Pin{c.Old, c.New} {
			if p == nil {
				line += " | none"
			} else {
				line += " | " + p.String()
			}
		}
		got = append(got, line)
	}
	want := []string{
		"agents | 111111111111 (2026-01-01) | none",
		"local | none | sha256-lll=",
		"nixpkgs | 222222222222 (2026-01-01) | 333333333333 (2026-02-01)",
		"agents/tools | sha256-ttt= | none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if same := flakelock.Changes(parse(t, before), parse(t, before)); same != nil {
		t.Errorf("a lock differs from itself: %v", same)
	}
}

func TestHolds(t *testing.T) {
	old, new := parse(t, before), parse(t, after)
	part := flakelock.Lock{"nixpkgs": old["nixpkgs"]}
	for _, tt := range []struct {
		name string
		l, m flakelock.Lock
		want bool
	}{{"itself", old, old, true}, {"a part", old, part, true}, {"the whole", part, old, false}, {"another", old, new, false}, {"nothing", nil, nil, true}} {
		if got := tt.l.Holds(tt.m); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"x", "[]", "{}", `{"version":7,"root":"root","nodes":{}}`, `{"version":8,"root":"root","nodes":{"root":{}}}`, `{"version":7,"root":1}`} {
		if lock, err := flakelock.Parse([]byte(text)); err == nil {
			t.Errorf("Parse(%q) is %v without an error", text, lock)
		}
	}
	if lock, err := flakelock.Parse(nil); err != nil || len(lock) != 0 {
		t.Errorf("no lock is %v, error %v", lock, err)
	}
}

// FuzzParse holds that no lock, of whatever shape, keeps the reader.
func FuzzParse(f *testing.F) {
	f.Add([]byte(before))
	f.Add([]byte(after))
	f.Add([]byte(`{"version":7,"root":"a","nodes":{"a":{"inputs":{"x":"a","y":"b"}},"b":{"inputs":{"x":"a","y":"b"},"locked":{}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := flakelock.Parse(text)
		if err != nil {
			return
		}
		if !lock.Holds(lock) || flakelock.Changes(lock, lock) != nil {
			t.Errorf("%v differs from itself", lock)
		}
		for _, pin := range lock {
			_ = pin.String()
		}
	})
}
