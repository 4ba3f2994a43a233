package launcher

import "github.com/agentenv/agentenv/workspace"

// Input is what a plan is made from.
type Input struct {
	Workspace   *workspace.Workspace
	Environment *workspace.Environment // nil when the workspace takes its programs from the host
	Host        Host
	Home        string   // host path of the private home that the sandbox sees as HOME
	State       []string // host paths of agentenv's own files, which no grant may touch
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
	Environ     []string                                           // the caller's environment, NAME=VALUE
	Resolve     func(path string) (Resolved, error)                // follows every link
	Hidden      func(root string, hide []string) ([]Hidden, error) // what the globs and the default hides match below root
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

// Hidden is one name that an agent must not see in a tree.
type Hidden struct {
	Path string // slash-separated, relative to the tree
	Dir  bool
	Link bool // a symbolic link, which is only a name: where it leads is hidden by its own name, or is not
	Git  bool // a repository's .git directory
}
