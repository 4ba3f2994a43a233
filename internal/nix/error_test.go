package nix

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNewError reads what versions of Nix write. The texts of 2.8 besides are in
// TestFindings, from a real one.
func TestNewError(t *testing.T) {
	for name, test := range map[string]struct {
		stderr   string
		kind     Kind
		message  string
		findings []Finding
	}{
		"newer: the message last, in colours": {
			"error:\n       … while calling the 'foldl'' builtin\n         at /nix/store/x/lib.nix:1:2:\n" +
				"       … agentenv: within entry \"go\"\n\n" +
				"       \x1b[31;1merror:\x1b[0m Package ‘go-1’ in /nix/store/x has an unfree license (‘unfree’), refusing to evaluate.\n",
			KindUnfree,
			"Package ‘go-1’ in /nix/store/x has an unfree license (‘unfree’), refusing to evaluate.",
			[]Finding{{"go", KindUnfree, "Package ‘go-1’ in /nix/store/x has an unfree license (‘unfree’), refusing to evaluate."}},
		},
		"what a terminal would obey": {
			"error: \x1b]52;c;eA==\aunable to download 'https://\x1b[2Jx\r\u009b'\n",
			KindOffline, "]52;c;eA==unable to download 'https://[2Jx'", nil,
		},
		"several findings in one throw": {
			"error: agentenv: entry \"a\": missing: x\n       agentenv: entry \"b\\\"\\n\": no-source: y\n",
			KindMissing,
			`agentenv: entry "a": missing: x`,
			[]Finding{{"a", KindMissing, "x"}, {"b\"\n", KindNoSource, "y"}},
		},
		"a code of a later release": {
			"error: agentenv: entry \"a\": unheard-of: x\n", KindOther, `agentenv: entry "a": unheard-of: x`, nil,
		},
		"a source that changed": {
			"error: hash mismatch in fixed-output derivation '/nix/store/h-x.tar.gz.drv':\n" +
				"         specified: sha256-AAAA=\n            got:    sha256-BBBB=\n" +
				"error: 1 dependencies of derivation '/nix/store/h-agentenv-source-hello.drv' failed to build\n" +
				"error: 1 dependencies of derivation '/nix/store/h-agentenv-sources.drv' failed to build\n",
			KindHash,
			"hash mismatch in fixed-output derivation '/nix/store/h-x.tar.gz.drv':",
			[]Finding{{"source.hello", KindHash, "hash mismatch in fixed-output derivation '/nix/store/h-x.tar.gz.drv':"}},
		},
		"no network": {
			"warning: error: unable to download 'https://api.github.com/x': Couldn't resolve host name (6); retrying in 258 ms\n" +
				"error: unable to download 'https://api.github.com/x': Couldn't resolve host name (6)\n(use '--show-trace' to show detailed location information)\n",
			KindOffline, "unable to download 'https://api.github.com/x': Couldn't resolve host name (6)", nil,
		},
		"a Nixpkgs that is newer": {
			"error: evaluation aborted with the following error message: '\n       This version of Nixpkgs requires Nix >= 2.18, please upgrade:\n",
			KindTooOld, "This version of Nixpkgs requires Nix >= 2.18, please upgrade:", nil,
		},
		"a builder": {
			"error: builder for '/nix/store/h-x.drv' failed with exit code 2\nerror: 1 dependencies of derivation '/nix/store/h-y.drv' failed to build\n",
			KindBuild, "builder for '/nix/store/h-x.drv' failed with exit code 2", nil,
		},
		"nothing": {"", KindOther, "exit status 1", nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := newError("build", "exit status 1", plain(test.stderr))
			got := []any{e.Kind, e.Message, e.Findings}
			if diff := cmp.Diff([]any{test.kind, test.message, test.findings}, got); diff != "" {
				t.Errorf("error (-want +got)\n%s", diff)
			}
		})
	}
}
