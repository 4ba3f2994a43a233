package flakeref

import (
	"regexp"
	"strings"
)

// foreign lists forms that Nix, git or people use and that are no references
// here, each with the form to write, built from the groups of its pattern.
var foreign = []struct {
	pattern *regexp.Regexp
	form    string
	reason  string
}{
	{regexp.MustCompile(`^(?:flake:)?nixpkgs$`), "github:NixOS/nixpkgs/nixos-26.05", "it is a name from the registry, which is not the same on every machine"},
	{regexp.MustCompile(`^(?:flake:)?nixpkgs/([A-Za-z0-9_.-]+)$`), "github:NixOS/nixpkgs/$1", "it is a name from the registry, which is not the same on every machine"},
	{regexp.MustCompile(`^flake:`), "github:OWNER/REPO", "it is a name from the registry, which is not the same on every machine"},
	{regexp.MustCompile(`^(ext|fd)::`), "", "it would run a program"},
	{regexp.MustCompile(`^([A-Za-z0-9_.-]+)@([A-Za-z0-9.-]+):/*([^:]+)$`), "git+ssh://$1@$2/$3", "Nix does not know the short form of ssh"},
	{regexp.MustCompile(`^ssh://(.*)$`), "git+ssh://$1", "ssh does not say what is fetched over it"},
	{regexp.MustCompile(`^https?\+git://(.*)$`), "git+https://$1", "the two parts of the scheme are swapped"},
	{regexp.MustCompile(`^git(?:\+http)?://(.*)$`), "git+https://$1", "it is fetched without encryption"},
	{regexp.MustCompile(`^(?:tarball\+|file\+)?http://(.*)$`), "https://$1", "it is fetched without encryption"},
	{regexp.MustCompile(`^(?:hg|hg\+.*):`), "", "Mercurial is not supported"},
	{regexp.MustCompile(`^(?:file|tarball\+file|file\+file):`), "", "it names a file of this machine, which nobody else has"},
	{regexp.MustCompile(`^file\+https:(.*)$`), "tarball+https:$1", "a single file is no tree"},
	{regexp.MustCompile(`^[~./]`), "", "it is a path of this machine, which nobody else has; a checkout block shows a local tree to the agent"},
	{regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z0-9_./-]+)?$`), "github:OWNER/REPO", "it is a name from the registry, which is not the same on every machine"},
}

// refuseUnknown says why url, whose scheme is not in the table, is none.
func refuseUnknown(url string) error {
	for _, f := range foreign {
		if m := f.pattern.FindStringSubmatchIndex(url); m != nil {
			return refuse(string(f.pattern.ExpandString(nil, f.form, url, m)), "%s", f.reason)
		}
	}
	return refuse("", "it is none of github:, gitlab:, sourcehut:, git+https:, git+ssh: or the https: address of an archive")
}

// pages lists web pages of repositories that people copy from a browser.
var pages = []struct {
	pattern *regexp.Regexp
	form    string
}{
	{regexp.MustCompile(`^//github\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+?)(?:\.git)?/?$`), "github:$1/$2"},
	{regexp.MustCompile(`^//github\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)/(?:tree|commit)/([A-Za-z0-9_./-]+)$`), "github:$1/$2/$3"},
	{regexp.MustCompile(`^//gitlab\.com/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+?)(?:\.git)?/?$`), "gitlab:$1/$2"},
	{regexp.MustCompile(`^//git\.sr\.ht/(~[A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)/?$`), "sourcehut:$1/$2"},
	{regexp.MustCompile(`^(.*\.git)$`), "git+https:$1"},
}

// refuseHTTPS says what to write for an https address that is not an archive's.
func refuseHTTPS(body string) error {
	for _, p := range pages {
		if m := p.pattern.FindStringSubmatchIndex(body); m != nil {
			return refuse(string(p.pattern.ExpandString(nil, p.form, body, m)), "an https: address is an archive's")
		}
	}
	return refuse("", "an https: address is an archive's, and the name does not end in %s; write git+https: for a repository, tarball+https: for an archive of another name", strings.Join(archives, ", "))
}
