package flakeref_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/flakeref"
	"github.com/agentenv/agentenv/workspace"
)

var update = flag.Bool("update", false, "ask Nix 2.26 or newer for the golden table anew; scripts/nix-2.26 has one")

// oracle are the references that are put to Nix's own parser.
var oracle = []string{
	"github:o/r", "github:o/r/main", "github:o/r/a/branch", "github:o/r/" + rev, "github:o/r?rev=" + rev, "github:o/r?ref=main&dir=a/b",
	"github:o/r?dir=a%20b", "github:o/r.nix?host=git.corp.example", "github:o/r?narHash=" + narHash,
	"gitlab:o/r/v1", "gitlab:o/r?host=g.example", "gitlab:a%2Fb/r", "sourcehut:~misterio/nix-colors",
	"git+https://example.org/r.git", "git+https://example.org:8443/a%20b?ref=main", "git+https://example.org/r?ref=main&rev=" + rev,
	"git+https://example.org/r?submodules=1&shallow=0", "git+ssh://git@example.org/o/r.git?allRefs=1&dir=sub", "git+ssh://example.org/~u/r",
	"https://example.org/a/b.tar.gz", "https://github.com/o/r/archive/main.zip", "tarball+https://example.org/latest?dir=x", "https://example.org/a.tar.xz?narHash=" + narHash,
	"path:/srv/tree", "path:/srv//a/../tree/", "path:/srv/a%20b%23?dir=x", "git+file:/srv/r", "git+file:///srv/a%20b?ref=x",
	// What agentenv refuses and Nix takes in some way or other, or refuses as well.
	"nixpkgs", "flake:nixpkgs", "https://github.com/o/r", "http://example.org/a.tar.gz", "git+http://example.org/r", "git@example.org:o/r.git",
	"hg+https://example.org/r", "file+https://example.org/x", "github:o", "github:o/r?unknown=1", "github:o/r?ref=a&rev=" + rev, "github:o/r#x", "path:./tree",
	"git+ext::x", "github:o/r/a..b", "git+https://-o/r",
}

// differs are the references that mean the same in other attributes, and why.
var differs = map[string]string{
	"gitlab:a%2Fb/r":        "Nix 2.26 decodes the slash of a subgroup too early and takes b for the repository; as an attribute, encoded, it is what the manual says",
	"path:/srv//a/../tree/": "Nix leaves the path as it stands",
	"git+file:/srv/r":       "file:/srv/r and file:///srv/r are one URL (RFC 8089)",
}

// TestOracle holds what Parse makes of references against Nix's parseFlakeRef: what
// Parse takes means the same to Nix. Versions before 2.26 differ, which is why
// attribute sets are generated.
func TestOracle(t *testing.T) {
	file := filepath.Join("testdata", "parse-flake-ref.golden.json")
	if *update {
		ask(t, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]map[string]any
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for _, url := range oracle {
		want, asked := golden[url]
		if !asked {
			t.Errorf("%s is not in %s", url, file)
			continue
		}
		got, err := flakeref.Parse(url, true)
		var wrong *flakeref.Error
		if errors.As(err, &wrong) {
			continue
		}
		same := cmp.Equal(workspace.Reference(want), got)
		if _, known := differs[url]; same == known {
			t.Errorf("%s is %v to Nix and %v to us, and differs has it: %t", url, want, got, known)
		}
	}
}

// ask writes what Nix says of every reference; null is what it refuses.
func ask(t *testing.T, file string) {
	t.Helper()
	golden := map[string]map[string]any{}
	for _, url := range oracle {
		cmd := exec.Command("nix", "--extra-experimental-features", "nix-command flakes", "eval", "--store", "dummy://", "--json",
			"--expr", "builtins.parseFlakeRef ''"+url+"''")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "NIX_CONFIG=flake-registry ="}
		out, err := cmd.Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			if strings.Contains(string(exit.Stderr), "parseFlakeRef' missing") {
				t.Fatalf("this Nix has no parseFlakeRef: %s", exit.Stderr)
			}
			golden[url] = nil
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var ref map[string]any
		if err := json.Unmarshal(out, &ref); err != nil {
			t.Fatal(err)
		}
		golden[url] = ref
	}
	text, err := json.MarshalIndent(golden, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
