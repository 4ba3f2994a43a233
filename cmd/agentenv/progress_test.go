package main

import (
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProgress holds what is made of what Nix says, in the words of 2.8 and
// later versions.
func TestProgress(t *testing.T) {
	lines := []string{
		"these 2 derivations will be built:",
		"this path will be fetched (1.00 MiB download, 2.00 MiB unpacked):",
		"copying '/tmp/agentenv-1/stage-2'...",
		"querying info about missing paths",
		"copying path '/nix/store/splijx0p433k20pjj9qbb76qlpcnm3m6-openssl-3.2' from 'https://cache.nixos.org'...",
		"building '/nix/store/splijx0p433k20pjj9qbb76qlpcnm3m6-a-b-1.0.drv'...",
		"building '/nix/store/splijx0p433k20pjj9qbb76qlpcnm3m6-c.drv' on 'ssh://builder'...",
		"building '/nix/store/splijx0p433k20pjj9qbb76qlpcnm3m6-more.drv'...",
		"downloading 'https://example.org/x\x1b[2J'...",
		"building",
	}
	want := `agentenv: fetching 1 of 1: openssl-3.2
agentenv: building 1 of 2: a-b-1.0
agentenv: building 2 of 2: c
agentenv: building 3: more
agentenv: downloading https://example.org/x\u{1b}[2J
`
	if diff := cmp.Diff(want, played(t, false, lines)); diff != "" {
		t.Errorf("on a pipe (-want +got)\n%s", diff)
	}
	want = "\r\x1b[Kagentenv: building 1: a\r\x1b[K"
	if diff := cmp.Diff(want, played(t, true, []string{"building '/nix/store/x-a.drv'..."})); diff != "" {
		t.Errorf("on a terminal (-want +got)\n%s", diff)
	}
	if got := played(t, true, nil); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

func played(t *testing.T, redraw bool, lines []string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := newProgress(w)
	p.redraw = redraw
	for _, line := range lines {
		p.line(line)
	}
	p.done()
	w.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
