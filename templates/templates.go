// Package templates holds the constant files of every generated flake: the text
// of flake.nix, all but its inputs, and the Nix library that the flake calls. And
// it holds the text of the spec that a project starts with.
//
// It has no logic. What is the same for every workspace is here; what differs
// is data, and nixgen and internal/starter write it.
package templates

import "embed"

// Flake is the text of flake.nix with an empty set of inputs, as it stands in a
// file of its own so that Nix can parse it.
//
//go:embed flake.nix
var Flake string

// Library is the directory lib: `import ./lib { agentenv = self; }` is what the
// flake of agentenv exports as its lib, and what flake.nix calls.
//
//go:embed lib
var Library embed.FS

// Starter is a spec with comments that teach, and marks in capitals that
// internal/starter fills.
//
//go:embed starter/workspace.hcl
var Starter string
