package launcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConfigValues holds the reading of git's configuration against what git
// itself accepts.
func TestConfigValues(t *testing.T) {
	const text = `
[core]
	hooksPath = .githooks
	HOOKSPATH="with space" # comment
	fsmonitor = a\\b ; comment
[include] path = ../.gitconfig
[includeIf "gitdir:~/p/"]
	path = con\
tinued
	pathological = no
	path
; path = commented
`
	want := []string{".githooks", "with space", `a\b`, "../.gitconfig", "continued"}
	if diff := cmp.Diff(want, configValues(text, "hookspath", "path", "fsmonitor")); diff != "" {
		t.Error(diff)
	}
}
