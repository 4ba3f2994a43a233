package main

import (
	"errors"
	"fmt"
	"strings"
)

// maxDepth bounds how deep values may be nested.
const maxDepth = 512

// errDepth is the error for a value that is nested too deep.
var errDepth = errors.New("nested too deep")

// scanner walks over the bytes of one JSON value and copies those that matter.
type scanner struct {
	in  string
	pos int
	out strings.Builder
}

// Compact returns text, one JSON value, without insignificant white space.
func Compact(text string) (string, error) {
	s := &scanner{in: text}
	if err := s.value(0); err != nil {
		return "", fmt.Errorf("offset %d: %w", s.pos, err)
	}
	s.space()
	if s.pos != len(s.in) {
		return "", fmt.Errorf("offset %d: text after the value", s.pos)
	}
	return s.out.String(), nil
}

func (s *scanner) space() {
	for s.pos < len(s.in) && strings.IndexByte(" \t\r\n", s.in[s.pos]) >= 0 {
		s.pos++
	}
}

// peek returns the next significant byte, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.in) {
		return 0
	}
	return s.in[s.pos]
}

func (s *scanner) take(n int) {
	s.out.WriteString(s.in[s.pos : s.pos+n])
	s.pos += n
}

func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return errDepth
	}
	switch c := s.peek(); {
	case c == '{':
		return s.list('}', depth, s.member)
	case c == '[':
		return s.list(']', depth, s.value)
	case c == '"':
		return s.text()
	default:
		return s.word()
	}
}

// list copies a bracketed, comma-separated list of items.
func (s *scanner) list(end byte, depth int, item func(int) error) error {
	s.take(1)
	if s.peek() == end {
		s.take(1)
		return nil
	}
	for {
		if err := item(depth + 1); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.take(1)
		case end:
			s.take(1)
			return nil
		default:
			return fmt.Errorf("want a comma or %q", end)
		}
	}
}

func (s *scanner) member(depth int) error {
	if s.peek() != '"' {
		return errors.New("want a name")
	}
	if err := s.text(); err != nil {
		return err
	}
	if s.peek() != ':' {
		return errors.New("want a colon")
	}
	s.take(1)
	return s.value(depth)
}

func (s *scanner) text() error {
	for i := s.pos + 1; i < len(s.in); i++ {
		switch s.in[i] {
		case '\\':
			i++
		case '"':
			s.take(i + 1 - s.pos)
			return nil
		}
	}
	return errors.New("text without an end")
}

// word copies a number, true, false or null.
func (s *scanner) word() error {
	n := strings.IndexFunc(s.in[s.pos:], func(r rune) bool { return strings.ContainsRune(" \t\r\n,:]}", r) })
	if n < 0 {
		n = len(s.in) - s.pos
	}
	switch w := s.in[s.pos : s.pos+n]; {
	case w == "true", w == "false", w == "null":
	case n > 0 && strings.Trim(w, "0123456789+-.eE") == "":
	default:
		return fmt.Errorf("want a value, not %q", w)
	}
	s.take(n)
	return nil
}
