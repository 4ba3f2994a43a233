package nixgen

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// reserved are the names that agentenv or Nix gives a meaning to. Nix ignores an
// input called self without a word.
var reserved = []string{"self", "agentenv", "nixpkgs"}

// modifiers are attributes of an input that are no part of its reference.
var modifiers = []string{"flake", "follows", "inputs"}

type input struct {
	name      string
	reference workspace.Reference
	flake     bool
	follows   map[string]string
}

// inputsOf returns the inputs of the flake, sorted by name.
func inputsOf(n workspace.Nix) ([]input, error) {
	inputs := []input{
		{name: "agentenv", reference: n.Agentenv, flake: true, follows: map[string]string{"nixpkgs": "nixpkgs"}},
		{name: "nixpkgs", reference: n.Nixpkgs.Reference, flake: true},
	}
	for _, in := range n.Inputs {
		if slices.Contains(reserved, in.Name) {
			return nil, fmt.Errorf("input %q: the name is reserved", in.Name)
		}
		inputs = append(inputs, input{in.Name, in.Reference, in.Flake, in.Follows})
	}
	slices.SortFunc(inputs, func(a, b input) int { return strings.Compare(a.name, b.name) })
	for i, in := range inputs {
		if err := in.check(); err != nil {
			return nil, fmt.Errorf("input %q: %w", in.name, err)
		}
		if i > 0 && inputs[i-1].name == in.name {
			return nil, fmt.Errorf("input %q: there are two", in.name)
		}
	}
	return inputs, nil
}

func (in input) check() error {
	if !spelled(in.name, letters, letters+digits+"_-") { // what Nix takes for a step of a follows path
		return errors.New("a name has letters, digits, _ and -, and starts with a letter")
	}
	if kind, ok := in.reference["type"].(string); !ok || kind == "" {
		return fmt.Errorf("reference %v has no type", map[string]any(in.reference))
	}
	for _, name := range modifiers {
		if _, found := in.reference[name]; found {
			return fmt.Errorf("reference has an attribute %q", name)
		}
	}
	if err := checkText(in.reference); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	if err := checkText(in.follows); err != nil {
		return fmt.Errorf("follows: %w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(in.reference)) {
		if _, err := literal(in.reference[key]); err != nil {
			return fmt.Errorf("reference: %s: %w", key, err)
		}
	}
	return nil
}

// printInputs writes the inputs attribute of a flake as nixfmt would. They are
// attribute sets and never URLs: those are read differently by different Nix
// versions, and a branch name could smuggle a query into one.
func printInputs(w io.Writer, inputs []input) {
	fmt.Fprint(w, "  inputs = {\n")
	for _, in := range inputs {
		fmt.Fprintf(w, "    %s = {\n", attrName(in.name))
		for _, line := range in.lines() {
			fmt.Fprintf(w, "      %s;\n", line)
		}
		fmt.Fprint(w, "    };\n")
	}
	fmt.Fprint(w, "  };\n")
}

// lines are the attributes of a checked input, each without its semicolon.
func (in input) lines() []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(in.reference)) {
		value, _ := literal(in.reference[key])
		lines = append(lines, attrName(key)+" = "+value)
	}
	if !in.flake {
		lines = append(lines, "flake = false")
	}
	for _, key := range slices.Sorted(maps.Keys(in.follows)) {
		lines = append(lines, "inputs."+attrName(key)+".follows = "+quote(in.follows[key]))
	}
	return lines
}

// literal returns the Nix literal of an attribute of a reference.
func literal(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return quote(v), nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case int:
		return strconv.Itoa(v), nil
	}
	return "", fmt.Errorf("a %T has no place in a flake reference", value)
}
