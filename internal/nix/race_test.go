//go:build race

package nix

// slowdown is what the race detector may cost.
const slowdown = 20
