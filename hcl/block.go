package hcl

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// block is one block of the file as the schema knows it. A block that is not
// written is a block without attributes, all of which have their defaults.
type block struct {
	schema *Block
	label  field[string]
	attrs  hcl.Attributes
	header hcl.Range // of its type, where errors about the whole block point

	file   *sourceFile // the file that it stands in; nil for one that is not written
	op     op          // what it does to the same block of other files
	layers []*block    // what several files say of it, in the order of merging; nil where one does
}

// id is how a block is named to the user and in Positions.
func (b *block) id() string {
	if b.schema.Label == "" {
		return b.schema.Name
	}
	return b.schema.Name + "." + b.label.Value
}

// blocks takes a file apart into the top and its blocks, in the order of the
// file. What the schema does not know, or may not stand in this file, is
// reported and left out.
func (d *decoder) blocks(body hcl.Body, u *sourceFile) []*block {
	return d.within(body, mustLookup(""), u, opAdd)
}

// within takes apart the top of a file, or a block that holds others.
func (d *decoder) within(body hcl.Body, top *Block, u *sourceFile, o op) []*block {
	content := d.content(body, top)
	all := []*block{{schema: mustLookup(""), attrs: d.allowed(content.Attributes, top, u, o), header: content.MissingItemRange, file: u, op: o}}
	first := map[string]hcl.Range{}
	for _, hb := range content.Blocks {
		b := &block{schema: mustLookup(hb.Type), header: where(hb), file: u, op: o}
		if len(hb.Labels) > 0 {
			b.label = field[string]{Value: hb.Labels[0], Range: hb.LabelRanges[0], Set: true, OK: true}
		}
		if !d.once(b, first) || !d.mayStand(b) {
			continue
		}
		if inner, holds := holders[hb.Type]; holds {
			all = append(all, d.within(hb.Body, topOf(hb.Type), u, inner)...)
			continue
		}
		if b.schema.Open {
			attrs, diags := hb.Body.JustAttributes()
			d.diags = append(d.diags, diags...)
			b.attrs = attrs
		} else {
			b.attrs = d.allowed(d.content(hb.Body, b.schema).Attributes, b.schema, u, o)
		}
		all = append(all, b)
	}
	return all
}

// where is the range that errors about a block point to. In JSON all blocks of
// a list have the type in one place, so there it is the label, or the brace
// that closes the block.
func where(b *hcl.Block) hcl.Range {
	_, native := b.Body.(*hclsyntax.Body)
	switch {
	case native:
		return b.TypeRange
	case len(b.LabelRanges) > 0:
		return b.LabelRanges[0]
	}
	return b.Body.MissingItemRange()
}

// once reports a block that the file has already.
func (d *decoder) once(b *block, first map[string]hcl.Range) bool {
	if b.schema.Many {
		return true
	}
	key := b.schema.Name
	if !b.schema.Single {
		key = b.id()
	}
	at, again := first[key]
	if !again {
		first[key] = b.header
		return true
	}
	d.report(b.header, "Duplicate block",
		fmt.Sprintf("The block %s stands here and at %s:%d:%d.", printable(key), at.Filename, at.Start.Line, at.Start.Column), "keep one of them")
	return false
}

// content reads what the schema knows of a body. Its errors are about labels
// and JSON types; names are ours to judge, so that suggestions are the same for
// both syntaxes.
func (d *decoder) content(body hcl.Body, s *Block) *hcl.BodyContent {
	d.names(body, s)
	content, _, diags := body.PartialContent(bodySchema(s))
	d.diags = append(d.diags, diags...)
	return content
}

// bodySchema is the schema of a block in hcl's terms. What comes later and is not
// read is not in it: it has been reported by name.
func bodySchema(s *Block) *hcl.BodySchema {
	var bs hcl.BodySchema
	for _, a := range s.Attributes {
		if a.read() {
			bs.Attributes = append(bs.Attributes, hcl.AttributeSchema{Name: a.Name})
		}
	}
	if s.Name != "" {
		return &bs
	}
	for _, row := range schema[1:] {
		if row.Later {
			continue
		}
		h := hcl.BlockHeaderSchema{Type: row.Name}
		if row.Label != "" {
			h.LabelNames = []string{row.Label}
		}
		bs.Blocks = append(bs.Blocks, h)
	}
	return &bs
}

// names reports the names in a body that the schema does not know. In JSON a
// block and an attribute look the same, so only HCL's own syntax can tell that
// one stands where the other should.
func (d *decoder) names(body hcl.Body, s *Block) {
	native, ok := body.(*hclsyntax.Body)
	if !ok {
		attrs, _ := body.JustAttributes() // its errors come again from PartialContent
		for _, a := range attrs {
			if _, isBlock := lookup(a.Name); isBlock && s.Name == "" {
				d.blockName(s, a.Name, a.NameRange)
			} else {
				d.attributeName(s, a.Name, a.NameRange)
			}
		}
		return
	}
	for _, a := range native.Attributes {
		if row, isBlock := lookup(a.Name); isBlock && s.Name == "" {
			d.report(a.NameRange, "Block written as attribute", fmt.Sprintf("%s is a block.", a.Name), "write "+header(row)+" { … }")
			continue
		}
		d.attributeName(s, a.Name, a.NameRange)
	}
	for _, b := range native.Blocks {
		d.blockName(s, b.Type, b.TypeRange)
	}
}

func header(b *Block) string {
	if b.Label == "" {
		return b.Name
	}
	return fmt.Sprintf("%s %q", b.Name, b.Label)
}

func (d *decoder) attributeName(s *Block, name string, r hcl.Range) {
	a, known := s.attribute(name)
	switch {
	case known && !a.read():
		d.later(r, "Attribute not supported", "attribute", name, "")
	case known:
	case d.meta(name, r):
	default:
		d.report(r, "Unknown attribute", fmt.Sprintf("There is no attribute %s %s.", printable(name), s.where()), d.nearest(name, s))
	}
}

func (d *decoder) blockName(s *Block, name string, r hcl.Range) {
	if row, ok := lookup(name); ok && s.Name == "" {
		d.written[name] = d.written[name] || d.roles[r.Filename] == RoleSpec
		if row.Later {
			d.later(r, "Block not supported", "block", name, "")
		}
		return
	}
	if _, ok := s.attribute(name); ok {
		d.report(r, "Attribute written as block", fmt.Sprintf("%s is an attribute.", name), "write "+name+" = …")
		return
	}
	if d.meta(name, r) {
		return
	}
	d.report(r, "Unknown block", fmt.Sprintf("There is no block %s %s.", printable(name), s.where()), d.nearest(name, s))
}

// meta reports what other programs of HCL have and this one will not.
func (d *decoder) meta(name string, r hcl.Range) bool {
	why, ok := refusedNames[name]
	if ok {
		d.report(r, "Repetition not supported", name+" is not supported: "+why, "write the blocks out, or use a for expression in a list")
	}
	return ok
}

var refusedNames = map[string]string{
	"count":    "each block of a spec is written where it can be read.",
	"dynamic":  "each block of a spec is written where it can be read.",
	"for_each": "each block of a spec is written where it can be read.",
}

// later reports what the design has and this version does not.
func (d *decoder) later(r hcl.Range, summary, kind, name, hint string) {
	d.report(r, summary, fmt.Sprintf("The %s %s is not supported in this version.", kind, name), hint)
}

// nearest is the hint that names the known name most like the one written.
func (d *decoder) nearest(name string, s *Block) string {
	if near := nearest(name, s.names()); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return ""
}

// nearest is the one of names that differs least from name, and little enough
// to be a slip of the hand; "" where there is none.
func nearest(name string, names []string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	best, distance := "", 1+len(name)/3
	for _, n := range names {
		if dist := levenshtein.Distance(name, n, nil); dist <= distance && (best == "" || dist < distance) {
			best, distance = n, dist
		}
	}
	return best
}

// sorted are the attributes of a body in an order that is the same every time.
func sorted(attrs hcl.Attributes) []*hcl.Attribute {
	return slices.SortedFunc(maps.Values(attrs), func(a, b *hcl.Attribute) int {
		return a.NameRange.Start.Byte - b.NameRange.Start.Byte
	})
}

// printable is a name as the user wrote it, unless it must be quoted to be
// read.
func printable(name string) string {
	if plainRE().MatchString(name) {
		return name
	}
	return fmt.Sprintf("%q", name)
}
