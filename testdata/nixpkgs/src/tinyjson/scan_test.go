package main

import "testing"

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		` { "a" : [ 1, 2.5e3 , null ] } `: `{"a":[1,2.5e3,null]}`,
		`"a \" b"`:                        `"a \" b"`,
		`[]`:                              `[]`,
	} {
		if got, err := Compact(in); err != nil || got != want {
			t.Errorf("Compact(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{``, `{`, `[1 2]`, `{"a"}`, `"x`, `nil`, `1 2`} {
		if got, err := Compact(in); err == nil {
			t.Errorf("Compact(%q) = %q; want an error", in, got)
		}
	}
}
