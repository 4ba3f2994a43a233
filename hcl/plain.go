package hcl

// plain tells, by a look at its bytes, whether src surely keeps the bounds that
// checkTokens sets. It is there because lexing a spec a second time is a third of
// the time of loading it. False says nothing: a heredoc, a directive, an
// exponent, a comment with a star and whatever does not look like HCL are left
// to the lexer.
func plain(src []byte, most bounds) bool {
	s := plainScan{src: src}
	for s.next < len(src) {
		ok := false
		if s.top() == '"' {
			ok = s.quoted()
		} else {
			ok = s.code()
		}
		if !ok || len(s.open) > most.depth || s.operators > most.operators {
			return false
		}
	}
	return len(s.open) == 0
}

// plainScan is how far plain has come, and what is open there: a bracket, a
// quote, or a dollar sign for an interpolation.
type plainScan struct {
	src       []byte
	next      int
	open      []byte
	operators int // since the last comma or line end
}

func (s *plainScan) top() byte {
	if len(s.open) == 0 {
		return 0
	}
	return s.open[len(s.open)-1]
}

func (s *plainScan) after(n int) byte {
	if s.next+n < len(s.src) {
		return s.src[s.next+n]
	}
	return 0
}

func (s *plainScan) push(c byte) bool {
	s.open = append(s.open, c)
	return true
}

func (s *plainScan) pop(a, b byte) bool {
	if t := s.top(); t != a && t != b {
		return false
	}
	s.open = s.open[:len(s.open)-1]
	return true
}

// quoted steps over one character of a quoted template, or into an
// interpolation in it. Doubled signs are escapes only before a brace, and left
// to the lexer.
func (s *plainScan) quoted() bool {
	c, following := s.src[s.next], s.after(1)
	s.next++
	switch {
	case c == '"':
		return s.pop('"', '"')
	case c == '\n', c == '%' && (following == '{' || following == '%'), c == '$' && following == '$':
		return false
	case c == '\\':
		s.next++
		return following != '\n'
	case c == '$' && following == '{':
		s.next++
		return s.push('$')
	}
	return true
}

// code steps over one token outside of quotes.
func (s *plainScan) code() bool {
	c, following := s.src[s.next], s.after(1)
	s.next++
	switch startOf[c] {
	case blank:
		return true
	case letter:
		s.skip(letter, digit, '-')
		return true
	case digit:
		return s.number()
	case operator:
		s.operators++
		if c == '/' && following == '/' {
			s.comment()
			return true
		}
		return !(c == '/' && following == '*' || c == '<' && following == '<')
	case opener:
		if c == '[' {
			s.operators++ // an index chains
		}
		return s.push(c)
	}
	return s.mark(c)
}

// mark steps over what has a rule of its own.
func (s *plainScan) mark(c byte) bool {
	switch c {
	case '\n':
		if t := s.top(); t == 0 || t == '{' {
			s.operators = 0
		}
		return true
	case ',':
		s.operators = 0
		return true
	case '#':
		s.comment()
		return true
	case '}':
		return s.pop('{', '$')
	case ']':
		return s.pop('[', '[')
	case ')':
		return s.pop('(', '(')
	}
	return false
}

// number steps over the rest of a number, or of an index that looks like one.
func (s *plainScan) number() bool {
	start := s.next
	s.skip(digit, digit, '.')
	s.operators += s.next - start // more than the dots
	return s.next-start < 30 && s.after(0)|0x20 != 'e'
}

func (s *plainScan) skip(a, b starts, also byte) {
	for s.next < len(s.src) {
		c := s.src[s.next]
		if k := startOf[c]; k != a && k != b && c != also {
			return
		}
		s.next++
	}
}

func (s *plainScan) comment() {
	for s.next < len(s.src) && s.src[s.next] != '\n' {
		s.next++
	}
}

// starts is what a byte outside of quotes starts.
type starts byte

const (
	other starts = iota
	blank
	letter
	digit
	operator
	opener
)

var startOf = startTable(map[starts]string{
	blank:    " \t",
	letter:   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
	digit:    "0123456789",
	operator: "=+-*/%!<>&|?.:",
	opener:   "{[(\"",
})

func startTable(rows map[starts]string) (t [256]starts) {
	for k, chars := range rows {
		for i := range len(chars) {
			t[chars[i]] = k
		}
	}
	return t
}
