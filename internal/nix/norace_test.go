//go:build !race

package nix

const slowdown = 1
