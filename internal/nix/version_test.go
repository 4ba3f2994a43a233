package nix

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Version{
		"nix (Nix) 2.8.0\n":                       {2, 8, "nix (Nix) 2.8.0"},
		"nix (Nix) 2.24.10":                       {2, 24, "nix (Nix) 2.24.10"},
		"nix (Nix) 2.19.0pre20231024_c3827ff\n":   {2, 19, "nix (Nix) 2.19.0pre20231024_c3827ff"},
		"nix (Lix, like Nix) 2.91.1\n":            {2, 91, "nix (Lix, like Nix) 2.91.1"},
		"nix (Determinate Nix 3.6.2) 2.29.0\n":    {2, 29, "nix (Determinate Nix 3.6.2) 2.29.0"},
		"nix (Nix) 2.31pre20250101_deadbeef1.2\n": {2, 31, "nix (Nix) 2.31pre20250101_deadbeef1.2"},
	} {
		got, err := parseVersion(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
	for _, text := range []string{"", "nix", "nix (Nix) two"} {
		if got, err := parseVersion(text); err == nil {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestBefore(t *testing.T) {
	for _, test := range []struct {
		a, b Version
		want bool
	}{
		{Version{Major: 2, Minor: 7}, Oldest, true},
		{Version{Major: 2, Minor: 8}, Oldest, false},
		{Version{Major: 2, Minor: 26}, Oldest, false},
		{Version{Major: 3, Minor: 0}, Oldest, false},
		{Version{Major: 1, Minor: 11}, Oldest, true},
	} {
		if got := test.a.Before(test.b); got != test.want {
			t.Errorf("%v before %v: %t, want %t", test.a, test.b, got, test.want)
		}
	}
}
