// Package starter writes the spec that a project starts with. It looks at the
// names in a directory, and fills the constant text of templates/starter.
//
// It reads no file's contents, writes nothing, and looks no package up: its
// names are Nixpkgs' own.
package starter

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Kind is a kind of project, by the files that show it, and what it needs.
type Kind struct {
	Name     string   // to the user, such as "Go"
	Files    []string // patterns of path.Match; one that is there is enough
	Packages []string // of Nixpkgs
	Hosts    []string // that its package manager downloads from, NAME:PORT
	Source   string   // a package whose source is worth reading; may be empty
	Found    string   // the name of the file that showed it, fit for a comment; set by Detect
}

// Detect returns the kinds of project that dir holds, in the order of the table.
func Detect(dir fs.FS) ([]Kind, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	var found []Kind
	for _, k := range Kinds() {
		if k.Found = first(k.Files, entries); k.Found != "" {
			found = append(found, k)
		}
	}
	return found, nil
}

// first is the first of the entries, in the order of the patterns, that one of
// them matches.
func first(patterns []string, entries []fs.DirEntry) string {
	for _, p := range patterns {
		for _, e := range entries {
			if ok, err := path.Match(p, e.Name()); ok && err == nil && !e.IsDir() {
				return shown(e.Name(), p)
			}
		}
	}
	return ""
}

// shown is name, or the pattern that it matches when it cannot stand in a comment
// as it is.
func shown(name, pattern string) string {
	if strings.ContainsFunc(name, unusual) {
		return pattern
	}
	return name
}

// most is how many checkouts are suggested at most.
const most = 20

// Siblings returns the names of the git repositories that lie directly in
// parent, sorted, but for the directory called self. Names that cannot stand in
// a spec as they are, and hidden ones, are left out.
func Siblings(parent fs.FS, self string) []string {
	entries, err := fs.ReadDir(parent, ".")
	if err != nil {
		return nil // what cannot be listed cannot be suggested
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if name == self || !e.IsDir() || Name(name) == "" || strings.ContainsFunc(name, unusual) || strings.HasPrefix(name, ".") {
			continue
		}
		if _, err := fs.Stat(parent, path.Join(name, ".git")); err != nil {
			continue
		}
		if names = append(names, name); len(names) == most {
			break
		}
	}
	return names
}

func unusual(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r))
}

// Name makes of the name of a directory one that a label may have: a lower-case
// letter, then lower-case letters, digits, - and _, at most 64. It is empty when
// nothing is left.
func Name(dir string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(dir) {
		if r >= 'a' && r <= 'z' || b.Len() > 0 && (r >= '0' && r <= '9' || r == '_') {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.TrimRight(name[:min(len(name), 64)], "-")
}

// Facts are what a starter spec depends on.
type Facts struct {
	Name      string // of the workspace, as Name returns it
	Kinds     []Kind
	Checkouts []string // names of directories beside the project's, as Siblings returns them
	Flake     bool     // there is a flake.nix that was not generated
}

// Fill returns the text of a spec: template with what f says in the place of the
// marks in it. It is not yet formatted.
func Fill(template string, f Facts) string {
	source := "openssl"
	for _, k := range slices.Backward(f.Kinds) {
		source = cmp.Or(k.Source, source)
	}
	return strings.NewReplacer(
		"# FLAKE\n", flake(f.Flake),
		`"NAME"`, `"`+f.Name+`"`,
		"  # PACKAGES\n", packages(f.Kinds),
		`"SOURCE"`, `"`+source+`"`,
		"# CHECKOUTS\n", checkouts(f.Checkouts),
		"    # HOSTS\n", hosts(f.Kinds),
	).Replace(template)
}

func flake(there bool) string {
	if !there {
		return ""
	}
	return "# This directory has a flake of its own. agentenv gen leaves it alone, and says\n# what to put into it.\n\n"
}

// packages are the lines of the list, each kind's below the file that showed it.
func packages(kinds []Kind) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, k := range kinds {
		fresh := slices.DeleteFunc(slices.Clone(k.Packages), func(p string) bool { return seen[p] })
		if len(fresh) == 0 {
			continue
		}
		b.WriteString("  # " + k.Found + "\n")
		for _, p := range fresh {
			seen[p] = true
			b.WriteString("  \"" + p + "\",\n")
		}
	}
	if b.Len() == 0 {
		return "  # \"go\", \"nodejs\", \"python3\",\n"
	}
	return b.String()
}

// checkouts are one line for each directory. Different directories may make the
// same name, and get a number then.
func checkouts(dirs []string) string {
	if len(dirs) == 0 {
		dirs = []string{"other"}
	}
	var b strings.Builder
	seen := map[string]int{}
	for _, dir := range dirs {
		name := Name(dir)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name[:min(len(name), 60)], seen[name])
		}
		fmt.Fprintf(&b, "# checkout %q { path = %q }\n", name, "../"+dir)
	}
	return b.String()
}

func hosts(kinds []Kind) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, k := range kinds {
		for _, h := range k.Hosts {
			if !seen[h] {
				seen[h] = true
				b.WriteString("    # \"" + h + "\",\n")
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "    # For packages to be downloaded, take away the # in front:\n" + b.String()
}
