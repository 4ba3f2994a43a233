package nixgen

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// privateDir takes the generated files where there is no git tree.
const privateDir = ".agentenv"

// Facts is what the place of the generated files depends on. Nixgen looks at
// neither git nor the disk.
type Facts struct {
	GitTree   bool     // the spec lies in the work tree of a git repository
	Untracked []string // the generated names that git does not track there
	Ignored   []string // those of Untracked that git ignores
	Flake     []byte   // flake.nix where it would be generated; nil when there is none
}

// Placement says where generated files go and what the human is told of it.
type Placement struct {
	Dir     string   // slash-separated, relative to the directory of the spec
	Files   []string // the names of the files to write, sorted
	Flake   string   // the flake reference to give to nix, relative to the directory of the spec
	Add     []string // the arguments of the git command that makes Nix see the files; nil when it does
	Foreign bool     // a flake.nix is there that is not ours: Paste is to be put into it
}

// Paste is what a flake.nix that is not ours needs besides an input agentenv.
const Paste = `inputs.agentenv.lib.mkWorkspace {
  inherit inputs;
  spec = ./agentenv.json;
}`

// DirIn returns the directory of the generated files, relative to the spec's and
// slash-separated, for the directory out that the spec names. Without git Nix
// copies the whole directory of a flake into the store, which everyone can read;
// so outside a git tree the files get a directory that holds nothing else.
func DirIn(out string, gitTree bool) string {
	if out = path.Clean(out); gitTree || out != "." {
		return out
	}
	return privateDir
}

// Place decides where the generated files go. out is the directory that the spec
// names.
func Place(out string, f Facts) Placement {
	p := Placement{Dir: DirIn(out, f.GitTree), Files: []string{DataFile, FlakeFile}}
	p.Flake = "path:./" + p.Dir
	if f.GitTree {
		p.Flake = dotted(p.Dir)
	}
	if f.Flake != nil && !Generated(FlakeFile, f.Flake) {
		p.Foreign = true
		p.Files = []string{DataFile}
	}
	if f.GitTree {
		p.Add = addArgs(p, f)
	}
	return p
}

// dotted is dir as Nix takes a path: with a dot in front, or it is looked up in
// the registry.
func dotted(dir string) string {
	if dir == "." || strings.HasPrefix(dir, "../") {
		return dir
	}
	return "./" + dir
}

// addArgs are the arguments of git that make Nix see the untracked ones of the
// files: in a git tree it reads what git tracks and nothing else. The intent to
// add is enough (NixOS/nix#8389); an ignored file must be forced.
func addArgs(p Placement, f Facts) []string {
	args := []string{"add", "-N"}
	var files []string
	for _, name := range p.Files {
		if slices.Contains(f.Untracked, name) {
			files = append(files, filepath.FromSlash(path.Join(p.Dir, name)))
		}
		if slices.Contains(f.Ignored, name) && !slices.Contains(args, "-f") {
			args = append(args, "-f")
		}
	}
	if files == nil {
		return nil
	}
	return append(append(args, "--"), files...)
}

// Only returns the files of t that names lists.
func (t Tree) Only(names []string) Tree {
	only := Tree{}
	for _, name := range names {
		if contents, found := t[name]; found {
			only[name] = contents
		}
	}
	return only
}
