package nixgen

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checkText fails for what JSON and Nix do not agree on, anywhere in v. Nix 2.8
// ends a string at a NUL, wraps integers beyond 64 bits, and turns large ones
// into floats; Go's encoder replaces what is not UTF-8 without a word.
func checkText(v any) error {
	if err := checkValue(reflect.ValueOf(v)); err != nil {
		return err
	}
	return nil
}

// unwritable is a value that must not be written, and where it was found. The
// place is put together on the way back: there are thousands of values and
// hardly ever an error.
type unwritable struct {
	at   []string // innermost first
	text string
}

func (u *unwritable) Error() string {
	if len(u.at) == 0 {
		return u.text
	}
	outermost := slices.Clone(u.at)
	slices.Reverse(outermost)
	return strings.Join(outermost, ".") + ": " + u.text
}

// below says that u was found at name.
func (u *unwritable) below(name string) *unwritable {
	u.at = append(u.at, name)
	return u
}

func refuse(format string, args ...any) *unwritable {
	return &unwritable{text: fmt.Sprintf(format, args...)}
}

func checkValue(v reflect.Value) *unwritable {
	switch v.Kind() {
	case reflect.Invalid, reflect.Bool:
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return refuse("%d is beyond 64 bits", v.Uint())
		}
		return nil
	case reflect.String:
		return checkString(v.String())
	case reflect.Interface, reflect.Pointer:
		return checkValue(v.Elem())
	case reflect.Slice, reflect.Array:
		return checkList(v)
	case reflect.Map:
		return checkMap(v)
	case reflect.Struct:
		return checkFields(v)
	}
	return refuse("a %s cannot be written", v.Type())
}

func checkList(v reflect.Value) *unwritable {
	for i := range v.Len() {
		if err := checkValue(v.Index(i)); err != nil {
			return err.below(strconv.Itoa(i))
		}
	}
	return nil
}

func checkMap(v reflect.Value) *unwritable {
	for entries := v.MapRange(); entries.Next(); {
		if entries.Key().Kind() != reflect.String {
			return refuse("a %s cannot be written", v.Type())
		}
		key := entries.Key().String()
		if err := checkString(key); err != nil {
			return err
		}
		if err := checkValue(entries.Value()); err != nil {
			return err.below(key)
		}
	}
	return nil
}

func checkFields(v reflect.Value) *unwritable {
	for i := range v.NumField() {
		if err := checkValue(v.Field(i)); err != nil {
			return err.below(v.Type().Field(i).Tag.Get("json"))
		}
	}
	return nil
}

func checkString(s string) *unwritable {
	if !utf8.ValidString(s) {
		return refuse("%q is not UTF-8", s)
	}
	if strings.IndexByte(s, 0) >= 0 {
		return refuse("%q has a NUL in it", s)
	}
	return nil
}
