package flakeref

import (
	"regexp"
	"strings"
	"sync"
)

// foreign lists forms that Nix, git or people use and that are no references
// here, each with the form to write, built from the groups of its pattern.
var foreign = []struct {
	pattern string
	form    string
	reason  string
}{
	{`^(?:flake:)?nixpkgs$`, "github:NixOS/nixpkgs/nixos-26.05", "it is a name from the registry, which is not the same on every machine"},
	{`^(?:flake:)?nixpkgs/([A-Za-z0-9_.-]+)$`, "github:NixOS/nixpkgs/$1", "it is a name from the registry, which is not the same on every machine"},
	{`^flake:`, "github:OWNER/REPO", "it is a name from the registry, which is not the same on every machine"},
	{`^(ext|fd)::`, "", "it would run a program"},
	{`^([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+):/*([^:]+)$`, "git+ssh://$1@$2/$3", "Nix does not know the short form of ssh"},
	{`^ssh://(.*)$`, "git+ssh://$1", "ssh does not say what is fetched over it"},
	{`^https?\+git://(.*)$`, "git+https://$1", "the two parts of the scheme are swapped"},
	{`^git(?:\+http)?://(.*)$`, "git+https://$1", "it is fetched without encryption"},
	{`^(?:tarball\+|file\+)?http://(.*)$`, "https://$1", "it is fetched without encryption"},
	{`^(?:hg|hg\+.*):`, "", "Mercurial is not supported"},
	{`^(?:file|tarball\+file|file\+file):`, "", "it names a file of this machine, which nobody else has"},
	{`^file\+https:(.*)$`, "tarball+https:$1", "a single file is no tree"},
	{`^[~./]`, "", "it is a path of this machine, which nobody else has; a checkout block shows a local tree to the agent"},
	{`^[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z0-9_./-]+)?$`, "github:OWNER/REPO", "it is a name from the registry, which is not the same on every machine"},
}

// refuseUnknown says why url, whose scheme is not in the table, is none.
func refuseUnknown(url string) error {
	for _, f := range foreign {
		if form, ok := rewrite(f.pattern, f.form, url); ok {
			return refuse(form, "%s", f.reason)
		}
	}
	return refuse("", "it is none of github:, gitlab:, sourcehut:, git+https:, git+ssh: or the https: address of an archive")
}

// pages lists web pages of repositories that people copy from a browser.
var pages = []struct {
	pattern string
	form    string
}{
	{`^//github\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+?)(?:\.git)?/?$`, "github:$1/$2"},
	{`^//github\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)/(?:tree|commit)/([A-Za-z0-9_./-]+)$`, "github:$1/$2/$3"},
	{`^//gitlab\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+?)(?:\.git)?/?$`, "gitlab:$1/$2"},
	{`^//git\.sr\.ht/(~[A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)/?$`, "sourcehut:$1/$2"},
	{`^(.*\.git)$`, "git+https:$1"},
}

// refuseHTTPS says what to write for an https address that is not an archive's.
func refuseHTTPS(body string) error {
	for _, p := range pages {
		if form, ok := rewrite(p.pattern, p.form, body); ok {
			return refuse(form, "an https: address is an archive's")
		}
	}
	return refuse("", "an https: address is an archive's, and the name does not end in %s; write git+https: for a repository, tarball+https: for an archive of another name", strings.Join(archives, ", "))
}

// rewrite fills form with the groups of pattern, if text matches it. It compiles
// the pattern each time: it is needed once, in an error, and not at every start.
func rewrite(pattern, form, text string) (string, bool) {
	re := regexp.MustCompile(pattern)
	m := re.FindStringSubmatchIndex(text)
	if m == nil {
		return "", false
	}
	return string(re.ExpandString(nil, form, text, m)), true
}

// lazily compiles a pattern at its first use. Compiling all of them at start
// would be half of what a command costs before it does anything.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
