package nix

import "testing"

// TestHint holds the hints for what Nix and Nixpkgs say, in the words of several
// versions.
func TestHint(t *testing.T) {
	for name, test := range map[string]struct {
		stderr, want string
		kind         Kind
	}{
		"unfree": {
			"error: Package ‘claude-code-2.1.3’ in /nix/store/x/package.nix:83 has an unfree license (‘unfree’), refusing to evaluate.",
			`allow its licence by name: nixpkgs { unfree = ["claude-code"] }`, KindUnfree,
		},
		"unfree, a name with digits": {
			"error: Package ‘7zz-24.09’ has an unfree license, refusing to evaluate.",
			`allow its licence by name: nixpkgs { unfree = ["7zz"] }`, KindUnfree,
		},
		"insecure": {
			"error:\n       … while evaluating x\n\n       error: Package ‘openssl-1.1.1w’ in /nix/store/x:1 is marked as insecure, refusing to evaluate.",
			`allow this version in spite of what is known of it: nixpkgs { insecure = ["openssl-1.1.1w"] }`, KindRefused,
		},
		"broken": {"error: Package ‘x-1’ in y:1 is marked as broken, refusing to evaluate.", "another revision of nixpkgs may have it in order", KindRefused},
		"platform": {
			"error: Package ‘x-1’ in y:1 is not available on the requested hostPlatform:", "it is not for this system; workspace.systems says for which ones the environment is", KindRefused,
		},
		"hash of a download": {
			"error: hash mismatch in fixed-output derivation '/nix/store/x.drv':\n         specified: sha256-AAA=\n            got:    sha256-BBB=\n",
			"expected sha256-AAA=, got sha256-BBB=: what was published has changed, or somebody is in between", KindHash,
		},
		"hash of an input": {
			"error: NAR hash mismatch in input 'github:o/r' (/nix/store/x), expected 'sha256-AAA=', got 'sha256-BBB='",
			"expected sha256-AAA=, got sha256-BBB=: what was published has changed, or somebody is in between", KindHash,
		},
		"too old": {
			"error: evaluation aborted with the following error message: '\n\nThis version of Nixpkgs requires Nix >= 2.18, please upgrade:\n'",
			"this Nixpkgs needs Nix 2.18 or newer: upgrade Nix, or take an older nixpkgs.url", KindTooOld,
		},
		"too old, in later words": {
			"error: evaluation aborted with the following error message: 'This version of Nixpkgs requires an implementation of Nix with the following features:\n- `builtins.nixVersion` reports at least 2.18\n'",
			"this Nixpkgs needs Nix 2.18 or newer: upgrade Nix, or take an older nixpkgs.url", KindTooOld,
		},
		"full":    {"error: writing to file: No space left on device", "free some: nix store gc removes what nothing refers to", KindSpace},
		"daemon":  {"error: cannot connect to socket at '/nix/var/nix/daemon-socket/socket': Connection refused", "start the Nix daemon: systemctl start nix-daemon", KindDaemon},
		"limit":   {"error: unable to download 'https://api.github.com/x': HTTP error 403\n\n       response body: API rate limit exceeded", "GitHub allows few requests an hour without a token: wait, or set access-tokens in nix.conf", KindLimit},
		"gone":    {"error: unable to download 'https://api.github.com/repos/o/x/commits/HEAD': HTTP error 404", "check owner, repository and branch; a private repository needs access-tokens in nix.conf", KindGone},
		"offline": {"error: unable to download 'https://x': Couldn't resolve host name (6)", "what is locked and built already needs no network; a proxy or an access token of Nix may be missing", KindOffline},
		"builder": {"error: builder for '/nix/store/x.drv' failed with exit code 1", "", KindBuild},
	} {
		t.Run(name, func(t *testing.T) {
			e := newError("build", "exit status 1", test.stderr)
			if got := e.Hint(Finding{Kind: e.Kind, Message: e.Message}); got != test.want || e.Kind != test.kind {
				t.Errorf("got %s, %q\nwant %s, %q", e.Kind, got, test.kind, test.want)
			}
		})
	}
}
