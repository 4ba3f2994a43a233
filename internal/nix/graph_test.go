package nix

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// p is a store path called name.
func p(name string) string { return "/nix/store/" + digest + "-" + name }

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestParseGraph(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
		err  string
	}{
		"nothing":   {"", []string{}, ""},
		"one":       {lines(p("a"), "", "0"), []string{p("a")}, ""},
		"deriver":   {lines(p("a"), p("a.drv"), "0"), []string{p("a")}, ""},
		"itself":    {lines(p("a"), "", "1", p("a")), []string{p("a")}, ""},
		"two":       {lines(p("b"), "", "1", p("a"), p("a"), "", "0"), []string{p("a"), p("b")}, ""},
		"twice":     {lines(p("a"), "", "0", p("a"), "", "0"), []string{p("a")}, ""},
		"no end":    {p("a") + "\n\n0", []string{p("a")}, ""},
		"no path":   {lines("/etc", "", "0"), nil, `parse export graph: parse store path "/etc"`},
		"below":     {lines(p("a/b"), "", "0"), nil, `parse export graph: parse store path "/nix/store/` + digest + `-a/b": its name has the character '/'`},
		"empty":     {lines(p("a"), "", "0", ""), nil, `parse export graph: parse store path ""`},
		"deriver?":  {lines(p("a"), "x", "0"), nil, `parse export graph: parse store path "x"`},
		"no number": {lines(p("a"), "", "x"), nil, `parse export graph: ` + p("a") + `: number of references "x": invalid syntax`},
		"negative":  {lines(p("a"), "", "-1"), nil, `parse export graph: ` + p("a") + `: number of references "-1": invalid syntax`},
		"huge":      {lines(p("a"), "", "99999999999"), nil, `parse export graph: ` + p("a") + `: number of references "99999999999": invalid syntax`},
		"cut off":   {lines(p("a"), "", "2", p("b")), nil, `parse export graph: ` + p("a") + `: unexpected EOF`},
		"cut short": {lines(p("a")), nil, `parse export graph: unexpected EOF`},
		"dangling":  {lines(p("a"), "", "1", p("b")), nil, `parse export graph: it refers to ` + p("b") + ` and does not have it`},
		"long line": {strings.Repeat("a", 5000) + "\n", nil, `parse export graph: bufio.Scanner: token too long`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseGraph(strings.NewReader(test.text))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("closure (-want +got)\n%s", diff)
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
				t.Errorf("got error %v, want %q", err, test.err)
			}
		})
	}
}

// FuzzParseGraph: a closure that is accepted is sorted, has each path once, and
// printed as a graph it is the same closure.
func FuzzParseGraph(f *testing.F) {
	f.Add(lines(p("b"), "", "1", p("a"), p("a"), "", "0"))
	f.Add(lines(p("a"), p("a.drv"), "1", p("a")))
	f.Fuzz(func(t *testing.T, text string) {
		closure, err := ParseGraph(strings.NewReader(text))
		if err != nil {
			return
		}
		if !slices.IsSorted(closure) || len(slices.Compact(slices.Clone(closure))) != len(closure) {
			t.Fatalf("%q is not a sorted set", closure)
		}
		var b strings.Builder
		for _, path := range closure {
			fmt.Fprintf(&b, "%s\n\n0\n", path)
		}
		again, err := ParseGraph(strings.NewReader(b.String()))
		if err != nil || !slices.Equal(closure, again) {
			t.Errorf("got %q, %v, want %q", again, err, closure)
		}
	})
}

// TestParseGraphTime: 5,000 paths with 10 references each, more than a closure
// of Nixpkgs has, take no more than 25 ms. The best of many runs counts, since
// the machine has other work.
func TestParseGraphTime(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "%s\n\n10\n", p(fmt.Sprint("package-", i)))
		for j := range 10 {
			fmt.Fprintln(&b, p(fmt.Sprint("package-", (i*31+j*17)%5000)))
		}
	}
	best, limit := time.Hour, 25*time.Millisecond*slowdown
	for tries := 0; tries < 100 && best > limit; tries++ {
		start := time.Now()
		if _, err := ParseGraph(strings.NewReader(b.String())); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	t.Logf("%d bytes in %s", b.Len(), best)
	if best > limit {
		t.Errorf("took %s, want at most %s", best, limit)
	}
}
