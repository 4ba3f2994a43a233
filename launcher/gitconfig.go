package launcher

import "strings"

// configValues lists the values of some keys in git's configuration text, of
// whatever section: a key too many is protected for nothing, one too few is run.
// Keys are given in lower case, as git compares them.
func configValues(text string, keys ...string) []string {
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", ""), "\n") {
		line = strings.TrimSpace(line)
		if i := strings.LastIndexByte(line, ']'); i >= 0 && strings.HasPrefix(line, "[") {
			line = line[i+1:] // a key may follow its section on the line
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		key = strings.ToLower(strings.TrimSpace(key))
		for _, k := range keys {
			if k == key {
				out = append(out, configValue(value))
			}
		}
	}
	return out
}

// configValue undoes git's quoting (git-config(1), Syntax) as far as paths need
// it: quotes, escapes, and comments outside of quotes.
func configValue(s string) string {
	var b strings.Builder
	quoted := false
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(b.String())
}
