package launcher

import (
	"bytes"
	"strings"
)

// sequenceFilter takes out of what a program draws the sequences with which it
// would act on the human's machine and not on the screen: those that reach the
// clipboard or files, start programs, redefine keys, print, read the screen, or
// have the terminal answer with text of the program's choice, which whoever reads
// the keys next may run. The tables below say which.
//
// It understands ECMA-48 as terminals do: control strings begin with ESC ] and
// ESC P, and sequences with ESC [, or their 8-bit forms, which in UTF-8 are two
// bytes; strings end with BEL or ST, or with CAN, SUB or another escape. Text may
// be cut anywhere between two calls. All else passes as it is, but for what
// terminals ignore (C0 controls within the first bytes of a control string, an
// escape before another), and for a sequence that is not finished at the end,
// which would swallow what somebody else prints next.
type sequenceFilter struct {
	state  sequenceState
	held   []byte // not passed on before it is known what it begins
	begun  int    // bytes of held that are the beginning itself
	follow int    // continuation bytes of a UTF-8 character that are due
	modes  screenModes
}

type sequenceState int

const (
	inText       sequenceState = iota
	inEscape                   // after ESC, which is held
	inC1                       // after 0xc2, which is held: the next may be an 8-bit control
	inCSI                      // in a CSI before its last byte
	inOSC                      // in the number of an OSC
	inDCS                      // in what precedes the data of a DCS, or in its first bytes
	inDropCSI                  // in a CSI that is taken out for its length
	inDrop                     // in a string that is taken out
	inDropEscape               // after ESC in one
	inTmux                     // in a tmux passthrough, which only ESC \ ends
	inTmuxEscape               // after ESC in one
)

const (
	bel, can, sub, esc = 0x07, 0x18, 0x1a, 0x1b
	c1OSC, c1DCS, c1ST = 0x9d, 0x90, 0x9c
	c1CSI              = 0x9b
)

// forbiddenOSC are numbers of operating system commands, without leading zeros,
// and for 9 the number that follows too.
var forbiddenOSC = map[string]string{
	"3":    "sets properties of the X window",
	"46":   "names xterm's log file",
	"50":   "sets the font or, in Konsole, the profile; an answer holds the text (CVE-2022-45063)",
	"51":   "is for Emacs: calls functions",
	"52":   "reads and sets the clipboard",
	"55":   "writes rxvt's scrollback to a file (CVE-2003-0022)",
	"1337": "writes files and sets the clipboard in iTerm2",
	"5113": "transfers files in kitty",
	"5522": "reads and sets the clipboard in kitty",
	"9;6":  "runs a macro in ConEmu",
	"9;7":  "runs a program in ConEmu",
	"9;8":  "types an environment variable in ConEmu",
}

// forbiddenDCS are device control strings: what precedes the data, without
// parameters, and the first byte of it.
var forbiddenDCS = map[string]string{
	"|":  "redefines keys (DECUDK)",
	"p":  "has iTerm2 take what follows for tmux or ssh that controls it",
	"+p": "redefines keys (xterm)",
	"$q": "is answered, by some with the text of the question (CVE-2008-2383, CVE-2022-45872)",
	"@":  "controls kitty",
	"$d": "hooks of Warp",
}

// forbiddenCSI are sequences: the private mark, the intermediate bytes and the last
// byte; for the window operations the first parameter too.
var forbiddenCSI = map[string]string{
	"20t": "has the title typed",
	"21t": "has the title typed (CVE-2003-0063)",
	"i":   "prints",
	"?i":  "prints",
	"*y":  "reads the screen, a checksum for each character",
}

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
	case inCSI:
		return f.csi(out, c)
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
	f.modes.used = true
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
	case c == c1CSI:
		f.begin(inCSI, c)
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
	case c == '[':
		f.state, f.held = inCSI, append(f.held, c)
		f.begun = len(f.held)
	case c < 0x20 && c != can && c != sub:
		// Terminals obey it and stay in the sequence.
		if len(f.held) < headLimit {
			f.held = append(f.held, c)
		}
	default:
		f.modes.escape(append(f.held[1:], c))
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
	case c == c1CSI:
		f.begin(inCSI, 0xc2, c)
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

// sequenceLimit is how long a CSI may be: colours of a letter and its underline
// need some 60 bytes.
const sequenceLimit = 256

// csi waits for the last byte. A byte above 0x7f makes it none that terminals agree
// on: some take its low bits.
func (f *sequenceFilter) csi(out []byte, c byte) []byte {
	switch {
	case c == can || c == sub:
		return f.release(out, c)
	case c == esc:
		f.begin(inEscape, c)
		return out
	case c >= 0x80:
		out = f.takeOut(out, inText)
		return f.text(out, c)
	case c < 0x40 || c == 0x7f:
		if len(f.held) == sequenceLimit {
			return f.takeOut(out, inDropCSI)
		}
		f.held = append(f.held, c)
		return out
	}
	s := newSequence(f.held[f.begun:], c)
	if s.forbidden() {
		return f.takeOut(out, inText)
	}
	f.modes.sequence(s)
	return f.release(out, c)
}

// sequence is a CSI in its parts.
type sequence struct {
	mark       string // private: one of < = > ?, or nothing
	parameters string
	last       string // intermediate bytes and the last one
}

// newSequence leaves out what terminals ignore within a sequence.
func newSequence(body []byte, last byte) (s sequence) {
	for _, c := range body {
		switch {
		case c < 0x20 || c == 0x7f:
		case c < 0x30:
			s.last += string(rune(c))
		case c >= 0x3c && s.parameters == "":
			s.mark = string(rune(c))
		default:
			s.parameters += string(rune(c))
		}
	}
	s.last += string(rune(last))
	return s
}

func (s sequence) forbidden() bool {
	first, _, _ := strings.Cut(s.parameters, ";")
	first, _, _ = strings.Cut(first, ":")
	_, is := forbiddenCSI[s.mark+s.last]
	_, isWith := forbiddenCSI[strings.TrimLeft(first, "0")+s.mark+s.last]
	return is || isWith
}

func (f *sequenceFilter) osc(out []byte, c byte) []byte {
	switch {
	case ignored(c):
		return out
	case c >= '0' && c <= '9':
		return f.hold(out, c)
	case c == ';' && f.number() == "9":
		return f.hold(out, c)
	}
	if _, forbidden := forbiddenOSC[f.number()]; forbidden {
		out = f.takeOut(out, inDrop)
		f.drop(c)
		return out
	}
	return f.release(out, c)
}

// number is what an OSC begins with, without leading zeros.
func (f *sequenceFilter) number() string {
	first, second, two := strings.Cut(string(f.held[f.begun:]), ";")
	number := strings.TrimLeft(first, "0")
	if two {
		number += ";" + strings.TrimLeft(second, "0")
	}
	return number
}

// takeOut begins to take a string out, and puts ST in its place. Without it, the
// string would no longer end one that was begun before it, and what follows would
// become that one's: ESC ] 5, a string that is taken out, and 2 must not become
// ESC ] 52. Where nothing was begun, ST does nothing.
func (f *sequenceFilter) takeOut(out []byte, s sequenceState) []byte {
	f.state, f.modes.used = s, true
	return append(out, esc, '\\')
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
	case len(data) == 0 && f.forbiddenDCS(c):
		out = f.takeOut(out, inDrop)
		f.drop(c)
		return out
	case c != tmuxPassthrough[len(data)]:
		return f.release(out, c)
	case len(data) == len(tmuxPassthrough)-1:
		return f.takeOut(out, inTmux)
	}
	return f.hold(out, c)
}

// forbiddenDCS looks at the intermediate bytes that are held and the last one.
func (f *sequenceFilter) forbiddenDCS(last byte) bool {
	_, is := forbiddenDCS[newSequence(f.held[f.begun:], last).last]
	return is
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
	case f.state == inDropCSI:
		f.dropCSI(c)
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

// dropCSI looks for the last byte of one.
func (f *sequenceFilter) dropCSI(c byte) {
	switch {
	case c == esc:
		f.begin(inEscape, c)
	case c == can || c == sub || c >= 0x40 && c != 0x7f:
		f.state = inText
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
