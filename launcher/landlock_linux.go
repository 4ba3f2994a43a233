package launcher

import (
	"fmt"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// LandlockABI asks the running kernel for its Landlock ABI. Kernel versions say
// nothing: distributions backport it, and a boot parameter switches it off.
func LandlockABI() (int, error) {
	abi, err := ll.LandlockGetABIVersion()
	switch err {
	case nil:
		return abi, nil
	case unix.ENOSYS:
		return 0, fmt.Errorf("probe landlock: this kernel was built without it: %w", err)
	case unix.EOPNOTSUPP:
		return 0, fmt.Errorf("probe landlock: it is switched off at boot (add landlock to lsm=): %w", err)
	}
	return 0, fmt.Errorf("probe landlock: %w", err)
}

// configs holds, for each ABI from 1 on, all that it can handle. A newer kernel
// has rights that this table does not know; they stay unhandled.
var configs = []landlock.Config{
	landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6,
	landlock.V7, landlock.V8, landlock.V9, landlock.V10, landlock.V11,
}

// handled is every file right and both scopes of an ABI. It has no network
// rights: the network namespace has nothing to reach, and Landlock's rules are
// for ports only, so they would forbid the program to serve on its own loopback.
func handled(abi int) (landlock.Config, error) {
	if abi < 1 {
		return landlock.Config{}, fmt.Errorf("there is no landlock ABI %d", abi)
	}
	c := configs[min(abi, len(configs))-1]
	return landlock.Config{HandledAccessFS: c.HandledAccessFS, Scoped: c.Scoped}, nil
}

// everyRight is every one but to connect to a socket in the file system that was
// made outside (ABI 9): a server of the host's that a tree happens to hold is not
// meant by the right to write in it. The program's own sockets are of its own
// domain and need no right.
const everyRight = ^landlock.AccessFSSet(ll.AccessFSResolveUnix)

// accesses is what each access means: rights, and whether they are for a
// directory or for one file. The kernel refuses directory rights on a file.
var accesses = map[Access]struct {
	rights landlock.AccessFSSet
	dir    bool
}{
	AccessRead:     {ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir, true},
	AccessReadFile: {ll.AccessFSExecute | ll.AccessFSReadFile, false},
	AccessWrite:    {everyRight, true},
	AccessEdit:     {ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate, false},
	AccessDevice:   {ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSIoctlDev, false},
	AccessTerminal: {ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSReadDir | ll.AccessFSIoctlDev, true},
	AccessScratch:  {everyRight &^ ll.AccessFSExecute, true},
}

// restrictFiles puts this thread into a Landlock domain for good.
func restrictFiles(r Ruleset) error {
	switch abi, err := LandlockABI(); {
	case err != nil:
		return err
	case abi != r.ABI:
		return fmt.Errorf("the plan is for landlock ABI %d and this kernel has %d", r.ABI, abi)
	}
	config, err := handled(r.ABI)
	if err != nil {
		return err
	}
	ruleset, flags, err := config.NewRulesetFD()
	if err != nil {
		return fmt.Errorf("make ruleset: %w", err)
	}
	defer unix.Close(ruleset)
	for _, rule := range r.Rules {
		if err := addRule(ruleset, rule, config.HandledAccessFS); err != nil {
			return fmt.Errorf("add rule %s %s: %w", rule.Access, rule.Path, err)
		}
	}
	if err := ll.LandlockRestrictSelf(ruleset, flags); err != nil {
		return fmt.Errorf("restrict self: %w", err)
	}
	return nil
}

// addRule grants an access to what is at a path, and to nothing that a link
// there leads to: go-landlock's own path rules follow links.
func addRule(ruleset int, rule Rule, known landlock.AccessFSSet) error {
	a, ok := accesses[rule.Access]
	if !ok {
		return fmt.Errorf("unknown access")
	}
	if rule.Path == "/" {
		return fmt.Errorf("a rule on the root would grant all there is")
	}
	fd, err := openPlain(unix.AT_FDCWD, rule.Path)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	st, err := statOf(fd)
	switch {
	case err != nil:
		return err
	case fileType(st) == unix.S_IFLNK:
		return fmt.Errorf("it is a link")
	case a.dir != (fileType(st) == unix.S_IFDIR):
		return fmt.Errorf("a directory: %t, and the access is for one: %t", !a.dir, a.dir)
	}
	attr := ll.PathBeneathAttr{ParentFd: fd, AllowedAccess: uint64(a.rights & known)}
	return ll.LandlockAddPathBeneathRule(ruleset, &attr, 0)
}
