package hcl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agentenv/agentenv/internal/flakeref"
	"github.com/hashicorp/hcl/v2"
)

// packageName is [INPUT#]ATTRPATH, taken apart.
type packageName struct {
	written string
	input   string // "" for nixpkgs
	path    []string
}

// key is the same for two packages that are the same, however they are quoted.
func (p packageName) key() string { return p.input + "#" + strings.Join(p.path, "\x00") }

func (d *decoder) decodePackages(b *block) []field[packageName] {
	return deriveAll(d.strs(b, "packages"), d.packageName)
}

// packageName reads a package as the Nix command line does: components are
// separated by dots, and quotes make one of what is between them.
func (d *decoder) packageName(written string, r hcl.Range) (packageName, bool) {
	wrong := func(detail, hint string) (packageName, bool) {
		d.report(r, "Invalid package", fmt.Sprintf("%q: %s", written, detail), hint)
		return packageName{}, false
	}
	input, attrpath, found := strings.Cut(written, "#")
	if quote := strings.IndexByte(written, '"'); !found || quote >= 0 && quote < len(input) {
		input, attrpath = "", written
	}
	if strings.ContainsAny(input, ":/") {
		name, input := inputNameFor(input), referenceFor(input)
		return wrong("A package names a declared input, not a flake reference.", fmt.Sprintf("add input %q { url = %q } and write %q", name, input, name+"#"+attrpath))
	}
	if found && input == "" && strings.HasPrefix(written, "#") {
		return wrong("Before # comes the name of an input.", fmt.Sprintf("write %q", attrpath))
	}
	if name, outputs, ok := strings.Cut(attrpath, "^"); ok && !strings.Contains(attrpath, `"`) {
		return wrong("An output is the last component of the path here.", "write "+outputForms(written[:len(written)-len(attrpath)]+name, outputs))
	}
	if input == "nixpkgs" {
		input = ""
	}
	path, err := splitPath(attrpath)
	if err != nil {
		return wrong(err.Error(), "")
	}
	return packageName{written: written, input: input, path: path}, true
}

type withConfig struct {
	pkg  field[packageName]
	with []field[string]
}

func (d *decoder) decodePackageBlock(b *block) withConfig {
	return withConfig{pkg: derive(b.label, d.packageName), with: deriveAll(d.strs(b, "with"), d.member)}
}

// member checks a name of a package's own set.
func (d *decoder) member(name string, r hcl.Range) (string, bool) {
	if plainPartRE().MatchString(name) {
		return name, true
	}
	d.report(r, "Invalid package", fmt.Sprintf("%q is not one name of the package's own set.", name), "")
	return "", false
}

// outputForms is how NAME^a,b is written in a list of packages.
func outputForms(name, outputs string) string {
	if outputs == "*" || outputs == "" {
		return fmt.Sprintf("%q, and one entry for each output, such as %q", name, name+".dev")
	}
	var forms []string
	for _, o := range strings.Split(outputs, ",") {
		forms = append(forms, fmt.Sprintf("%q", name+"."+o))
	}
	return strings.Join(forms, ", ")
}

// referenceFor is the form of a reference that an input takes, if there is one.
func referenceFor(reference string) string {
	_, err := flakeref.Parse(reference, true)
	if wrong := (*flakeref.Error)(nil); errors.As(err, &wrong) && wrong.Form != "" {
		return wrong.Form
	}
	return reference
}

var lastWordRE = lazily(`([a-z][a-z0-9_-]*)[^a-z]*$`)

// inputNameFor proposes a name for the input of a reference: its repository's.
func inputNameFor(reference string) string {
	if m := lastWordRE().FindStringSubmatch(strings.ToLower(reference)); m != nil {
		return m[1]
	}
	return "NAME"
}

// plainPartRE is what a component may be without quotes.
var plainPartRE = lazily(`^[A-Za-z0-9_+'@-]+$`)

// splitPath splits an attribute path at the dots outside of quotes. There are
// no escapes between quotes, as in Nix (parseAttrPath in attr-path.cc).
func splitPath(s string) ([]string, error) {
	var parts []string
	for rest := s; ; {
		part, after, err := nextPart(rest)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if after == "" {
			return parts, nil
		}
		rest = after[1:]
	}
}

// nextPart takes the first component off s. What is left starts with a dot or
// is empty.
func nextPart(s string) (part, rest string, err error) {
	if quoted, ok := strings.CutPrefix(s, `"`); ok {
		part, rest, ok = strings.Cut(quoted, `"`)
		switch {
		case !ok:
			return "", "", fmt.Errorf("The closing quote is missing.")
		case part == "" || hasControl(part):
			return "", "", fmt.Errorf("A component is empty or has a control character.")
		case rest != "" && rest[0] != '.':
			return "", "", fmt.Errorf("After a closing quote comes a dot or the end.")
		}
		return part, rest, nil
	}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		s, rest = s[:i], s[i:]
	}
	switch {
	case s == "":
		return "", "", fmt.Errorf("A component of the attribute path is empty.")
	case !plainPartRE().MatchString(s):
		return "", "", fmt.Errorf("The component %q must be in quotes to have such characters.", s)
	}
	return s, rest, nil
}
