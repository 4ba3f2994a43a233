package workspace_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/workspace"
	"github.com/bmatcuk/doublestar/v4"
)

func TestPlacesAreCleanAndUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range slices.Concat(workspace.SecretPlaces(), workspace.RunPlaces()) {
		if p != path.Clean(p) || p == "." || p == "/" || strings.HasPrefix(p, "..") || strings.HasPrefix(p, "~") {
			t.Errorf("%q is not a clean path below the home or from the root", p)
		}
		if seen[p] {
			t.Errorf("%q is listed twice", p)
		}
		seen[p] = true
	}
	places := workspace.SecretPlaces()
	places[0] = "changed"
	if workspace.SecretPlaces()[0] == "changed" {
		t.Error("a caller can change the table")
	}
}

// TestRunPlacesAreNotSecret holds that no place stands in both tables: what lies
// in a place of secrets is refused before anybody asks whether it runs.
func TestRunPlacesAreNotSecret(t *testing.T) {
	for _, p := range workspace.RunPlaces() {
		for _, s := range workspace.SecretPlaces() {
			if p == s || strings.HasPrefix(p, s+"/") {
				t.Errorf("%s lies in %s", p, s)
			}
		}
	}
}

func TestHostGroupsAreSorted(t *testing.T) {
	if g := workspace.HostGroups(); !slices.IsSorted(g) || len(slices.Compact(g)) != len(g) {
		t.Errorf("%q", workspace.HostGroups())
	}
}

// hidden is the rule that Hides documents, for a file that holds a secret.
func hidden(h workspace.Hides, name string) bool {
	match := func(glob string) bool { return doublestar.MatchUnvalidated(glob, name) }
	return slices.ContainsFunc(slices.Concat(h.Hide, h.Keyed), match) && !slices.ContainsFunc(h.Except, match)
}

func TestDefaultHides(t *testing.T) {
	h := workspace.DefaultHides()
	for _, glob := range slices.Concat(h.Hide, h.Except, h.Keyed) {
		if !doublestar.ValidatePattern(glob) || path.IsAbs(glob) {
			t.Errorf("%q is not a relative glob", glob)
		}
	}
	for name, want := range map[string]bool{
		".env": true, "a/b/.env": true, ".env.local": true, "prod.env": true, "a/.env.production.local": true,
		".env.example": false, "a/.env.sample": false, ".env.test.example": false, "a/.env.template": false,
		".envrc": true, ".envrc.example": false, "environment.go": false, "env": false, "a/dotenv.go": false,
		"id_rsa": true, "keys/id_ed25519": true, "id_rsa.pub": false, "server.pem": true, "tls/server.key": true, "cacert.pem": false,
		".netrc": true, "web/.npmrc": true, ".pypirc": true, ".git-credentials": true, "credentials.json": true, "credentials": false,
		"grpc/credentials/tls.go": false, "secrets.yaml": false, "package.json": false, "config.json": false, "keyboard.go": false,
		"infra/terraform.tfstate": true, "infra/terraform.tfstate.backup": true, "infra/main.tf": false,
		".claude/settings.local.json": true, ".claude/settings.json": false,
	} {
		if got := hidden(h, name); got != want {
			t.Errorf("%q: hidden %t, want %t", name, got, want)
		}
	}
}
