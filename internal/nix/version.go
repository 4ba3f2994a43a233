package nix

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Version is the version of a nix command. Forks count on their own: Lix 2.91
// and Determinate Nix 3.x are ahead of every Nix that they came from.
type Version struct {
	Major, Minor int
	Text         string // all that the command says, such as "nix (Nix) 2.8.0"
}

// Oldest is the oldest version that agentenv works with: the first whose flakes
// lock attribute sets as later ones do. Nixpkgs itself asks for a newer one.
var Oldest = Version{Major: 2, Minor: 8}

// Before tells whether v is older than other.
func (v Version) Before(other Version) bool {
	return v.Major < other.Major || v.Major == other.Major && v.Minor < other.Minor
}

// versionText finds the last word that starts with two numbers. Patterns are
// compiled when they are needed: most commands need none.
var versionText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d+)\.(\d+)\S*$`)
})

// Version asks the nix command for its version.
func (c CLI) Version(ctx context.Context) (Version, error) {
	out, err := c.run(ctx, "/", "--version")
	if err != nil {
		return Version{}, err
	}
	return parseVersion(string(out))
}

func parseVersion(text string) (Version, error) {
	text = strings.TrimSpace(text)
	match := versionText().FindStringSubmatch(text)
	if match == nil {
		return Version{}, fmt.Errorf("read version of nix: %q has none", text)
	}
	v := Version{Text: text}
	for i, part := range []*int{&v.Major, &v.Minor} {
		number, err := strconv.Atoi(match[i+1])
		if err != nil {
			return Version{}, fmt.Errorf("read version of nix: %w", err)
		}
		*part = number
	}
	return v, nil
}
