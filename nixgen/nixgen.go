// Package nixgen turns a workspace into the files of its flake: flake.nix,
// which is constant but for its inputs, and agentenv.json, which is data.
//
// The same workspace gives the same bytes on every machine. It starts no Nix,
// looks nothing up, and writes only when Tree.Write is called; flake.lock is
// Nix's own.
package nixgen

import (
	"fmt"
	"strings"

	"github.com/agentenv/agentenv/templates"
	"github.com/agentenv/agentenv/workspace"
)

// The names of the generated files.
const (
	FlakeFile = "flake.nix"
	DataFile  = "agentenv.json"
)

// Tree is the generated files: slash-separated name → contents.
type Tree map[string][]byte

// Generate returns the files for ws. Version is the generator's, without a
// leading v; it is written into agentenv.json and nowhere else.
//
// It fails where Nix would read something else than what ws holds: text that is
// not UTF-8 or has a NUL in it, numbers that are not 64-bit integers, an input
// without a type or with a name that is taken.
func Generate(ws *workspace.Workspace, version string) (Tree, error) {
	inputs, err := inputsOf(ws.Nix)
	if err != nil {
		return nil, fmt.Errorf("generate %s: %w", FlakeFile, err)
	}
	data, err := encode(newDocument(ws, version))
	if err != nil {
		return nil, fmt.Errorf("generate %s: %w", DataFile, err)
	}
	return Tree{FlakeFile: flake(inputs), DataFile: data}, nil
}

// noInputs is the line of templates.Flake that the inputs take the place of.
const noInputs = "  inputs = { };\n"

func flake(inputs []input) []byte {
	var b strings.Builder
	printInputs(&b, inputs)
	return []byte(strings.Replace(templates.Flake, noInputs, b.String(), 1))
}
