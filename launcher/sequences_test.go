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
		{"font", "a\x1b]50;?\x07b", "a\x1b\\b"},
		{"functions of Emacs", "a\x1b]51;Eevil\x1b\\b", "a\x1b\\b"},
		{"clipboard of kitty", "a\x1b]5522;type=read\x07b", "a\x1b\\b"},
		{"files of kitty", "a\x1b]5113;ac=send\x07b", "a\x1b\\b"},
		{"log file", "a\x1b]46;/home/x\x07\x1b]55;/home/x\x07b", "a\x1b\\\x1b\\b"},
		{"property", "a\x1b]3;X=y\x07b", "a\x1b\\b"},
		{"program of ConEmu", "a\x1b]9;7;cmd\x07b\x1b]09;06;macro\x07c\x1b]9;8;X\x07d", "a\x1b\\b\x1b\\c\x1b\\d"},
		{"notifications", "\x1b]9;done\x07\x1b]9;4;1;50\x07\x1b]9;7 files\x07\x1b]99;i=1;x\x1b\\\x1b]777;notify;a;b\x07", "\x1b]9;done\x07\x1b]9;4;1;50\x07\x1b\\\x1b]99;i=1;x\x1b\\\x1b]777;notify;a;b\x07"},
		{"colours asked for", "\x1b]11;?\x07\x1b]4;1;?\x1b\\", "\x1b]11;?\x07\x1b]4;1;?\x1b\\"},
		{"keys", "a\x1bP0;1|17/6c730d\x1b\\b\x90|17/6c\x9cc", "a\x1b\\b\x1b\\c"},
		{"keys of termcap", "a\x1bP+p787465726d\x1b\\b", "a\x1b\\b"},
		{"settings asked for", "a\x1bP$qm\x1b\\b", "a\x1b\\b"},
		{"termcap asked for", "\x1bP+q544e\x1b\\", "\x1bP+q544e\x1b\\"},
		{"remote control", "a\x1bP@kitty-cmd{}\x1b\\b", "a\x1b\\b"},
		{"tmux control mode", "a\x1bP1000p%begin\x1b\\b", "a\x1b\\b"},
		{"title asked for", "a\x1b[21tb\x1b[20tc\x1b[021;0td\x9b21te\u009b21tf", "a\x1b\\b\x1b\\c\x1b\\d\x1b\\e\x1b\\f"},
		{"title asked for with controls", "a\x1b[2\x00\n1\x7ftb", "a\x1b\\b"},
		{"title asked for at length", "a\x1b[" + strings.Repeat("0", 300) + "21tb", "a\x1b\\b"},
		{"title asked for with high bits", "a\x1b[21\xf4b", "a\x1b\\\xf4b"},
		{"size and title stack", "\x1b[18t\x1b[22;0t\x1b[23t", "\x1b[18t\x1b[22;0t\x1b[23t"},
		{"printer", "a\x1b[5ib\x1b[?5ic\x1b[id", "a\x1b\\b\x1b\\c\x1b\\d"},
		{"checksum of the screen", "a\x1b[1;1;1;1;1;1*yb", "a\x1b\\b"},
		{"a number put together by a sequence", "\x1b]5\x1b[21t2;c;evil\x07", "\x1b]5\x1b\\2;c;evil\x07"},
		{"a number put together by a long one", "\x1b]5\x1b[" + strings.Repeat("0", 300) + "t2;c;evil\x07", "\x1b]5\x1b\\2;c;evil\x07"},
		{"sequence cancelled", "a\x1b[21\x18tb", "a\x1b[21\x18tb"},
		{"sequence broken off", "a\x1b[21\x1b[1mb", "a\x1b[1mb"},
		{"many colours", "\x1b[38;2;255;255;255;48;2;255;255;255;58:2::255:255:255;1;3;4:3;9;53m", "\x1b[38;2;255;255;255;48;2;255;255;255;58:2::255:255:255;1;3;4:3;9;53m"},
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
var forbiddenSequence = regexp.MustCompile(`\x1b\]0*(3|46|50|51|52|55|1337|5113|5522|9;0*[678])([^0-9;]|;|$)|` +
	`\x1bP[ -?]*tmux;|\x1bP[0-?]*(\||p|\+p|\$q|@)|\x1b\[0*2[01](;[0-;]*)?t|\x1b\[\??[0-;]*i|\x1b\[[0-;]*\*y`)

// FuzzSequences: what comes out has no forbidden sequence, does not depend on
// where the text was cut, and passes unchanged a second time; text without
// control strings passes unchanged.
func FuzzSequences(f *testing.F) {
	f.Add([]byte("a\x1b]52;c;x\x07b"), uint(3))
	f.Add([]byte("\x1bPtmux;\x1b\x1b]52;c;x\x07\x1b\\"), uint(1))
	f.Add([]byte("\x1b]5\x1b[21t2;c;x\x07\x9b5i\u009b?1000h"), uint(5))
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
		if bytes.IndexAny(in, "\x1b") < 0 && utf8.Valid(in) && !bytes.ContainsAny(in, "\u0090\u009b\u009d") && whole != string(in) {
			t.Errorf("%q gives %q", in, whole)
		}
		whole = filtered(string(in) + "\x18") // nothing is unfinished
		if again := filtered(whole); again != whole {
			t.Errorf("%q gives %q and then %q", in, whole, again)
		}
	})
}

// TestScreenModes: what a program leaves set is set back, and nothing else.
func TestScreenModes(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "text\r\n", ""},
		{"all reset", "\x1b[?1049h\x1b[?1000;1006h\x1b[1mx\x1b[0m\x1b[?1000;1006l\x1b[?1049l", "\x1b\\"},
		{"an unfinished string", "\x1b]0;title", "\x1b\\"},
		{"mouse", "\x1b[?1000h\x1b[?1003;1006h", "\x1b\\\x1b[?1000l\x1b[?1003l\x1b[?1006l"},
		{"paste and focus", "\x1b[?2004h\x1b[?1004h", "\x1b\\\x1b[?1004l\x1b[?2004l"},
		{"alternate screen", "\x1b[?1049h", "\x1b\\\x1b[?1049l"},
		{"old alternate screen", "\x1b[?47h", "\x1b\\\x1b[?47l"},
		{"cursor", "\x1b[?25l\x1b[4 q", "\x1b\\\x1b[?25h\x1b[0 q"},
		{"keys", "\x1b[?1h\x1b=", "\x1b\\\x1b[?1l\x1b>"},
		{"8-bit", "\x9b?1000h", "\x1b\\\x1b[?1000l"},
		{"saved and restored", "\x1b[?1000h\x1b[?1000s\x1b[?1000l\x1b[?1000r", "\x1b\\\x1b[?1000l"},
		{"colour", "\x1b[31mred", "\x1b\\\x1b[0m"},
		{"line drawing", "\x1b(0", "\x1b\\\x1b(B"},
		{"region", "\x1b[3;9r", "\x1b\\\x1b7\x1b[r\x1b8"},
		{"keyboard of kitty", "\x1b[>1u\x1b[>5u\x1b[<u\x1b[?1049h\x1b[>1u\x1b[=3u", "\x1b\\\x1b[<1u\x1b[=0u\x1b[?1049l\x1b[<1u"},
		{"keyboard of xterm", "\x1b[>4;2m", "\x1b\\\x1b[>4m"},
		{"first state", "\x1b[?1000h\x1bc", "\x1b\\"},
		{"unknown", "\x1b[?9999h", "\x1b\\"},
	} {
		var f sequenceFilter
		f.pass([]byte(tt.in))
		if diff := cmp.Diff(tt.want, f.modes.restored()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
