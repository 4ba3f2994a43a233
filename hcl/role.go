package hcl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// holders are the blocks that hold others, and what these do.
var holders = map[string]op{"force": opForce, "remove": opRemove}

// topOf is the top of a file as it stands in a block that holds others.
func topOf(holder string) *Block {
	top := *mustLookup("")
	top.place = "in the block " + holder
	return &top
}

// mayStand reports a block that has no business in its file, or in the block
// that holds it.
func (d *decoder) mayStand(b *block) bool {
	s, role := b.schema, b.file.Role
	_, holds := holders[s.Name]
	switch {
	case b.op != opAdd && (holds || s.Open || s.Only != nil):
		d.report(b.header, "Block not allowed here", fmt.Sprintf("The block %s is not one that others are merged with.", s.Name), "")
	case s.Only != nil && !slices.Contains(s.Only, role):
		d.report(b.header, "Block not allowed here", fmt.Sprintf("The block %s cannot stand in %s.", s.Name, role.noun()), misplaced[s.Name])
	case role.private() && s.only(EnvironmentSide):
		d.shared(b.header, "block", s.Name)
	default:
		return true
	}
	return false
}

// misplaced is where a block that stands in the wrong file belongs.
var misplaced = map[string]string{
	"forbid":    "write it in user.hcl",
	"force":     "write it in user.hcl",
	"variable":  "declare it in the spec, and give it a value with variables { … }",
	"variables": "write the default in the block of the variable",
	"workspace": "write it in the spec",
}

// only tells whether all attributes of a block are on one side.
func (b *Block) only(side Side) bool {
	return len(b.Attributes) > 0 && !slices.ContainsFunc(b.Attributes, func(a Attribute) bool { return a.Side != side && !a.Later })
}

// generated tells whether it reaches what is generated that there is a block:
// each agent is an app of the flake.
func (b *Block) generated() bool {
	return b.Name == "agent" || slices.ContainsFunc(b.Attributes, func(a Attribute) bool { return a.Side == EnvironmentSide })
}

// allowed are the attributes of a body that may stand in its file. In a user
// file those of the environment side may not: they would change what the team
// generates. What is removed from may hold others only.
func (d *decoder) allowed(attrs hcl.Attributes, s *Block, u *sourceFile, o op) hcl.Attributes {
	for _, a := range sorted(attrs) {
		row, ok := s.attribute(a.Name)
		switch {
		case !ok:
			continue
		case u.Role.private() && row.Side == EnvironmentSide:
			d.shared(a.NameRange, "attribute", a.Name)
		case o == opRemove && !row.Type.many() && !s.Many:
			d.report(a.NameRange, "Not removable", fmt.Sprintf("%s is one value, of which nothing can be removed.", a.Name), "write another value, or null for none")
		default:
			continue
		}
		delete(attrs, a.Name)
	}
	return attrs
}

func (d *decoder) shared(r hcl.Range, kind, name string) {
	d.report(r, "Not in a user file", fmt.Sprintf("The %s %s reaches what is generated, which is the same for everybody who has the spec.", kind, name), "write it in the spec")
}

// many tells whether a value has elements.
func (t Type) many() bool { return t.list() || t == Map }

func (t Type) list() bool { return strings.HasPrefix(string(t), "list ") }
