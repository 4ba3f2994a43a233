package launcher

import "slices"

// layer names one thing that keeps the program in. Some have a twin that stops
// the same attack, so that no attack shows that one of them is missing. Tests of
// this package leave out one and show that the other holds, and leave out both and
// show that the attack is one.
type layer string

const (
	layerChecks      layer = "checks" // all of the self-test
	layerLandlock    layer = "landlock"
	layerSeccomp     layer = "seccomp"
	layerNoNewPrivs  layer = "no_new_privs"
	layerBounding    layer = "bounding"           // the bounding set of capabilities
	layerNoSUID      layer = "nosuid"             // of binds
	layerQuotas      layer = "quotas"             // of the user namespace
	layerDumpable    layer = "dumpable"           // of pid 1
	layerForkDeath   layer = "death at fork"      // pid 1's parent-death signal, as it is started with
	layerInitDeath   layer = "death in pid 1"     // the same, as it sets it itself
	layerEndOfOrders layer = "end of orders"      // pid 1 ends with the control socket
	layerWhiteouts   layer = "whiteouts"          // of overlays
	layerGuard       layer = "guard"              // pid 1 looks after the mounts
	layerOutsideEyes layer = "watch from outside" // the launcher does
)

// layers are those that are left out: none, but in tests of this package, since
// nobody else can name them.
type layers []layer

// leaveOut says whether l is left out.
func (ls layers) leaveOut(l layer) bool { return slices.Contains(ls, l) }
