// Package launcher turns a workspace, its environment and facts of the host
// into a Plan, and carries a Plan out: a program in a sandbox.
//
// Planning is pure and decides everything. Carrying out decides nothing: a step
// that cannot be done as planned ends the launch, and nothing was started.
//
// It reads no HCL, runs no Nix, asks no questions and prints nothing but what
// the sandboxed program prints.
package launcher

import "net/netip"

// Plan is all that will be enforced, and the program that it is enforced on.
// It holds every path and every right; it can be printed as JSON and compared.
type Plan struct {
	Workspace string   `json:"workspace"`
	Tier      string   `json:"tier"`             // "full"
	Argv      []string `json:"argv"`             // Argv[0] is an absolute path inside, or a name for Path
	Path      []string `json:"path"`             // directories inside in which Argv[0] is looked up
	Env       []string `json:"env"`              // NAME=VALUE, sorted by name; nothing else is passed
	Passed    []string `json:"passed,omitempty"` // names in Env whose values are the caller's
	Dir       string   `json:"dir"`              // working directory inside
	UID       int      `json:"uid"`              // inside and outside the same
	GID       int      `json:"gid"`
	Hostname  string   `json:"hostname"`
	Mounts    []Mount  `json:"mounts"` // in the order in which they are made
	Landlock  Ruleset  `json:"landlock"`
	Seccomp   Seccomp  `json:"seccomp"`
	Limits    []Limit  `json:"limits"`
	Routes    []Route  `json:"routes"` // what the network gate serves
	Checks    []Check  `json:"checks"` // tried inside before the program starts
}

// Op is a kind of mount.
type Op string

// The kinds of mount. Missing parents of a target are made as directories of
// mode 0755 in the new root.
const (
	OpBind    Op = "bind"    // Source, with what is mounted below it
	OpOverlay Op = "overlay" // Source without the names in Hide, read-only
	OpTmpfs   Op = "tmpfs"   // empty, Size bytes at most, Mode
	OpDir     Op = "dir"     // a directory of the root itself, Mode
	OpFile    Op = "file"    // a file of the root itself with Content, Mode
	OpSymlink Op = "symlink" // a link of the root itself to Source
	OpMask    Op = "mask"    // an empty file or directory over Target, without rights
	OpProc    Op = "proc"    // a fresh proc of the new PID namespace, its host facts masked
	OpDevpts  Op = "devpts"  // a terminal device instance of the sandbox's own
)

// Mount is one thing in the new root.
type Mount struct {
	Op       Op       `json:"op"`
	Source   string   `json:"source,omitempty"` // canonical host path; for OpSymlink the link's text
	Target   string   `json:"target"`           // absolute path inside
	ReadOnly bool     `json:"read_only,omitempty"`
	Device   bool     `json:"device,omitempty"` // a device node: the only mounts without nodev
	Mode     uint32   `json:"mode,omitempty"`   // octal permission bits
	Size     int64    `json:"size,omitempty"`   // bytes
	Content  string   `json:"content,omitempty"`
	Hide     []string `json:"hide,omitempty"` // slash-separated names below Source
	Identity Identity `json:"identity,omitzero"`
	At       string   `json:"at,omitempty"` // file:line:column of the line that asked for it
}

// Identity is what Source was when the plan was made. A source that is
// something else when it is opened for mounting ends the launch, so that
// swapping it for a link between plan and launch grants nothing.
type Identity struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Dir    bool   `json:"dir"`
}

// Access is a set of Landlock rights, by purpose.
type Access string

// The accesses. A right that the running kernel does not know is not handled.
const (
	AccessRead     Access = "read"      // read, list and execute below a directory
	AccessReadFile Access = "read-file" // read and execute one file
	AccessWrite    Access = "write"     // every right below a directory
	AccessEdit     Access = "edit"      // read, execute, write and truncate one file
	AccessDevice   Access = "device"    // read, write and ioctl one device
	AccessTerminal Access = "terminal"  // read, write, list and ioctl below /dev/pts
	AccessScratch  Access = "scratch"   // every right below a directory but to execute
)

// Rule grants an access to one path inside.
type Rule struct {
	Path   string `json:"path"`
	Access Access `json:"access"`
}

// Ruleset is the Landlock layer. It handles every file right and both scopes
// of ABI, and what no rule grants is denied.
type Ruleset struct {
	ABI   int    `json:"abi"`
	Rules []Rule `json:"rules"`
}

// Seccomp is the system call layer.
type Seccomp struct {
	Arch string `json:"arch"` // GOARCH
}

// Limit is one resource limit, soft and hard the same.
type Limit struct {
	Name  string `json:"name"` // "core", "nproc", "nofile"
	Value uint64 `json:"value"`
}

// Route is one name and port that answer inside. A socket on Inside is made in
// the sandbox's network namespace and served from outside, where Name is
// resolved, checked and dialled.
type Route struct {
	Name    string         `json:"name"`
	Port    uint16         `json:"port"`
	Inside  netip.AddrPort `json:"inside"`
	Private []netip.Prefix `json:"private,omitempty"` // private ranges that Name may resolve into
	At      string         `json:"at,omitempty"`
}

// Check is one thing that is tried inside, as the program would, before it
// starts. One that goes otherwise than it must ends the launch.
type Check struct {
	Name string `json:"name"` // "unlisted-file", "read-only", "socket-family", "user-namespace", "init-environ", "descriptors"
	Path string `json:"path,omitempty"`
}
