package launcher

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func filtered(chunks ...string) string {
	var f sequenceFilter
	var out []byte
	for _, c := range chunks {
		out = append(out, f.pass([]byte(c))...)
	}
	return string(out)
}

func TestSequences(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"text", "plain\r\ntext\t\x00\x07", "plain\r\ntext\t\x00\x07"},
		{"UTF-8", "żółw 杝 🐝 ĝ \u009bx", "żółw 杝 🐝 ĝ \u009bx"},
		{"colours", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"},
		{"title", "a\x1b]0;title\x07b", "a\x1b]0;title\x07b"},
		{"link", "\x1b]8;;https://x\x1b\\x\x1b]8;;\x1b\\", "\x1b]8;;https://x\x1b\\x\x1b]8;;\x1b\\"},
		{"numbers that begin alike", "\x1b]5;x\x07\x1b]520;x\x07\x1b]13370;x\x07\x1b]133;A\x07", "\x1b]5;x\x07\x1b]520;x\x07\x1b]13370;x\x07\x1b]133;A\x07"},
		{"sixel", "\x1bP0;1;0q#0~\x1b\\", "\x1bP0;1;0q#0~\x1b\\"},
		{"answer to a query", "\x1bP1$r0m\x1b\\", "\x1bP1$r0m\x1b\\"},
		{"DCS that begins like tmux", "\x1bPtmu;x\x1b\\", "\x1bPtmu;x\x1b\\"},
		{"clipboard", "a\x1b]52;c;c2VjcmV0\x07b", "a\x1b\\b"},
		{"clipboard with ST", "a\x1b]52;c;c2VjcmV0\x1b\\b", "a\x1b\\b"},
		{"clipboard without data", "a\x1b]52\x07b", "a\x1b\\b"},
		{"clipboard with zeros", "a\x1b]00052;c;x\x07b", "a\x1b\\b"},
		{"clipboard with controls", "a\x1b]5\x00\n2;c;x\x07b", "a\x1b\\b"},
		{"control before the bracket", "a\x1b\x00]52;c;x\x07b", "a\x1b\\b"},
		{"control within a sequence", "\x1b\x00[1m", "\x1b\x00[1m"},
		{"8-bit clipboard", "a\x9d52;c;x\x9cb", "a\x1b\\b"},
		{"8-bit clipboard in UTF-8", "a\u009d52;c;x\u009cb", "a\x1b\\b"},
		{"8-bit control after a cut character", "a\xe6\x9d\x9d52;c;x\x07b", "a\xe6\x9d\x9d52;c;x\x07b"},
		{"8-bit control after a broken character", "a\xe6z\x9d52;c;x\x07b", "a\xe6z\x1b\\b"},
		{"file of iTerm", "a\x1b]1337;File=name=x:eA==\x07b", "a\x1b\\b"},
		{"tmux passthrough", "a\x1bPtmux;\x1b\x1b]52;c;x\x07\x1b\\b", "a\x1b\\b"},
		{"tmux passthrough of ST", "a\x1bPtmux;\x1b\x1b]52;c;x\x1b\x1b\\\x1b\\b", "a\x1b\\b"},
		{"8-bit tmux passthrough", "a\x90tmux;x\x1b\\b", "a\x1b\\b"},
		{"tmux passthrough with parameters", "a\x1bP1;2tmux;x\x1b\\b", "a\x1b\\b"},
		{"screen passthrough", "a\x1bP\x1b]52;c;x\x07\x1b\\b", "a\x1bP\x1b\\\x1b\\b"},
		{"cancelled", "a\x1b]52;c;x\x18b\x1b]52;c;x\x1ac", "a\x1b\\b\x1b\\c"},
		{"another sequence within", "a\x1b]52;c;x\x1b[31mb", "a\x1b\\\x1b[31mb"},
		{"another clipboard within", "a\x1b]52;c;x\x1b]52;c;y\x07b", "a\x1b\\\x1b\\b"},
		{"put together by taking out", "\x1b]\x1b]52;x\x0752;c;evil\x07", "\x1b]\x1b\\52;c;evil\x07"},
		{"a number put together", "\x1b]5\x1b]52;x\x072;c;evil\x07", "\x1b]5\x1b\\2;c;evil\x07"},
		{"tmux put together", "\x1bPtm\x1b]52;x\x07ux;evil\x1b\\", "\x1bPtm\x1b\\ux;evil\x1b\\"},
		{"escapes", "\x1b\x1b\x1b[31m", "\x1b[31m"},
		{"escape before the clipboard", "\x1b\x1b]52;c;x\x07", "\x1b\\"},
		{"endless number", "a\x1b]" + strings.Repeat("1", 100) + ";x\x07b", "a\x1b\\b"},
		{"never ended", "a\x1b]52;c;x", "a\x1b\\"},
		{"escape at the end", "a\x1b", "a"},
		{"number at the end", "a\x1b]5", "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, filtered(tt.in)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

// forbiddenSequence is what no terminal may be given, in another notation than
// the filter's.
var forbiddenSequence = regexp.MustCompile(`\x1b\]0*(52|1337)([^0-9]|$)|\x1bP[ -?]*tmux;`)

// FuzzSequences: what comes out has no forbidden sequence, does not depend on
// where the text was cut, and passes unchanged a second time; text without
// control strings passes unchanged.
func FuzzSequences(f *testing.F) {
	f.Add([]byte("a\x1b]52;c;x\x07b"), uint(3))
	f.Add([]byte("\x1bPtmux;\x1b\x1b]52;c;x\x07\x1b\\"), uint(1))
	f.Add([]byte("\u009d52;x\u009c \x9d1337;x\x9c"), uint(2))
	f.Fuzz(func(t *testing.T, in []byte, cut uint) {
		whole := filtered(string(in))
		if m := forbiddenSequence.FindString(whole); m != "" {
			t.Errorf("%q gives %q with %q", in, whole, m)
		}
		at := int(cut % uint(len(in)+1))
		if parts := filtered(string(in[:at]), string(in[at:])); parts != whole {
			t.Errorf("%q cut at %d gives %q and not %q", in, at, parts, whole)
		}
		if bytes.IndexAny(in, "\x1b") < 0 && utf8.Valid(in) && !bytes.ContainsAny(in, "\u0090\u009d") && whole != string(in) {
			t.Errorf("%q gives %q", in, whole)
		}
		whole = filtered(string(in) + "\x18") // nothing is unfinished
		if again := filtered(whole); again != whole {
			t.Errorf("%q gives %q and then %q", in, whole, again)
		}
	})
}
