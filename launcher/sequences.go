package launcher

import "bytes"

// sequenceFilter takes out of what a program draws the sequences with which it
// would act on the human's machine and not on the screen:
//
//   - OSC 52 reads and sets the clipboard;
//   - OSC 1337 writes files and sets the clipboard in iTerm2;
//   - the DCS "tmux;" carries any sequence past the tmux that it runs in.
//
// It understands ECMA-48 as terminals do: control strings begin with ESC ] and
// ESC P or their 8-bit forms, which in UTF-8 are two bytes; they end with BEL or
// ST, or with CAN, SUB or another escape. Text may be cut anywhere between two
// calls. All else passes as it is, but for what terminals ignore (C0 controls
// within the first bytes of a control string, an escape before another), and for
// a sequence that is not finished at the end, which would swallow what somebody
// else prints next.
type sequenceFilter struct {
	state  sequenceState
	held   []byte // not passed on before it is known what it begins
	begun  int    // bytes of held that are the beginning itself
	follow int    // continuation bytes of a UTF-8 character that are due
}

type sequenceState int

const (
	inText       sequenceState = iota
	inEscape                   // after ESC, which is held
	inC1                       // after 0xc2, which is held: the next may be an 8-bit control
	inOSC                      // in the number of an OSC
	inDCS                      // in what precedes the data of a DCS, or in its first bytes
	inDrop                     // in a string that is taken out
	inDropEscape               // after ESC in one
	inTmux                     // in a tmux passthrough, which only ESC \ ends
	inTmuxEscape               // after ESC in one
)

const (
	bel, can, sub, esc = 0x07, 0x18, 0x1a, 0x1b
	c1OSC, c1DCS, c1ST = 0x9d, 0x90, 0x9c
)

// headLimit is how much of the beginning of a control string is held. One that
// is not decided by then is taken out: no terminal has such numbers.
const headLimit = 64

// pass returns what of b, and of what was held, may be shown.
func (f *sequenceFilter) pass(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(f.held))
	for _, c := range b {
		out = f.step(out, c)
	}
	return out
}

func (f *sequenceFilter) step(out []byte, c byte) []byte {
	switch f.state {
	case inText:
		return f.text(out, c)
	case inEscape:
		return f.escape(out, c)
	case inC1:
		return f.control(out, c)
	case inOSC:
		return f.osc(out, c)
	case inDCS:
		return f.dcs(out, c)
	case inDropEscape:
		return f.dropEscape(out, c)
	}
	f.drop(c)
	return out
}

// begin holds what may be the beginning of a string.
func (f *sequenceFilter) begin(s sequenceState, held ...byte) {
	f.state, f.held, f.begun = s, append(f.held[:0], held...), len(held)
}

// release passes on what is held, and c.
func (f *sequenceFilter) release(out []byte, c byte) []byte {
	out = append(out, f.held...)
	f.state, f.held = inText, f.held[:0]
	return f.text(out, c)
}

func (f *sequenceFilter) text(out []byte, c byte) []byte {
	due := f.follow > 0 && c&0xc0 == 0x80
	if due {
		f.follow--
		return append(out, c)
	}
	f.follow = 0
	switch {
	case c == esc:
		f.begin(inEscape, c)
	case c == c1OSC:
		f.begin(inOSC, c)
	case c == c1DCS:
		f.begin(inDCS, c)
	case c == 0xc2:
		f.begin(inC1, c)
	default:
		f.follow = followers(c)
		return append(out, c)
	}
	return out
}

// followers is how many continuation bytes a UTF-8 lead byte announces.
func followers(c byte) int {
	switch {
	case c >= 0xf0 && c < 0xf8:
		return 3
	case c >= 0xe0 && c < 0xf0:
		return 2
	case c >= 0xc0 && c < 0xe0:
		return 1
	}
	return 0
}

func (f *sequenceFilter) escape(out []byte, c byte) []byte {
	switch {
	case c == esc: // begins anew
	case c >= 0x80: // is no sequence, and the escape is dropped as terminals do
		f.state, f.held = inText, f.held[:0]
		return f.text(out, c)
	case c == ']':
		f.begin(inOSC, esc, c)
	case c == 'P':
		f.begin(inDCS, esc, c)
	case c < 0x20 && c != can && c != sub:
		// Terminals obey it and stay in the sequence.
		if len(f.held) < headLimit {
			f.held = append(f.held, c)
		}
	default:
		return f.release(out, c)
	}
	return out
}

// control is the second byte of a two-byte character that begins with 0xc2.
func (f *sequenceFilter) control(out []byte, c byte) []byte {
	switch {
	case c == c1OSC:
		f.begin(inOSC, 0xc2, c)
	case c == c1DCS:
		f.begin(inDCS, 0xc2, c)
	case c&0xc0 == 0x80:
		out = append(out, 0xc2, c)
		f.state, f.held = inText, f.held[:0]
	default:
		return f.release(out, c)
	}
	return out
}

// ignored says whether terminals skip c inside the head of a control string.
func ignored(c byte) bool { return c < 0x20 && c != bel && c != can && c != sub && c != esc }

func (f *sequenceFilter) osc(out []byte, c byte) []byte {
	switch {
	case ignored(c):
		return out
	case c >= '0' && c <= '9':
		return f.hold(out, c)
	case f.forbidden():
		out = f.takeOut(out, inDrop)
		f.drop(c)
		return out
	}
	return f.release(out, c)
}

// takeOut begins to take a string out, and puts ST in its place. Without it, the
// string would no longer end one that was begun before it, and what follows would
// become that one's: ESC ] 5, a string that is taken out, and 2 must not become
// ESC ] 52. Where nothing was begun, ST does nothing.
func (f *sequenceFilter) takeOut(out []byte, s sequenceState) []byte {
	f.state = s
	return append(out, esc, '\\')
}

// forbidden says whether the held number is that of an OSC that is taken out.
func (f *sequenceFilter) forbidden() bool {
	digits := bytes.TrimLeft(f.held[f.begun:], "0")
	return string(digits) == "52" || string(digits) == "1337"
}

var tmuxPassthrough = []byte("tmux;")

// parameter says whether c may come before the data of a DCS.
func parameter(c rune) bool { return c >= 0x20 && c < 0x40 }

func (f *sequenceFilter) dcs(out []byte, c byte) []byte {
	data := bytes.TrimLeftFunc(f.held[f.begun:], parameter)
	switch {
	case len(data) == 0 && ignored(c):
		return out
	case len(data) == 0 && parameter(rune(c)):
		return f.hold(out, c)
	case c != tmuxPassthrough[len(data)]:
		return f.release(out, c)
	case len(data) == len(tmuxPassthrough)-1:
		return f.takeOut(out, inTmux)
	}
	return f.hold(out, c)
}

func (f *sequenceFilter) hold(out []byte, c byte) []byte {
	if len(f.held) == headLimit {
		return f.takeOut(out, inDrop)
	}
	f.held = append(f.held, c)
	return out
}

// drop looks for the end of a string that is taken out.
func (f *sequenceFilter) drop(c byte) {
	switch {
	case c == can || c == sub, f.state == inTmuxEscape && c == '\\':
		f.state = inText
	case f.state == inTmuxEscape:
		f.state = inTmux // an escape doubled is one of the string's own
	case c == esc && f.state == inTmux:
		f.state = inTmuxEscape
	case f.state == inTmux:
	case c == bel || c == c1ST:
		f.state = inText
	case c == esc:
		f.state = inDropEscape
	}
}

// dropEscape is ST, or the beginning of another sequence.
func (f *sequenceFilter) dropEscape(out []byte, c byte) []byte {
	if c == '\\' {
		f.state = inText
		return out
	}
	f.begin(inEscape, esc)
	return f.escape(out, c)
}
