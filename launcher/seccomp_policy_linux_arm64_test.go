package launcher

// arm64 has no other calls that matter.
var (
	mustBeRefusedHere, mustWorkHere []uint32
	mustLackSetIDHere               []modeRow
)
