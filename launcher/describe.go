package launcher

import (
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// Describe writes p for people: what the program is, what it sees, what it may
// write, which hosts answer. Store paths are counted, not listed.
func Describe(w io.Writer, p *Plan) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "workspace\t%s\n", p.Workspace)
	fmt.Fprintf(t, "sandbox\t%s\n", p.Summary())
	fmt.Fprintf(t, "command\t%s\n", quoted(p.Argv))
	fmt.Fprintf(t, "directory\t%s\n", p.Dir)
	describeMounts(t, p)
	for _, r := range p.Routes {
		fmt.Fprintf(t, "host\t%s:%d%s%s\n", r.Name, r.Port, into(r.Private), from(r.At))
	}
	if len(p.Routes) == 0 {
		fmt.Fprintf(t, "network\tnone\n")
	}
	for _, kv := range p.Env {
		name, value, _ := strings.Cut(kv, "=")
		if slices.Contains(p.Passed, name) {
			fmt.Fprintf(t, "environment\t%s (yours)\n", name)
		} else {
			fmt.Fprintf(t, "environment\t%s=%s\n", name, quoted([]string{value}))
		}
	}
	return t.Flush()
}

func describeMounts(w io.Writer, p *Plan) {
	for _, m := range p.Mounts {
		switch {
		case m.Device, m.Source == "/nix/store": // the closure is counted below
		case m.Op == OpBind && m.ReadOnly, m.Op == OpOverlay:
			fmt.Fprintf(w, "read\t%s%s%s\n", plainly(m.Target), hides(len(m.Hide)), from(m.At))
		case m.Op == OpBind:
			fmt.Fprintf(w, "write\t%s%s%s\n", plainly(m.Target), as(m), from(m.At))
		case m.Op == OpMask:
			fmt.Fprintf(w, "hidden\t%s%s\n", plainly(m.Target), from(m.At))
		}
	}
	n := 0
	for _, r := range p.Landlock.Rules {
		if strings.HasPrefix(r.Path, "/nix/store/") {
			n++
		}
	}
	if n > 0 {
		fmt.Fprintf(w, "read\t%d store paths, no others\n", n)
	}
}

// Summary is the sandbox in one line: its tier and what it is made of.
func (p *Plan) Summary() string {
	net := "no network"
	if n := len(p.Routes); n == 1 {
		net = "1 host"
	} else if n > 1 {
		net = fmt.Sprintf("%d hosts", n)
	}
	return fmt.Sprintf("%s (landlock %d, seccomp, 7 namespaces, %s)", p.Tier, p.Landlock.ABI, net)
}

func from(at string) string {
	if at == "" {
		return ""
	}
	return "\t" + at
}

func hides(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d names hidden)", n)
}

func as(m Mount) string {
	if m.Source == m.Target {
		return ""
	}
	return " (private: " + m.Source + ")"
}

// quoted joins words as a shell would read them, so that no word looks like
// another line or another word of the plan.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, plainly(w))
	}
	return strings.Join(out, " ")
}

// plainly is w as it is when nothing in it can be misread, else quoted by Go's
// rules, which leave no control character, line end or invisible one.
func plainly(w string) string {
	plain := func(r rune) bool {
		return r > ' ' && unicode.IsPrint(r) && !strings.ContainsRune(`"'\`+"`$#;|&<>()", r)
	}
	if w != "" && strings.IndexFunc(w, func(r rune) bool { return !plain(r) }) < 0 {
		return w
	}
	return strconv.Quote(w)
}

// into says which private addresses a host may have.
func into(private []netip.Prefix) string {
	if len(private) == 0 {
		return ""
	}
	return fmt.Sprintf(" (may be at %v)", private)
}

// Redacted is p without the values of the variables that the caller's environment
// gives: a plan is printed, kept and pasted into issues.
func (p *Plan) Redacted() *Plan {
	out := *p
	out.Env = slices.Clone(p.Env)
	for i, kv := range out.Env {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(p.Passed, name) {
			out.Env[i] = name + "="
		}
	}
	return &out
}
