//go:build !race

package nixgen_test

const slowdown = 1
