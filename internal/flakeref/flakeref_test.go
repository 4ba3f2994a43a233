package flakeref_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentenv/agentenv/internal/flakeref"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

const (
	rev     = "0123456789abcdef0123456789abcdef01234567"
	narHash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
)

func TestParse(t *testing.T) {
	for url, want := range map[string]workspace.Reference{
		"github:o/r":                           {"type": "github", "owner": "o", "repo": "r"},
		"github:NixOS/nixpkgs/nixos-26.05":     {"type": "github", "owner": "NixOS", "repo": "nixpkgs", "ref": "nixos-26.05"},
		"github:o/r/a/branch":                  {"type": "github", "owner": "o", "repo": "r", "ref": "a/branch"},
		"github:o/r/a%2Fbranch":                {"type": "github", "owner": "o", "repo": "r", "ref": "a/branch"},
		"github:o/r/" + rev:                    {"type": "github", "owner": "o", "repo": "r", "rev": rev},
		"github:o/r/" + strings.ToUpper(rev):   {"type": "github", "owner": "o", "repo": "r", "rev": rev},
		"github:o/r?rev=" + rev:                {"type": "github", "owner": "o", "repo": "r", "rev": rev},
		"github:o/r?ref=main&dir=a/b":          {"type": "github", "owner": "o", "repo": "r", "ref": "main", "dir": "a/b"},
		"github:o/r?dir=a%20b":                 {"type": "github", "owner": "o", "repo": "r", "dir": "a b"},
		"github:o/r.nix?host=git.corp.example": {"type": "github", "owner": "o", "repo": "r.nix", "host": "git.corp.example"},
		"github:o/r?narHash=" + narHash:        {"type": "github", "owner": "o", "repo": "r", "narHash": narHash},
		"github:o/r?narHash=" + strings.ReplaceAll(narHash, "+", "%2B"): {"type": "github", "owner": "o", "repo": "r", "narHash": narHash},

		"gitlab:o/r/v1":                     {"type": "gitlab", "owner": "o", "repo": "r", "ref": "v1"},
		"gitlab:veloren%2fdev/rfcs":         {"type": "gitlab", "owner": "veloren%2Fdev", "repo": "rfcs"},
		"gitlab:a%2Fb%2Fc/r?host=g.example": {"type": "gitlab", "owner": "a%2Fb%2Fc", "repo": "r", "host": "g.example"},
		"sourcehut:~misterio/nix-colors":    {"type": "sourcehut", "owner": "~misterio", "repo": "nix-colors"},

		"git+https://example.org/r.git":                       {"type": "git", "url": "https://example.org/r.git"},
		"git+https://example.org:8443/a%20b?ref=main":         {"type": "git", "url": "https://example.org:8443/a%20b", "ref": "main"},
		"git+https://example.org/r?ref=main&rev=" + rev:       {"type": "git", "url": "https://example.org/r", "ref": "main", "rev": rev},
		"git+https://example.org/r?submodules=1&shallow=0":    {"type": "git", "url": "https://example.org/r", "submodules": true, "shallow": false},
		"git+ssh://git@example.org/o/r.git?allRefs=1&dir=sub": {"type": "git", "url": "ssh://git@example.org/o/r.git", "allRefs": true, "dir": "sub"},
		"git+ssh://example.org/~u/r":                          {"type": "git", "url": "ssh://example.org/~u/r"},

		"https://example.org/a/b.tar.gz":                  {"type": "tarball", "url": "https://example.org/a/b.tar.gz"},
		"https://github.com/o/r/archive/main.zip":         {"type": "tarball", "url": "https://github.com/o/r/archive/main.zip"},
		"tarball+https://example.org/latest?dir=x":        {"type": "tarball", "url": "https://example.org/latest", "dir": "x"},
		"https://example.org/a.tar.xz?narHash=" + narHash: {"type": "tarball", "url": "https://example.org/a.tar.xz", "narHash": narHash},
	} {
		got, err := flakeref.Parse(url, false)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", url, err, diff)
		}
	}
}

func TestParseOfThisMachine(t *testing.T) {
	for url, want := range map[string]workspace.Reference{
		"path:/srv/tree":              {"type": "path", "path": "/srv/tree"},
		"path:///srv//a/../tree/":     {"type": "path", "path": "/srv/tree"},
		"path:/srv/a%20b%23?dir=x":    {"type": "path", "path": "/srv/a b#", "dir": "x"},
		"git+file:/srv/r":             {"type": "git", "url": "file:///srv/r"},
		"git+file:///srv/a%20b?ref=x": {"type": "git", "url": "file:///srv/a%20b", "ref": "x"},
		"path:./tree":                 nil,
		"path:tree":                   nil,
		"git+file:r":                  nil,
	} {
		got, err := flakeref.Parse(url, true)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%s: %v\n%s", url, err, diff)
		}
		if got, err := flakeref.Parse(url, false); err == nil {
			t.Errorf("%s was taken without dev: %v", url, got)
		}
	}
}

// TestRefused holds what is no reference, and the form that is printed.
func TestRefused(t *testing.T) {
	for url, form := range map[string]string{
		"nixpkgs":                                   "github:NixOS/nixpkgs/nixos-26.05",
		"nixpkgs/nixos-25.11":                       "github:NixOS/nixpkgs/nixos-25.11",
		"flake:nixpkgs":                             "github:NixOS/nixpkgs/nixos-26.05",
		"flake:x":                                   "github:OWNER/REPO",
		"home-manager":                              "github:OWNER/REPO",
		"o/r":                                       "github:OWNER/REPO",
		"https://github.com/o/r":                    "github:o/r",
		"https://github.com/o/r.git":                "github:o/r",
		"https://github.com/o/r/tree/a/b":           "github:o/r/a/b",
		"https://github.com/o/r/commit/" + rev:      "github:o/r/" + rev,
		"https://gitlab.com/o/r/":                   "gitlab:o/r",
		"https://git.sr.ht/~u/r":                    "sourcehut:~u/r",
		"https://example.org/r.git":                 "git+https://example.org/r.git",
		"https://example.org/page":                  "",
		"http://example.org/a.tar.gz":               "https://example.org/a.tar.gz",
		"tarball+http://example.org/a.tar.gz":       "https://example.org/a.tar.gz",
		"git://example.org/r":                       "git+https://example.org/r",
		"git+http://example.org/r":                  "git+https://example.org/r",
		"git@example.org:o/r.git":                   "git+ssh://git@example.org/o/r.git",
		"ssh://git@example.org/o/r":                 "git+ssh://git@example.org/o/r",
		"hg+https://example.org/r":                  "",
		"ext::sh -c true":                           "",
		"ext::sh":                                   "",
		"fd::17":                                    "",
		"file:///etc/passwd":                        "",
		"file+https://example.org/x":                "tarball+https://example.org/x",
		"./tree":                                    "",
		"~/tree":                                    "",
		"/srv/tree":                                 "",
		"":                                          "",
		"-x":                                        "",
		"--upload-pack=x":                           "",
		"github:":                                   "github:OWNER/REPO",
		"github:o":                                  "github:OWNER/REPO",
		"github:o/":                                 "github:OWNER/REPO",
		"github:/r":                                 "github:OWNER/REPO",
		"github:../r":                               "github:OWNER/REPO",
		"github:o/..":                               "github:OWNER/REPO",
		"github:-o/r":                               "github:OWNER/REPO",
		"github://o/r":                              "github:OWNER/REPO",
		"github:o%2Fx/r":                            "github:OWNER/REPO",
		"sourcehut:u/r":                             "sourcehut:~OWNER/REPO",
		"github:o/r#x":                              "github:o/r",
		"github:o/r/-x":                             "",
		"github:o/r/a..b":                           "",
		"github:o/r/a.lock":                         "",
		"github:o/r/":                               "",
		"github:o/r/a%00b":                          "",
		"github:o/r/a%0Ab":                          "",
		"github:o/r/%ff":                            "",
		"github:o/r/%":                              "",
		"github:o/r/%2":                             "",
		"github:o/r/%zz":                            "",
		"github:o/r/a b":                            "",
		"github:o/r/ä":                              "",
		"github:o/r/main?ref=main":                  "",
		"github:o/r/main?rev=" + rev:                "",
		"github:o/r?rev=abc":                        "",
		"github:o/r?ref=" + rev:                     "rev=" + rev,
		"github:o/r?ref=--x":                        "",
		"github:o/r?unknown=1":                      "",
		"github:o/r?submodules=1":                   "",
		"github:o/r?dir":                            "",
		"github:o/r?dir=":                           "",
		"github:o/r?dir=a&dir=b":                    "",
		"github:o/r?dir=../a":                       "",
		"github:o/r?dir=-a":                         "",
		"github:o/r?dir=/a":                         "",
		"github:o/r?dir=a/../../b":                  "",
		"github:o/r?host=a/b":                       "",
		"github:o/r?host=-a":                        "",
		"github:o/r?narHash=sha256-abc":             "",
		"github:o/r?narHash=md5-abc":                "",
		"git+https://example.org":                   "",
		"git+https://example.org/":                  "",
		"git+https:///r":                            "",
		"git+https:/r":                              "",
		"git+https://-o/r":                          "",
		"git+https://u:p@example.org/r":             "",
		"git+https://token@example.org/r":           "",
		"git+ssh://u:p@example.org/r":               "",
		"git+ssh://-oProxyCommand=x/r":              "",
		"git+ssh://-x@example.org/r":                "",
		"git+ssh://@example.org/r":                  "",
		"git+https://example.org/r?ref=a&x=1":       "",
		"git+https://example.org/r?submodules=true": "submodules=1",
		"https://u@example.org/a.tar.gz":            "",
		"https://example.org/a.tar.gz?id=1":         "",
		"github:o/r\n":                              "",
		"github:o/r\x00":                            "",
		"github:o/r\xff":                            "",
		"GITHUB:o/r":                                "",
	} {
		ref, err := flakeref.Parse(url, false)
		var wrong *flakeref.Error
		switch {
		case err == nil:
			t.Errorf("%q was taken: %v", url, ref)
		case !errors.As(err, &wrong) || wrong.Reason == "" || wrong.URL != url:
			t.Errorf("%q: the error is %#v", url, err)
		case wrong.Form != form:
			t.Errorf("%q: write %q, want %q", url, wrong.Form, form)
		}
	}
}

// TestFormsAreTaken holds that a form to write instead can be written.
func TestFormsAreTaken(t *testing.T) {
	for _, url := range []string{
		"nixpkgs", "nixpkgs/nixos-25.11", "https://github.com/o/r", "https://github.com/o/r/tree/a/b", "https://gitlab.com/o/r", "https://git.sr.ht/~u/r",
		"https://example.org/r.git", "http://example.org/a.tar.gz", "git://example.org/r", "git@example.org:o/r.git", "ssh://git@example.org/o/r", "github:o/r#x",
	} {
		_, err := flakeref.Parse(url, false)
		var wrong *flakeref.Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if _, err := flakeref.Parse(wrong.Form, false); err != nil {
			t.Errorf("%s: the form %s is not taken: %v", url, wrong.Form, err)
		}
		if !strings.Contains(err.Error(), wrong.Form) || !strings.HasPrefix(err.Error(), "parse flake reference") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// FuzzParse holds that what is taken is text that Nix, git and a terminal read
// as it stands.
func FuzzParse(f *testing.F) {
	for _, url := range []string{
		"github:o/r/main?dir=x", "gitlab:a%2Fb/r", "sourcehut:~u/r", "git+https://e.org/r?ref=a&submodules=1", "git+ssh://git@e.org/r",
		"https://e.org/a.tar.gz", "path:/a%20b", "git+file:/a", "git@e.org:o/r", "nixpkgs/x", "https://github.com/o/r", "a:b?c#d",
	} {
		f.Add(url, true)
		f.Add(url, false)
	}
	f.Fuzz(func(t *testing.T, url string, dev bool) {
		ref, err := flakeref.Parse(url, dev)
		if (ref == nil) != (err != nil) {
			t.Fatalf("%v, %v", ref, err)
		}
		if err != nil {
			if wrong := (*flakeref.Error)(nil); !errors.As(err, &wrong) || wrong.Reason == "" {
				t.Fatalf("the error is %#v", err)
			}
			return
		}
		for key, value := range ref {
			if _, flag := value.(bool); flag {
				continue
			}
			s, ok := value.(string)
			if !ok || s == "" || !utf8.ValidString(s) || s[0] == '-' || strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
				t.Errorf("%q: %s = %q", url, key, value)
			}
		}
		if u, ok := ref["url"].(string); ok && !strings.HasPrefix(u, "https://") && !strings.HasPrefix(u, "ssh://") && !(dev && strings.HasPrefix(u, "file:///")) {
			t.Errorf("%q: url = %q", url, u)
		}
		if _, hasPath := ref["path"]; hasPath && !dev {
			t.Errorf("%q: a path without dev", url)
		}
	})
}
