//go:build race

package nixgen_test

// slowdown is what the race detector may cost.
const slowdown = 20
