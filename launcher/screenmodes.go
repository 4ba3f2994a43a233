package launcher

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// screenModes follows how a program has set the human's terminal, so that it can
// be set back when the program has ended without doing so: a shell on a terminal
// that reports the mouse, or that draws in the alternate screen, is of no use, and
// reports are typed into it.
type screenModes struct {
	used     bool         // any sequence at all
	changed  map[int]bool // private modes that are not as terminals begin
	drawing  bool         // attributes or colours are set
	keypad   bool         // application keypad
	charset  bool         // another character set than the usual
	margins  bool         // a scrolling region
	shape    bool         // of the cursor
	otherKey bool         // xterm's modifyOtherKeys
	keyboard [2]int       // kitty's keyboard modes that were pushed, on the main and the alternate screen
	flags    [2]bool      // and whether the topmost was changed
}

// privateModes are the modes that are set back, and how terminals begin with them.
// The alternate screens are apart.
var privateModes = map[int]bool{
	1: false, 5: false, 6: false, 7: true, 9: false, 25: true, 66: false, 69: false,
	1000: false, 1001: false, 1002: false, 1003: false, 1004: false, 1005: false, 1006: false, 1015: false, 1016: false,
	2004: false, 2026: false, 2031: false, 2048: false,
}

// alternateScreens are the modes that switch to it.
var alternateScreens = []int{47, 1047, 1049}

func (m *screenModes) alternate() int {
	if slices.ContainsFunc(alternateScreens, func(n int) bool { return m.changed[n] }) {
		return 1
	}
	return 0
}

// escape takes what follows ESC in a sequence of its own.
func (m *screenModes) escape(body []byte) {
	body = bytes.TrimLeftFunc(body, func(c rune) bool { return c < 0x20 })
	switch string(body) {
	case "c": // to its first state
		*m = screenModes{used: true}
	case "=":
		m.used, m.keypad = true, true
	case ">":
		m.used, m.keypad = true, false
	case "\\":
	case "(": // of the sequence that designates a character set; its last byte does not matter
		m.used, m.charset = true, true
	default:
		m.used = true
	}
}

// sequence takes a CSI.
func (m *screenModes) sequence(s sequence) {
	m.used = true
	switch s.mark + s.last {
	case "?h", "?l", "?r":
		m.private(s)
	case "m":
		m.drawing = s.parameters != "" && s.parameters != "0"
	case "r":
		m.margins = s.parameters != ""
	case " q":
		m.shape = true
	case ">m":
		m.otherKey = true
	case ">u":
		m.keyboard[m.alternate()]++
	case "<u":
		n, err := strconv.Atoi(s.parameters)
		if err != nil {
			n = 1
		}
		at := m.alternate()
		m.keyboard[at] = max(0, m.keyboard[at]-n)
	case "=u":
		m.flags[m.alternate()] = true
	}
}

func (m *screenModes) private(s sequence) {
	if m.changed == nil {
		m.changed = map[int]bool{}
	}
	for _, p := range strings.Split(s.parameters, ";") {
		n, err := strconv.Atoi(p)
		begins, known := privateModes[n]
		if err != nil || !known && !slices.Contains(alternateScreens, n) {
			continue
		}
		// What "r" restores is not known here.
		m.changed[n] = s.last == "r" || (s.last == "h") != begins
	}
}

// restored is what sets all of it back. It begins with the end of a string, since
// one that is not finished would swallow it.
func (m *screenModes) restored() string {
	if !m.used {
		return ""
	}
	var b strings.Builder
	b.WriteString("\x1b\\")
	if m.alternate() == 1 {
		b.WriteString(m.keys(1))
		for _, n := range alternateScreens {
			if m.changed[n] {
				fmt.Fprintf(&b, "\x1b[?%dl", n)
			}
		}
	}
	b.WriteString(m.keys(0))
	for _, n := range slices.Sorted(maps.Keys(m.changed)) {
		if begins, ok := privateModes[n]; ok && m.changed[n] {
			fmt.Fprintf(&b, "\x1b[?%d%c", n, map[bool]byte{true: 'h', false: 'l'}[begins])
		}
	}
	for _, r := range []struct {
		is bool
		by string
	}{
		{m.margins, "\x1b7\x1b[r\x1b8"}, // the cursor would go to the first line
		{m.keypad, "\x1b>"},
		{m.otherKey, "\x1b[>4m"},
		{m.charset, "\x1b(B"},
		{m.shape, "\x1b[0 q"},
		{m.drawing, "\x1b[0m"},
	} {
		if r.is {
			b.WriteString(r.by)
		}
	}
	return b.String()
}

func (m *screenModes) keys(at int) string {
	var out string
	if m.keyboard[at] > 0 {
		out = fmt.Sprintf("\x1b[<%du", m.keyboard[at])
	}
	if m.flags[at] {
		out += "\x1b[=0u"
	}
	return out
}
