// Package workspace holds the vocabulary that all phases share: what a checked
// spec means, once names are resolved, defaults filled in and paths made
// absolute.
//
// It has plain values only. It opens no file, knows no HCL and no Nix, and
// imports nothing outside the standard library.
package workspace

import "fmt"

// Workspace is a checked spec. Nix is its environment side: the same bytes on
// every machine. Policy is its launch side: it holds paths of this machine.
type Workspace struct {
	Name   string
	File   string   // absolute path of the spec file
	Dir    string   // absolute path of the directory that holds the spec
	Files  []string // absolute paths of the other files that say something of it: includes, and the user's own
	Nix    Nix
	Policy Policy
}

// Position is a place in a spec file. Line and Column start at 1 and the column
// counts characters; the zero Position means that agentenv itself decided.
type Position struct {
	File   string
	Line   int
	Column int
}

// Mode says how the agent gets at the project.
type Mode string

// The modes of a project block.
const (
	ModeClone  Mode = "clone"  // a repository of the agent's own
	ModeDirect Mode = "direct" // the human's own tree, its .git read-only
)

// Base says where the environment's programs come from.
type Base string

// The values of environment.from.
const (
	FromNix  Base = "nix"  // a Nix environment, nothing of the host's
	FromHost Base = "host" // the host's /usr, read-only
)

// Policy is the launch side of a spec. Lists are in the order that the spec
// gives, except maps, which have none.
type Policy struct {
	Text       map[string]any // launch-side attributes as written, for agentenv.json
	Checkouts  []Checkout     // sorted by name
	Project    Project
	Agents     []Agent // in file order; the first is the default
	Set        map[string]string
	Pass       []Named // environment variables let through, by name
	Filesystem Filesystem
	Network    Network
	Git        Git
	Limits     Limits
	Sandbox    Sandbox
	Store      Store
	Forbidden  Forbidden
}

// Store says what of the Nix store is shown.
type Store struct {
	All bool // all of it; false: what the environment refers to
	At  Position
}

// Forbidden are the paths that the user opens to no agent, whatever a spec says.
// A grant may neither be one of them nor lie in one, nor hold one that it does
// not hide.
type Forbidden struct {
	Read  []Grant // neither read nor written
	Write []Grant // not written
}

// Named is a name and where it was written.
type Named struct {
	Name string
	At   Position
}

// Checkout is a local tree that the agent may read.
type Checkout struct {
	Name string
	Path string   // absolute, not yet canonical; may be a glob, which gives one checkout for each match
	Hide []string // slash-separated globs relative to Path, besides the default hides
	At   Position // of the path attribute

	Except  []string // absolute globs of trees that Path matches and that are not shown
	Expose  Expose
	History bool // a bare copy of its repository is shown too
}

// Expose says what of a checkout is shown.
type Expose string

// The values of checkout.expose.
const (
	ExposeFiles   Expose = "files"   // all but what is hidden
	ExposeTracked Expose = "tracked" // what git tracks, less what is hidden
)

// Project is the one tree that the agent works on.
type Project struct {
	Path string // absolute
	Mode Mode
	At   Position

	Carry   []Named // ignored directories lent to the clone, slash-separated, relative to Path
	Protect []Named // further paths that stay read-only, the same
}

// Agent is a program that can be launched in the sandbox.
type Agent struct {
	Name    string
	Program string // a bare name looked up in the environment, or an absolute path inside
	Args    []string
	At      Position
}

// Filesystem holds grants besides checkouts and the project.
type Filesystem struct {
	Read  []Grant
	Write []Grant
	Hide  []Named // absolute globs that are hidden in every tree that is shown
	Tmp   Size    // of /tmp and /dev/shm each; 0 bytes: the default
}

// Size is a number of bytes and where it was written.
type Size struct {
	Bytes int64
	At    Position
}

// Count is a number and where it was written. 0 is no limit.
type Count struct {
	N  int64
	At Position
}

// Git says what the agent may do with git.
type Git struct {
	Commit string // "unsigned" or "forbidden"
	At     Position
}

// Limits bound what a session may use. The zero value bounds nothing.
type Limits struct {
	Memory    Size
	Processes Count
	OpenFiles Count
}

// Isolation is how a session is kept in.
type Isolation string

// The values of sandbox.isolation.
const (
	IsolationFull     Isolation = "full"     // namespaces, Landlock and seccomp
	IsolationLandlock Isolation = "landlock" // no namespaces
)

// Sandbox says how a session is kept in.
type Sandbox struct {
	Isolation Isolation
	At        Position
}

// Grant is one path that the spec opens to the agent.
type Grant struct {
	Path string // absolute, not yet canonical
	At   Position
}

// Network says which hosts answer. The zero value means none.
type Network struct {
	Allow   []Endpoint
	Private []Prefix
	Groups  []Named // names of sets of hosts
	Publish []Count // TCP ports inside that the host's loopback reaches
}

// Endpoint is one host name and one TCP port that the agent may connect to.
type Endpoint struct {
	Host string // lower case, no trailing dot; *.SUFFIX for every name below SUFFIX
	Port uint16 // 0: 443 and 80
	At   Position
}

// Prefix is an address range in CIDR notation that allowed names may resolve
// into although it is private.
type Prefix struct {
	CIDR string
	At   Position
}

// String is the form that editors jump to: file:line:column.
func (p Position) String() string {
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}
