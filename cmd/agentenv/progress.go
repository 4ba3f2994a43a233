package main

import (
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress shows what Nix does: on a terminal in one line that is drawn again
// and again, elsewhere in a line for each thing. It shows nothing where Nix does
// nothing but look.
type progress struct {
	out      *os.File
	redraw   bool
	builds   count
	fetches  count
	standing bool // a line stands on the terminal
}

// count is how many of how many. Nix says before it starts how many there are.
type count struct{ now, all int }

func (c count) String() string {
	if c.all < c.now {
		return strconv.Itoa(c.now)
	}
	return fmt.Sprintf("%d of %d", c.now, c.all)
}

func newProgress(out *os.File) *progress {
	return &progress{out: out, redraw: terminal(out) && os.Getenv("TERM") != "dumb"}
}

// line takes a line in which Nix says what it starts, or how much it will do.
func (p *progress) line(text string) {
	switch {
	case strings.Contains(text, " will be built:"):
		p.builds.all += announced(text)
	case strings.Contains(text, " will be fetched ("):
		p.fetches.all += announced(text)
	case strings.HasPrefix(text, "building '"):
		p.builds.now++
		p.show(fmt.Sprintf("building %s: %s", p.builds, objectName(quoted(text))))
	case strings.HasPrefix(text, "copying path '"):
		p.fetches.now++
		p.show(fmt.Sprintf("fetching %s: %s", p.fetches, objectName(quoted(text))))
	case strings.HasPrefix(text, "downloading '"):
		p.show("downloading " + quoted(text))
	}
}

// announced is the number in "these 34 derivations will be built:"; without one
// it is a single thing.
func announced(text string) int {
	for _, word := range strings.Fields(text) {
		if n, err := strconv.Atoi(word); err == nil {
			return n
		}
	}
	return 1
}

// quoted is what stands between the first two quotes of a line.
func quoted(text string) string {
	_, rest, _ := strings.Cut(text, "'")
	name, _, _ := strings.Cut(rest, "'")
	return name
}

// objectName is the name of a store path, without its hash.
func objectName(storePath string) string {
	base := strings.TrimSuffix(path.Base(storePath), ".drv")
	if _, name, ok := strings.Cut(base, "-"); ok {
		return name
	}
	return base
}

// show says what is being done now.
func (p *progress) show(text string) {
	text = visible("agentenv: " + text)
	if !p.redraw {
		fmt.Fprintln(p.out, text)
		return
	}
	if width, _, err := term.GetSize(int(p.out.Fd())); err == nil && width > 1 && utf8.RuneCountInString(text) >= width {
		text = string([]rune(text)[:width-2]) + "…"
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", text)
	p.standing = true
}

// done takes the line away.
func (p *progress) done() {
	if p.standing {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.standing = false
	}
}
