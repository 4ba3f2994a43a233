package nix

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/workspace"
)

// object is what a test changes in a manifest.
type object = map[string]any

func manifestObject() object {
	return object{
		"version": 1, "workspace": "billing", "digest": "sha256:00", "system": "x86_64-linux",
		"environment": p("environment"), "sources": p("sources"), "base": nil,
		"loader": p("glibc") + "/lib/ld-linux-x86-64.so.2", "shell": nil, "env": nil,
		"vars": object{"TZDIR": p("tzdata") + "/share/zoneinfo"}, "missing_base": []string{"less"},
	}
}

func graphOf(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(lines(p(name), "", "0"))
	}
	return b.String()
}

func TestReadManifest(t *testing.T) {
	self := p("agentenv-manifest")
	all := graphOf("tzdata", "sources", "glibc", "environment")
	for name, test := range map[string]struct {
		change func(object)
		graph  string
		err    string
	}{
		"good":    {nil, all, ""},
		"version": {func(o object) { o["version"] = 2 }, all, "it has version 2, this agentenv reads version 1"},
		"none":    {func(o object) { delete(o, "version") }, all, "it has version 0, this agentenv reads version 1"},
		"type":    {func(o object) { o["environment"] = 1 }, all, "parse manifest.json: json: cannot unmarshal number into Go struct field manifest.environment of type string"},
		"no environment": {
			func(o object) { o["environment"] = nil }, all, `"" is not in the closure`,
		},
		"environment below a path": {
			func(o object) { o["environment"] = p("environment") + "/x" }, all, `"` + p("environment") + `/x" is not in the closure`,
		},
		"loader elsewhere": {
			func(o object) { o["loader"] = "/lib64/ld-linux-x86-64.so.2" }, all,
			`parse path in the store: "/lib64/ld-linux-x86-64.so.2" is not in /nix/store`,
		},
		"variable upward": {
			func(o object) { o["vars"] = object{"X": p("tzdata") + "/../../../etc"} }, all,
			`parse path in the store: "` + p("tzdata") + `/../../../etc" is not clean`,
		},
		"base outside of the closure": {
			func(o object) { o["base"] = p("base") }, all, p("base") + " is not in the closure",
		},
		"incomplete closure": {nil, graphOf("sources", "environment", "glibc"), p("tzdata") + "/share/zoneinfo is not in the closure"},
		"empty closure":      {nil, "", `"` + p("environment") + `" is not in the closure`},
		"broken closure":     {nil, all + "x", `parse export graph: parse store path "x": it is not in /nix/store`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			o := manifestObject()
			if test.change != nil {
				test.change(o)
			}
			text, err := json.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"manifest.json": string(text), "closure": test.graph} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := readManifest(self, dir)
			if test.err != "" {
				if got != nil || err == nil || err.Error() != test.err {
					t.Errorf("got  %v\nwant %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := &workspace.Environment{
				Workspace: "billing", Digest: "sha256:00", System: "x86_64-linux", Manifest: self,
				Path: p("environment"), Sources: p("sources"),
				Loader: p("glibc") + "/lib/ld-linux-x86-64.so.2",
				Vars:   map[string]string{"TZDIR": p("tzdata") + "/share/zoneinfo"}, MissingBase: []string{"less"},
				Closure: []string{self, p("environment"), p("glibc"), p("sources"), p("tzdata")},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("environment (-want +got)\n%s", diff)
			}
		})
	}
}

func TestReadManifestPath(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/etc", p("x") + "/y", "", "relative"} {
		if env, err := ReadManifest(path); err == nil {
			t.Errorf("%q: got %v", path, env)
		}
	}
}
