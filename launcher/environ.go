package launcher

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// passedAlways are the caller's variables that an agent may know: how the
// terminal behaves, the language and the time zone. Nothing else of the
// caller's environment gets in unless the spec passes it by name.
var passedAlways = []string{"TERM", "COLORTERM", "NO_COLOR", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "TZ"}

// path is the directories in which programs are looked up inside. With the
// host's programs they are those of the caller's PATH that the sandbox shows
// read-only, then the usual ones.
func (b *builder) path() []string {
	if e := b.in.Environment; e != nil {
		return []string{e.Path + "/bin"}
	}
	var out []string
	for _, d := range slices.Concat(filepath.SplitList(b.caller()["PATH"]), usualPath) {
		if d = filepath.Clean(d); b.readable(d) && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

var usualPath = []string{"/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"}

// readable says whether a directory of programs is shown, and not writable: what
// an agent left there would be found before the host's own.
func (b *builder) readable(dir string) bool {
	if slices.Contains(usualPath, dir) {
		return true
	}
	shown := within(dir, "/usr")
	for _, g := range b.granted {
		if within(dir, g.path) {
			shown = !g.writable()
		}
	}
	return shown && filepath.IsAbs(dir)
}

// caller is the caller's environment.
func (b *builder) caller() map[string]string {
	out := map[string]string{}
	for _, kv := range b.in.Host.Environ {
		if k, v, ok := strings.Cut(kv, "="); ok {
			out[k] = v
		}
	}
	return out
}

// passed are the names that the spec passes and the caller has.
func (b *builder) passed() []string {
	var out []string
	for _, n := range b.in.Workspace.Policy.Pass {
		if _, ok := b.caller()[n.Name]; ok {
			out = append(out, n.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// shell is the program for SHELL: agents look at its name to know the dialect.
func (b *builder) shell() string {
	if e := b.in.Environment; e != nil && e.Shell != "" {
		return e.Shell
	}
	return "/bin/sh"
}

// environ is the whole environment of the program, sorted.
func (b *builder) environ() []string {
	h := b.in.Host
	caller := b.caller()
	env := map[string]string{"LANG": "C.UTF-8", "TERM": "dumb"}
	pass := func(name string) {
		if v, ok := caller[name]; ok {
			env[name] = v
		}
	}
	for _, name := range passedAlways {
		pass(name)
	}
	if e := b.in.Environment; e != nil {
		maps.Copy(env, e.Vars)
		env["AGENTENV_SRC"] = "/src"
	}
	for _, n := range b.in.Workspace.Policy.Pass {
		pass(n.Name)
	}
	maps.Copy(env, b.in.Workspace.Policy.Set)
	maps.Copy(env, map[string]string{
		"PATH":          strings.Join(b.path(), ":"),
		"HOME":          h.HomeDir,
		"USER":          h.User,
		"LOGNAME":       h.User,
		"SHELL":         b.shell(),
		"TMPDIR":        "/tmp",
		"AGENTENV":      b.in.Workspace.Name,
		"AGENTENV_TIER": "full",
	})
	var out []string
	for _, k := range slices.Sorted(maps.Keys(env)) {
		out = append(out, k+"="+env[k])
	}
	return out
}
