package hcl

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// units are the suffixes of a size, the largest first.
var units = []struct {
	name  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// spell writes a size in the largest unit that leaves no rest, rounded up to a
// whole number of KiB.
func spell(bytes int64) string {
	const least = 1 << 10
	bytes = (bytes + least - 1) / least * least
	for _, u := range units {
		if bytes >= u.bytes && bytes%u.bytes == 0 {
			return decimal(bytes/u.bytes) + u.name
		}
	}
	return decimal(bytes/least) + "KiB"
}

// unit is the bytes of a unit, and whether that is how it is written. People
// write 2G and 2GB for 2GiB; ok is false for what they do not mean by it.
func unit(name string) (bytes int64, exact, ok bool) {
	lower := strings.ToLower(name)
	for _, u := range units {
		letter := strings.ToLower(u.name[:1])
		if lower == letter || lower == letter+"b" || lower == letter+"ib" {
			return u.bytes, name == u.name, true
		}
	}
	return 1, false, lower == "" || lower == "b"
}

// sizeRE takes apart what somebody may mean as a size.
var sizeRE = lazily(`^([0-9]{1,15})(\.[0-9]{1,6})?( ?)([A-Za-z]*)$`)

// readSize reads a size such as 512MiB. Of what is not quite one, form is how it
// is written, if it can be.
func readSize(s string) (bytes int64, form string, ok bool) {
	m := sizeRE().FindStringSubmatch(s)
	if m == nil {
		return 0, "", false
	}
	each, exact, known := unit(m[4])
	value, good := new(big.Rat).SetString(m[1] + m[2])
	if !known || !good {
		return 0, "", false
	}
	value.Mul(value, new(big.Rat).SetInt64(each))
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	if !whole.IsInt64() || whole.Int64() > 1<<59 { // no form would be read
		return 0, "", false
	}
	return whole.Int64(), spell(whole.Int64()), exact && m[2] == "" && m[3] == ""
}

// size reads an attribute that is a size. A bare number is refused with the size
// that it is: nobody counts the digits of 2147483648.
func (d *decoder) size(b *block, name string) field[int64] {
	v, ok := d.value(b, name)
	if !ok {
		return field[int64]{}
	}
	f := field[int64]{Range: v.rng, Set: v.set()}
	var written string
	switch {
	case v.value.Type() == cty.String:
		written = v.value.AsString()
	case v.value.Type() == cty.Number:
		written = v.value.AsBigFloat().Text('f', -1)
	default:
		d.wrongType(v, Size)
		return f
	}
	bytes, form, ok := readSize(written)
	if !ok {
		d.notSize(v.rng, written, form)
		return f
	}
	f.Value, f.OK = bytes, true
	return f
}

func (d *decoder) notSize(r hcl.Range, written, form string) {
	hint := `write a number and KiB, MiB, GiB or TiB, such as "2GiB"`
	if form != "" {
		hint = fmt.Sprintf("write %q", form)
	}
	d.report(r, "Invalid size", fmt.Sprintf("%q is not a whole number and a unit.", written), hint)
}

// number reads an attribute that is a whole number.
func (d *decoder) number(b *block, name string) field[int64] {
	v, ok := d.value(b, name)
	if !ok {
		return field[int64]{}
	}
	return d.toNumber(v, Number)
}

// numbers reads an attribute that is a list of whole numbers.
func (d *decoder) numbers(b *block, name string) []field[int64] {
	var out []field[int64]
	for _, element := range d.list(b, name, Numbers) {
		if f := d.toNumber(element, Number); f.OK {
			out = append(out, f)
		}
	}
	return out
}

func (d *decoder) toNumber(v located, want Type) field[int64] {
	f := field[int64]{Range: v.rng, Set: v.set()}
	if v.value.Type() != cty.Number {
		d.wrongType(v, want)
		return f
	}
	n, accuracy := v.value.AsBigFloat().Int64()
	if accuracy != big.Exact {
		d.report(v.rng, "Wrong type", "This is not a whole number that fits into 64 bits.", "")
		return f
	}
	f.Value, f.OK = n, true
	return f
}
