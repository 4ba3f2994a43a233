package hcl

import "slices"

// Side says when an attribute is evaluated, and so what its expression may use.
type Side string

// The sides. What the environment side says reaches derivations and is the same
// bytes on every machine; the launch side may name this machine's paths.
const (
	EnvironmentSide Side = "environment"
	LaunchSide      Side = "launch"
)

// Type is the type of an attribute's value.
type Type string

// The types.
const (
	String  Type = "string"
	Bool    Type = "bool"
	Number  Type = "number" // whole
	Size    Type = "size"   // a string such as "2GiB"
	Strings Type = "list of strings"
	Numbers Type = "list of numbers"
	Map     Type = "map of strings"
	Keyword Type = "type"
	Any     Type = "value"
)

// Block is one row of the schema: a kind of block, or, with no name, the top of
// the file, which has attributes too.
type Block struct {
	Name       string
	Label      string // what the label names, in capitals; "" for no label
	Single     bool   // may be written once in a file, whatever its label
	Many       bool   // may be written several times without a label
	Open       bool   // takes attributes of any name
	Later      bool   // is in the design, but not in this version
	Only       []Role // the files that it may stand in; nil: any, where it has something for their side
	Doc        string
	Example    string // of a whole block, on the top level
	Attributes []Attribute

	place string // how words to the user name it as a place; "" for what follows from its name
}

// Attribute is one attribute of a block.
type Attribute struct {
	Name       string
	Side       Side
	Type       Type
	Required   bool
	Later      bool   // is in the design, but not in this version
	Ordered    bool   // a list whose order counts: a later file replaces it, and does not add to it
	Identity   bool   // says what the block is about: two files may not differ in it
	Default    string // an expression; "" for none
	Doc        string
	Example    string // an expression
	Unenforced string // what of it a launch refuses in this version, a phrase; "" for nothing
}

// Schema is all that a spec may hold, in the order of the reference. The first
// row is the top of the file.
func Schema() []Block {
	rows := slices.Clone(schema)
	for i := range rows {
		rows[i].Attributes = slices.Clone(rows[i].Attributes)
	}
	return rows
}

// lookup finds a block of the schema; the name "" is the top of the file.
func lookup(name string) (*Block, bool) {
	i := slices.IndexFunc(schema, func(b Block) bool { return b.Name == name })
	if i < 0 {
		return nil, false
	}
	return &schema[i], true
}

// mustLookup is lookup for names that this package writes itself.
func mustLookup(name string) *Block {
	b, ok := lookup(name)
	if !ok {
		panic("hcl: no block " + name + " in the schema")
	}
	return b
}

// read tells whether an attribute is decoded. One that comes later is, if it has
// a type: its value decides what can be written instead.
func (a *Attribute) read() bool { return !a.Later || a.Type != "" }

func (b *Block) attribute(name string) (*Attribute, bool) {
	i := slices.IndexFunc(b.Attributes, func(a Attribute) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return &b.Attributes[i], true
}

// names are the attributes, and on the top the blocks, that a suggestion may
// name.
func (b *Block) names() []string {
	var names []string
	for _, a := range b.Attributes {
		if !a.Later {
			names = append(names, a.Name)
		}
	}
	if b.Name == "" {
		for _, row := range schema[1:] {
			if !row.Later {
				names = append(names, row.Name)
			}
		}
	}
	return names
}

// where is how words to the user name the block as a place.
func (b *Block) where() string {
	if b.place != "" {
		return b.place
	}
	if b.Name == "" {
		return "at the top of the file"
	}
	return "in the block " + b.Name
}
