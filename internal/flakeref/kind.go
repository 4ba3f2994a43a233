package flakeref

import (
	"path"
	"regexp"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// kind is one row of the table of references: how what follows the scheme is
// read, and which parameters may come after it.
type kind struct {
	name   string // the type attribute
	dev    bool   // names a tree of this machine
	params []string
	body   func(ref workspace.Reference, scheme, body string) error
}

var (
	forgeParams = []string{"dir", "host", "narHash", "ref", "rev"}
	gitParams   = []string{"allRefs", "dir", "narHash", "ref", "rev", "shallow", "submodules"}
	treeParams  = []string{"dir", "narHash"}
)

var kinds = map[string]kind{
	"github":        {name: "github", params: forgeParams, body: parseForge},
	"gitlab":        {name: "gitlab", params: forgeParams, body: parseForge},
	"sourcehut":     {name: "sourcehut", params: forgeParams, body: parseForge},
	"git+https":     {name: "git", params: gitParams, body: parseGit},
	"git+ssh":       {name: "git", params: gitParams, body: parseGit},
	"git+file":      {name: "git", params: gitParams, body: parseGitFile, dev: true},
	"https":         {name: "tarball", params: treeParams, body: parseTarball},
	"tarball+https": {name: "tarball", params: treeParams, body: parseTarball},
	"path":          {name: "path", params: treeParams, body: parsePath, dev: true},
}

var (
	ownerRE = lazily(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*$`)
	// GitLab's subgroups stand encoded in the attribute too: Nix puts the owner
	// into the address as it is.
	groupRE = lazily(`^[A-Za-z0-9_.][A-Za-z0-9_.-]*(%2[Ff][A-Za-z0-9_.-]+)*$`)
	userRE  = lazily(`^~[A-Za-z0-9_.-]+$`)
	revRE   = lazily(`^[0-9a-fA-F]{40}$`)
)

// forges holds what differs between the forges.
var forges = map[string]struct {
	owner func() *regexp.Regexp
	form  string
}{
	"github":    {ownerRE, "github:OWNER/REPO"},
	"gitlab":    {groupRE, "gitlab:OWNER/REPO"},
	"sourcehut": {userRE, "sourcehut:~OWNER/REPO"},
}

// parseForge reads OWNER/REPO and, after it, a revision, if it is 40 hex
// digits, or else a branch or tag, which may have slashes.
func parseForge(ref workspace.Reference, scheme, body string) error {
	f := forges[scheme]
	parts := strings.SplitN(body, "/", 3)
	if len(parts) < 2 || !f.owner().MatchString(parts[0]) || !ownerRE().MatchString(parts[1]) || isDots(parts[0]) || isDots(parts[1]) {
		return refuse(f.form, "after %s: come an owner and a repository", scheme)
	}
	ref["owner"] = strings.ReplaceAll(parts[0], "%2f", "%2F")
	ref["repo"] = parts[1]
	if len(parts) == 2 {
		return nil
	}
	name, err := decode(parts[2])
	if err != nil {
		return err
	}
	if revRE().MatchString(name) {
		return setRev(ref, name)
	}
	return setRef(ref, name)
}

func isDots(s string) bool { return s == "." || s == ".." }

// parseGit reads //HOST/PATH of git+https and git+ssh.
func parseGit(ref workspace.Reference, scheme, body string) error {
	transport := strings.TrimPrefix(scheme, "git+")
	if err := checkAuthority(transport, body); err != nil {
		return err
	}
	ref["url"] = transport + ":" + body
	return nil
}

// parseGitFile reads the absolute path of a repository of this machine.
func parseGitFile(ref workspace.Reference, _, body string) error {
	p, err := absolute("git+file:", strings.TrimPrefix(body, "//"))
	if err != nil {
		return err
	}
	ref["url"] = "file://" + encode(p)
	return nil
}

func parsePath(ref workspace.Reference, _, body string) error {
	p, err := absolute("path:", strings.TrimPrefix(body, "//"))
	if err != nil {
		return err
	}
	ref["path"] = p
	return nil
}

// absolute decodes and cleans a path. A relative one would be relative to the
// private directory in which the flake is evaluated.
func absolute(scheme, body string) (string, error) {
	p, err := decode(body)
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(p, "/") {
		return "", refuse(scheme+"/ABSOLUTE/PATH", "the path is not absolute")
	}
	return path.Clean(p), nil
}

// archives are the names by which Nix knows an archive.
var archives = []string{".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"}

// parseTarball reads //HOST/PATH of an archive. Without the prefix tarball+ the
// name must be an archive's, so that the address of a web page is not taken for
// one.
func parseTarball(ref workspace.Reference, scheme, body string) error {
	if err := checkAuthority("https", body); err != nil {
		return err
	}
	if scheme == "https" && !isArchive(body) {
		return refuseHTTPS(body)
	}
	ref["url"] = "https:" + body
	return nil
}

func isArchive(body string) bool {
	for _, ext := range archives {
		if strings.HasSuffix(body, ext) {
			return true
		}
	}
	return false
}

var (
	authorityRE = lazily(`^//(?:([^/@]*)@)?([^/@:]*)(:[0-9]{1,5})?(/.*)$`)
	hostRE      = lazily(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)
	loginRE     = lazily(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)
)

// checkAuthority demands //[USER@]HOST[:PORT]/PATH. Userinfo is only for ssh
// and only a name: a token in an https address would be written to flake.nix
// and, world-readable, to the store.
func checkAuthority(transport, body string) error {
	m := authorityRE().FindStringSubmatch(body)
	if m == nil || !hostRE().MatchString(m[2]) {
		return refuse("", "after %s: come //HOST/PATH", transport)
	}
	hasUser := strings.Contains(strings.SplitN(body[2:], "/", 2)[0], "@")
	if hasUser && (transport != "ssh" || !loginRE().MatchString(m[1])) {
		return refuse("", "it has a credential in it; give access tokens to Nix with netrc-file or access-tokens")
	}
	if strings.Trim(m[4], "/") == "" {
		return refuse("", "it names no repository")
	}
	_, err := decode(m[4])
	return err
}
