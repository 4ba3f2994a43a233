package hcl_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
	hcl2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

var formats = []struct{ name, file, src, want string }{
	{"empty", "a.hcl", "", ""},
	{"blank", "a.hcl", "\n \n", ""},
	{"right", "a.hcl", "a = 1\n", "a = 1\n"},
	{"no line end", "a.hcl", "a = 1", "a = 1\n"},
	{"blank lines at the end", "a.hcl", "a = 1\n\n\n", "a = 1\n"},
	{"alignment", "a.hcl", "b \"x\" {\na=1\n  bcd   =  [ 1,2 ]\n}\n", "b \"x\" {\n  a   = 1\n  bcd = [1, 2]\n}\n"},
	{"comments stay", "a.hcl", "# one\na=1 # two\n/* three */\n", "# one\na = 1 # two\n/* three */\n"},
	{"heredoc", "a.hcl", "a = <<EOT\n  x  =  y\nEOT\n", "a = <<EOT\n  x  =  y\nEOT\n"},
	{"line ends and mark of Windows", "a.hcl", "\xef\xbb\xbfa=1\r\nb=2\r\n", "a = 1\nb = 2\n"},
	{"brackets", "a.hcl", "a=[{\nb=1\n},{\nc= [ ]\n}]\n", "a = [{\n  b = 1\n}, {\n  c = []\n}]\n"},
	{"expressions", "a.hcl", "a=-1 - -b[ 0 ].c [1]+f ( x ... )\nb=[for k,v in[1] :v if!x]\nc=x?{}:{a:1}\n", "a = -1 - -b[0].c[1] + f(x...)\nb = [for k, v in [1] : v if !x]\nc = x ? {} : { a : 1 }\n"},
	{"strings stay", "a.hcl", "a   =  \"x  ${ y }  %{ if z }z%{ endif }\"\n", "a = \"x  ${ y }  %{ if z }z%{ endif }\"\n"},
	{"runs", "a.hcl", "a=1 # x\nbbb=22  # y\n\nc=3\nd={\ne=1\n}\n", "a   = 1  # x\nbbb = 22 # y\n\nc = 3\nd = {\n  e = 1\n}\n"},
	{"comments of several lines", "a.hcl", "b {\n/* one\n two */\na=1\n}\n", "b {\n  /* one\n two */\n  a = 1\n}\n"},
	{"unknown blocks", "a.hcl", "nonsense   {}\n", "nonsense {}\n"},
	{"json", "a.hcl.json", `{"b":{"x":{}},"a":[1,2]}`, "{\n  \"b\": {\n    \"x\": {}\n  },\n  \"a\": [\n    1,\n    2\n  ]\n}\n"},
	{"json twice", "a.hcl.json", `{"a":{"x":1},"a":{"y":"<\u00e4>"}}`, "{\n  \"a\": {\n    \"x\": 1\n  },\n  \"a\": {\n    \"y\": \"<\\u00e4>\"\n  }\n}\n"},
}

func TestFormat(t *testing.T) {
	for _, tt := range formats {
		t.Run(tt.name, func(t *testing.T) {
			got, report := hcl.Format([]byte(tt.src), "/w/"+tt.file)
			if report.HasErrors() {
				t.Fatal(report.Err())
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestFormatAsTerraform holds the layout against hclwrite's, on the fixtures.
func TestFormatAsTerraform(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, report := hcl.Format(src, "/w/"+filepath.Base(file))
		if report.HasErrors() {
			continue
		}
		if diff := cmp.Diff(string(hclwrite.Format(src)), string(got)); diff != "" {
			t.Errorf("%s (-hclwrite +got)\n%s", file, diff)
		}
	}
}

func TestFormatRefusesWhatDoesNotParse(t *testing.T) {
	for _, tt := range []struct{ file, src string }{
		{"a.hcl", "a = {\n"},
		{"a.hcl", "a = \xff\n"},
		{"a.hcl.json", `{"a": 1,}`},
		{"a.hcl.json", ``},
		{"a.txt", "a = 1\n"},
	} {
		if got, report := hcl.Format([]byte(tt.src), "/w/"+tt.file); got != nil || !report.HasErrors() {
			t.Errorf("Format(%q, %s) is %q without an error", tt.src, tt.file, got)
		}
	}
}

// FuzzFormat holds that only white space changes, and that it changes once.
func FuzzFormat(f *testing.F) {
	for _, tt := range formats {
		f.Add([]byte(tt.src), strings.HasSuffix(tt.file, ".json"))
	}
	for _, dir := range []string{"valid-files", "error-files"} {
		files, err := filepath.Glob(filepath.Join("testdata", dir, "*.hcl*"))
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src, strings.HasSuffix(file, ".json"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		file := "/w/workspace.hcl"
		if isJSON {
			file += ".json"
		}
		once, report := hcl.Format(src, file)
		if report.HasErrors() {
			return
		}
		twice, report := hcl.Format(once, file)
		if report.HasErrors() {
			t.Fatalf("the result does not parse: %v\n%s", report.Err(), once)
		}
		if diff := cmp.Diff(string(once), string(twice)); diff != "" {
			t.Errorf("formatting twice (-once +twice)\n%s", diff)
		}
		if isJSON {
			var before, after any
			if json.Unmarshal(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), &before); json.Unmarshal(once, &after) != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("the values differ: %v, %v", before, after)
			}
			return
		}
		if diff := cmp.Diff(words(src), words(once)); diff != "" {
			t.Errorf("tokens (-before +after)\n%s", diff)
		}
	})
}

// words are the tokens of a spec but for line ends at its end.
func words(src []byte) []string {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	for bytes.Contains(src, []byte("\r\n")) {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	}
	tokens, _ := hclsyntax.LexConfig(bytes.TrimRight(src, " \t\r\n"), "", hcl2.InitialPos)
	var words []string
	for _, t := range tokens {
		text := strings.TrimRight(string(t.Bytes), "\n")
		if t.Type == hclsyntax.TokenComment {
			text = strings.TrimRight(text, " \t\n")
		}
		words = append(words, t.Type.String()+" "+text)
	}
	return words
}
