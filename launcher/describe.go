package launcher

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Describe writes p for people: what the program is, what it sees, what it may
// write, which hosts answer. Store paths are counted, not listed.
func Describe(w io.Writer, p *Plan) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "workspace\t%s\n", p.Workspace)
	fmt.Fprintf(t, "sandbox\t%s\n", p.Summary())
	fmt.Fprintf(t, "command\t%s\n", strings.Join(p.Argv, " "))
	fmt.Fprintf(t, "directory\t%s\n", p.Dir)
	describeMounts(t, p)
	for _, r := range p.Routes {
		fmt.Fprintf(t, "host\t%s:%d%s\n", r.Name, r.Port, from(r.At))
	}
	if len(p.Routes) == 0 {
		fmt.Fprintf(t, "network\tnone\n")
	}
	for _, kv := range p.Env {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(t, "environment\t%s\n", name+"="+shown(name, value))
	}
	return t.Flush()
}

func describeMounts(w io.Writer, p *Plan) {
	for _, m := range p.Mounts {
		switch {
		case m.Device, m.Source == "/nix/store": // the closure is counted below
		case m.Op == OpBind && m.ReadOnly, m.Op == OpOverlay:
			fmt.Fprintf(w, "read\t%s%s%s\n", m.Target, hides(len(m.Hide)), from(m.At))
		case m.Op == OpBind:
			fmt.Fprintf(w, "write\t%s%s%s\n", m.Target, as(m), from(m.At))
		case m.Op == OpMask:
			fmt.Fprintf(w, "hidden\t%s%s\n", m.Target, from(m.At))
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

// shown keeps the values of passed secrets off the screen. Nobody reads a plan
// for them, and plans are pasted into issues.
func shown(name, value string) string {
	for _, s := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"} {
		if strings.Contains(strings.ToUpper(name), s) {
			return "…"
		}
	}
	return value
}
