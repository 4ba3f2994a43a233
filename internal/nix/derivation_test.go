package nix

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	drvHash = "0c3jqcw7g0rbqw3r8hq9k0vz0mpr0m4n"
	drvPath = StoreDir + "/" + drvHash + "-x-1.0.drv"
	outPath = StoreDir + "/" + drvHash + "-x-1.0"
)

// drvText is a derivation with an output, inputs and environment as given.
func drvText(output, inputs, env string) string {
	return `Derive([` + output + `],[` + inputs + `],[],"x86_64-linux","/bin/sh",["-c","echo \"a\\nb\""],[` + env + `])`
}

func TestParseDerivation(t *testing.T) {
	plainOut := `("out","` + outPath + `","","")`
	for name, test := range map[string]struct {
		text string
		want derivation
	}{
		"plain": {
			drvText(plainOut, `("`+drvPath+`",["out"])`, `("name","x-1.0"),("src","`+outPath+`"),("srcs","/nix/store/a /nix/store/b")`),
			derivation{name: "x-1.0", inputs: []string{drvPath}, sources: []string{outPath, "/nix/store/a", "/nix/store/b"}},
		},
		"fixed": {
			drvText(`("out","`+outPath+`","r:sha256","00000000000000000000000000000000000000000000000000000000000000ff")`, ``, `("name","x.tar.gz"),("url","https://a"),("urls","https://b https://a")`),
			derivation{name: "x.tar.gz", hash: "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP8=", urls: []string{"https://b", "https://a"}},
		},
		"structured": {
			drvText(plainOut, ``, `("__json","{\"name\":\"y\",\"src\":\"/nix/store/a\",\"srcs\":[\"/nix/store/b\",[\"/nix/store/c\"],1,null]}"),("out","`+outPath+`")`),
			derivation{name: "y", sources: []string{"/nix/store/a", "/nix/store/b", "/nix/store/c"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.path, test.want.outputs = drvPath, map[string]string{"out": outPath}
			got, err := parseDerivation(drvPath, []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&test.want, got, cmp.AllowUnexported(derivation{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestParseDerivationErrors(t *testing.T) {
	good := drvText(`("out","`+outPath+`","","")`, ``, `("name","x")`)
	for name, test := range map[string]struct{ text, want string }{
		"dynamic":           {`DrvWithVersion("xp-dyn-drv",[],[],[],"s","b",[],[])`, errUnknownOutputs.Error()},
		"content-addressed": {drvText(`("out","","r:sha256","")`, ``, `("name","x")`), errUnknownOutputs.Error()},
		"impure":            {drvText(`("out","","r:sha256","impure")`, ``, `("name","x")`), errUnknownOutputs.Error()},
		"not in the store":  {strings.Replace(good, StoreDir, "/tmp/store", 1), ""},
		"no output":         {drvText(``, ``, `("name","x")`), ""},
		"cut":               {good[:len(good)-9], ""},
		"empty":             {"", ""},
		"JSON":              {drvText(`("out","`+outPath+`","","")`, ``, `("__json","{\"name\":1"),("name","x")`), ""},
	} {
		_, err := parseDerivation(drvPath, []byte(test.text))
		if err == nil || test.want != "" && err.Error() != test.want {
			t.Errorf("%s: got %v, want an error %q", name, err, test.want)
		}
	}
	if _, err := readDerivation(t.TempDir(), outPath); err == nil {
		t.Error("a path that is no derivation was read")
	}
	if _, err := readDerivation(t.TempDir(), drvPath); err == nil || errors.Is(err, errUnknownOutputs) {
		t.Errorf("a file that is missing: %v", err)
	}
}

// FuzzParseDerivation: what is read is well formed, whatever the text is.
func FuzzParseDerivation(f *testing.F) {
	f.Add(drvText(`("out","`+outPath+`","sha256","00ff")`, `("`+drvPath+`",["out"])`, `("__json","{}"),("name","x")`))
	f.Add(drvText(`("dev","`+outPath+`","",""),("out","`+outPath+`","","")`, ``, `("name","x"),("src","a\tb")`))
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDerivation(drvPath, []byte(text))
		if err != nil {
			return
		}
		for _, path := range d.outputs {
			if _, err := ParseStorePath(path); err != nil {
				t.Error(err)
			}
		}
		for _, path := range d.inputs {
			if _, err := parseDerivationPath(path); err != nil {
				t.Error(err)
			}
		}
	})
}
