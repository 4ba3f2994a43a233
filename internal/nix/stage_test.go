package nix

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStage(t *testing.T) {
	tree := map[string][]byte{"flake.nix": []byte("{ }"), "agentenv.json": []byte("{}")}
	for name, test := range map[string]struct {
		lock []byte
		want map[string]string
	}{
		"without a lock": {nil, map[string]string{"flake.nix": "{ }", "agentenv.json": "{}"}},
		"with one":       {[]byte("{ }\n"), map[string]string{"flake.nix": "{ }", "agentenv.json": "{}", "flake.lock": "{ }\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := Stage(tree, test.lock, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(dir)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != 0o700 {
				t.Errorf("the directory has mode %s", info.Mode())
			}
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, entry := range entries {
				text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
				if err != nil {
					t.Fatal(err)
				}
				got[entry.Name()] = string(text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("files (-want +got)\n%s", diff)
			}
			if len(tree) != 2 {
				t.Errorf("the tree was changed: %v", tree)
			}
		})
	}
	for _, wrong := range []map[string][]byte{nil, {"flake.nix": nil}, {"flake.nix": nil, "../agentenv.json": nil}, {"flake.nix": nil, "agentenv.json": nil, "x": nil}} {
		if dir, err := Stage(wrong, nil, t.TempDir()); err == nil {
			t.Errorf("%v: got %s", wrong, dir)
		}
	}
}
