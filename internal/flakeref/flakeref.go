// Package flakeref turns a flake URL into the attribute set that is printed
// into flake.nix.
//
// The attribute set is the only form that all Nix versions read alike: 2.8 does
// not decode %20, 2.26 does; a parameter that github does not know is dropped
// in a URL and is an error in a set. So a URL is taken apart here, by a table,
// and what the table does not know is an error that prints the right form where
// there is one.
//
// It resolves nothing: no registry, no network, no file is read.
package flakeref

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agentenv/agentenv/workspace"
)

// Error is a reference that agentenv does not take.
type Error struct {
	URL    string // as written
	Reason string // why, a clause that starts in lower case
	Form   string // what to write instead, "" when there is no one right form
}

// Error returns the reason and the form, without a full stop.
func (e *Error) Error() string {
	if e.Form == "" {
		return fmt.Sprintf("parse flake reference %q: %s", e.URL, e.Reason)
	}
	return fmt.Sprintf("parse flake reference %q: %s; write %s", e.URL, e.Reason, e.Form)
}

// problem is an Error before its URL is known.
type problem struct{ reason, form string }

func (p *problem) Error() string { return p.reason }

func refuse(form, reason string, args ...any) error {
	return &problem{reason: fmt.Sprintf(reason, args...), form: form}
}

// Parse returns url as an attribute set. Its values are strings, but for the
// flags of git, which are bools. With dev it also takes trees of this machine,
// path: and git+file:, which a colleague's machine does not have. Every error
// is an *Error.
func Parse(url string, dev bool) (workspace.Reference, error) {
	ref, err := parse(url, dev)
	if p, ok := err.(*problem); ok {
		return nil, &Error{URL: url, Reason: p.reason, Form: p.form}
	}
	return ref, nil
}

func parse(url string, dev bool) (workspace.Reference, error) {
	if err := checkText(url); err != nil {
		return nil, err
	}
	scheme, rest, ok := strings.Cut(url, ":")
	k, known := kinds[scheme]
	if !ok || !known {
		return nil, refuseUnknown(url)
	}
	if k.dev && !dev {
		return nil, refuse("", "%s: names a tree of this machine, which nobody else has; a checkout block shows a local tree to the agent, and --dev takes such a reference for a trial", scheme)
	}
	if rest, fragment, ok := strings.Cut(rest, "#"); ok {
		return nil, refuse(scheme+":"+rest, "a reference names a flake, not something in it; the part after # belongs to where it is used, as INPUT#%s", fragment)
	}
	body, query, _ := strings.Cut(rest, "?")
	ref := workspace.Reference{"type": k.name}
	if err := k.body(ref, scheme, body); err != nil {
		return nil, err
	}
	if err := parseQuery(ref, k, scheme, query); err != nil {
		return nil, err
	}
	return ref, checkTogether(ref)
}

// checkText refuses what no reference may hold anywhere. A leading dash would
// be an option to git; NUL ends a string early in Nix 2.8.
func checkText(url string) error {
	switch {
	case url == "":
		return refuse("", "it is empty")
	case !utf8.ValidString(url):
		return refuse("", "it is not valid UTF-8")
	case url[0] == '-':
		return refuse("", "it starts with a dash")
	}
	for _, r := range url {
		if r < 0x20 || r == 0x7f {
			return refuse("", "it has a control character")
		}
		if r == ' ' || r > 0x7e {
			return refuse("", "%q must be percent-encoded in a URL", r)
		}
	}
	return nil
}

// checkTogether refuses attributes that contradict each other. Nix says the
// same of the forges; for git a ref tells where to find the rev.
func checkTogether(ref workspace.Reference) error {
	_, hasRef := ref["ref"]
	_, hasRev := ref["rev"]
	if hasRef && hasRev && ref["type"] != "git" {
		return refuse("", "it has both a rev and a ref")
	}
	return nil
}
