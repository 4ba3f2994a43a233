package launcher

import "github.com/agentenv/agentenv/workspace"

// Input is what a plan is made from.
type Input struct {
	Workspace   *workspace.Workspace
	Environment *workspace.Environment // nil when the workspace takes its programs from the host
	Host        Host
	Home        string   // host path of the private home that the sandbox sees as HOME
	State       []string // host paths of agentenv's own files, which no grant may touch
	Writable    []string // canonical trees that agents of other workspaces may write
	Dir         string   // the caller's working directory; one in the project is the program's too
	Agent       string   // name of the agent to start; "" when Argv is given
	Argv        []string // the command to start instead of an agent
	Args        []string // further arguments for the agent
}

// Host is what planning knows of this machine. Its functions are the only
// effects of planning, and they only look.
type Host struct {
	HomeDir     string // absolute path of the human's home, as HOME has it
	UID, GID    int
	User        string
	Arch        string // GOARCH
	LandlockABI int
	Environ     []string                                          // the caller's environment, NAME=VALUE
	Resolve     func(path string) (Resolved, error)               // follows every link
	Survey      func(root string, hide []string) ([]Found, error) // what needs care below root; hide are the spec's own globs
	ReadFile    func(path string) ([]byte, error)
	ReadLink    func(path string) (string, error)
	Glob        func(pattern string) ([]string, error) // the directories that an absolute glob matches, sorted; * does not match a leading dot
}

// Resolved is a path without links, and what is there.
type Resolved struct {
	Path     string   // canonical and absolute
	Links    []string // canonical paths of the links that were followed
	Identity Identity
}

// Found is one name of a tree that needs care.
type Found struct {
	Path string // slash-separated, relative to the tree
	Dir  bool
	Link bool // a symbolic link
	Hide bool // it must not be seen: a secret by its name, a socket, a repository's blobs
	Git  bool // a repository's .git directory, which is hidden in checkouts and shown in the project
	Runs bool // a tool of the human's runs or obeys it
}
