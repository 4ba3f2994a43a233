package workspace

// Nix is the environment side of a spec: all that reaches derivations. It has
// no position and no path of a machine in it, so that two people generate the
// same bytes; positions are kept beside it, by entry id, in Nix.Positions.
type Nix struct {
	Name       string   // of the workspace
	Systems    []string // sorted, such as "x86_64-linux"
	Out        string   // directory of the generated files, slash-separated, relative to the spec
	Agentenv   Reference
	Nixpkgs    Nixpkgs
	Inputs     []Input     // sorted by name
	Packages   []Package   // sorted by id
	Sources    []Source    // sorted by name
	SourceSets []SourceSet // sorted
	Libraries  []Package   // headers, pkg-config and linker paths; sorted by id
	From       Base
	Base       bool                // shell, coreutils and the like, at lowest priority
	Loader     bool                // the dynamic loader at its usual place
	Agents     []string            // names of the agent blocks, sorted: one app each
	Positions  map[string]Position // entry id → where it was written; never generated
	Found      Found               // by building; no spec holds it, and gen writes none of it
}

// Found is what building a workspace brought to light and the next evaluation
// takes into account. It is no part of the digest.
type Found struct {
	Without []string    // ids of members of source sets and of items of the base that are not to be had, sorted
	Trees   []FixedTree // of the source sets runtime and build, sorted by name
}

// FixedTree is a source that was found in a derivation of the environment: the
// output of a derivation with a fixed hash.
type FixedTree struct {
	Name       string   // directory name below /src
	Derivation string   // store path of the .drv
	Output     string   // name of the output, usually "out"
	Path       string   // store path of the output
	URLs       []string // where it is fetched from, as the derivation says
	Hash       string   // such as "sha256-…", "" when it is not known
}

// Reference is a flake reference as an attribute set, the form that is printed
// into flake.nix: the keys are those of builtins.fetchTree (type, owner, repo,
// ref, rev, host, dir, url, path, narHash, …); values are string, bool or int64.
type Reference map[string]any

// Nixpkgs says which package set the environment is built from.
type Nixpkgs struct {
	Reference Reference
	Unfree    []string  // exact package names, sorted
	Insecure  []string  // exact NAME-VERSION of packages, sorted
	Overlays  []Overlay // in the order in which they are applied
}

// Overlay is one overlay of nixpkgs: an attribute of an input, by default
// overlays.default.
type Overlay struct {
	ID    string   // `nixpkgs.overlays "INPUT#ATTRIBUTE"`, the id that error messages and Positions use
	Input string   // a declared input
	Path  []string // attribute path in the input
}

// Input is a further flake input.
type Input struct {
	Name      string
	Reference Reference
	Flake     bool              // false: a plain tree
	Follows   map[string]string // input of the input → input of ours
}

// Package is one package of the environment.
type Package struct {
	ID     string   // as written, the id that error messages and Positions use
	Input  string   // "" for nixpkgs
	Path   []string // attribute path; its last element may be an output, which Nix decides
	Output string   // "" for the default outputs
	With   []string // attributes to put into it, as in python3.withPackages; sorted
}

// Source is one source tree that the agent sees under /src/NAME.
type Source struct {
	ID      string   // `source.NAME`, the id that error messages and Positions use
	Name    string   // directory name below /src
	Package string   // as written; "" when Input is a tree
	Input   string   // "" for nixpkgs
	Path    []string // attribute path of the package; empty: the input itself
	// Attribute is the attribute of the package that is the source, such as
	// goModules; empty: what the package itself is built from.
	Attribute []string
	Patched   bool // with the package's patches applied
}

// SourceSet is a set of source trees that is named by how it is found.
type SourceSet string

// The values of source_set.of.
const (
	SourcesOfPackages SourceSet = "packages" // of each package of the environment
	SourcesOfRuntime  SourceSet = "runtime"  // of each derivation behind the environment's closure
	SourcesOfBuild    SourceSet = "build"    // of each derivation that building it needs
)
