package nixgen

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/require"
)

// awkward are texts that some quoting gets wrong.
func awkward() []string {
	texts := []string{
		"", "a", `\`, `\\`, `"`, `\"`, "$", "$$", "${", "${x}", "$${x}", `\${x}`, `"${"x"}"`, "''", "''${x}", "'${x}",
		"\r", "\n", "\r\n", "\n\r", "\t", "a\rb", `\n`, `\u0041`, "\u2028", "\ufeff", "ö", "日本", "😀", "~/x", "./x", "<nixpkgs>",
		"x:1", "a.b", "a/b", "-1", "1", "1.0", "true", "null", "builtins", "__functor", "*/", "/*", "# x", "with space",
		"or", "assert", "else", "if", "in", "inherit", "let", "rec", "then", "with", "a'b", "_", "-a", "a-", "'a",
	}
	for c := range 0x80 {
		if c != 0 {
			texts = append(texts, string(rune(c)), "x"+string(rune(c))+"{y}")
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("\\\"$ {}'\n\r\tnxu0aé\x01\x7f")
	for range 500 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		texts = append(texts, b.String())
	}
	return texts
}

// TestQuoteEvaluates has a real Nix read every text back, as a string and as the
// name of an attribute.
func TestQuoteEvaluates(t *testing.T) {
	program, err := exec.LookPath("nix-instantiate")
	require.Have(t, "nix", err)
	want := awkward()
	var b strings.Builder
	b.WriteString("[\n")
	for _, text := range want {
		fmt.Fprintf(&b, "  { value = %s; name = builtins.attrNames { %s = 1; }; }\n", quote(text), attrName(text))
	}
	b.WriteString("]\n")
	file := filepath.Join(t.TempDir(), "quoted.nix")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--store", "dummy://", "--eval", "--strict", "--json", file)
	cmd.Env = []string{"HOME=" + t.TempDir()}
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var read []struct {
		Value string
		Name  []string
	}
	if err := json.Unmarshal(out, &read); err != nil {
		t.Fatal(err)
	}
	var values, names []string
	for _, r := range read {
		values = append(values, r.Value)
		names = append(names, r.Name...)
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Errorf("values (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got)\n%s", diff)
	}
}

// FuzzQuote: what Nix would read of a literal, by the rules of its lexer, is the
// text that was quoted, and nothing of it is left over.
func FuzzQuote(f *testing.F) {
	for _, text := range awkward() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if checkText(text) != nil {
			return
		}
		got, rest, err := readLiteral(quote(text))
		if err != nil || got != text || rest != "" {
			t.Errorf("%q is written as %s and read as %q, %q, %v", text, quote(text), got, rest, err)
		}
	})
}

// readLiteral reads a string literal as Nix's lexer does (src/libexpr/lexer.l,
// unescapeStr): a backslash takes n, r and t for control characters and any
// other character for itself, ${ starts an expression, and a carriage return
// with or without a line feed is a line feed.
func readLiteral(s string) (text, rest string, err error) {
	s, found := strings.CutPrefix(s, `"`)
	if !found {
		return "", s, fmt.Errorf("no literal")
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), s[i+1:], nil
		case c == '$' && strings.HasPrefix(s[i:], "${"):
			return "", s[i:], fmt.Errorf("an expression starts")
		case c == '\\':
			i++
			if i == len(s) {
				return "", "", fmt.Errorf("it ends in a backslash")
			}
			if at := strings.IndexByte("nrt", s[i]); at >= 0 {
				b.WriteByte("\n\r\t"[at])
			} else {
				b.WriteByte(s[i])
			}
		case c == '\r':
			if strings.HasPrefix(s[i:], "\r\n") {
				i++
			}
			b.WriteByte('\n')
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("it does not end")
}
