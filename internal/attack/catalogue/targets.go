// Package catalogue says what the attack suite tries: one row an attack, with
// what it needs and what it must meet inside the sandbox, and the targets that
// the attack program aims at.
//
// It holds data only; it sets nothing up and tries nothing.
package catalogue

// Marker begins every decoy secret. An attack that reads has worked only when
// the bytes it got hold a decoy.
const Marker = "agentenv-decoy-"

// Targets is what an attack aims at. Paths are absolute, and lie outside the
// sandbox unless said otherwise; ids and numbers are those of the outside.
type Targets struct {
	Home     string `json:"home"`     // the human's home
	Secret   string `json:"secret"`   // Home/.ssh/id_rsa, holds a decoy
	Bashrc   string `json:"bashrc"`   // Home/.bashrc
	Units    string `json:"units"`    // Home/.config/systemd/user, an existing directory
	Link     string `json:"link"`     // a symbolic link in Home; its text holds a decoy
	Upstream string `json:"upstream"` // a checkout that is read-only inside; holds README
	Project  string `json:"project"`  // the tree that the agent may write; holds file and .git
	HardLink string `json:"hardlink"` // in Project: a hard link to Secret made beforehand
	Setuid   string `json:"setuid"`   // in Project: this program, setuid root; "" without root

	Victim  int    `json:"victim"`  // process of the human's; its directory is Home/.ssh
	Address uint64 `json:"address"` // in the victim's memory: a decoy
	Length  int    `json:"length"`  // of that decoy, in bytes
	FD      int    `json:"fd"`      // open in the victim: Secret

	Stream         string `json:"stream"`          // pathname stream socket, greets with a decoy
	Abstract       string `json:"abstract"`        // the same with an abstract name, without the NUL
	Datagram       string `json:"datagram"`        // pathname datagram socket
	Rights         string `json:"rights"`          // stream socket that passes Secret, open
	UpstreamSocket string `json:"upstream_socket"` // as Stream, in Upstream
	TCP            int    `json:"tcp"`             // port on 127.0.0.1, greets with a decoy
	TCP6           int    `json:"tcp6"`            // the same on ::1; 0 without IPv6
	MPTCP          int    `json:"mptcp"`           // the same, speaks MPTCP; 0 without it
	UDP            int    `json:"udp"`             // port on 127.0.0.1, answers with a decoy
	Calls          string `json:"calls"`           // in Project: the victim dials the port written here on 127.0.0.1 and says a decoy

	Shm      int    `json:"shm"`      // key of a SysV segment that holds a decoy
	Queue    string `json:"queue"`    // POSIX message queue with a decoy; "" without them
	ShmFile  string `json:"shm_file"` // file below /dev/shm that holds a decoy
	Key      string `json:"key"`      // description of a key in the user keyring; "" without keys
	Terminal string `json:"terminal"` // the human's other terminal, /dev/pts/N

	// Descriptors that the attack inherits; 0 when it inherits none.
	InheritedFile int `json:"inherited_file"` // Secret, read-only
	InheritedDir  int `json:"inherited_dir"`  // Home
	InheritedPath int `json:"inherited_path"` // Secret, O_PATH
}

// Report is what the victim has met so far.
type Report struct {
	Signals   map[string]int `json:"signals"`   // caught, by name
	Datagrams int            `json:"datagrams"` // on the unix socket
	Terminal  string         `json:"terminal"`  // what was written to its terminal
}

// Result is the one line that an attack prints.
type Result struct {
	ID     string `json:"id"`
	Result string `json:"result"`           // Works or Denied
	Errno  string `json:"errno,omitempty"`  // such as "EACCES"; "SIGSYS" when a signal ended it
	Detail string `json:"detail,omitempty"` // what was read, or how it ended
}

// The results of an attack. It works only when it had its effect.
const (
	Works  = "works"
	Denied = "denied"
)
