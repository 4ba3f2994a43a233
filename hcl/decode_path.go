package hcl

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type checkoutConfig struct {
	name field[string]
	path field[string]
	hide []field[string]

	except  []field[string]
	expose  field[workspace.Expose]
	history field[bool]
}

func (d *decoder) decodeCheckoutBlock(b *block) checkoutConfig {
	return checkoutConfig{
		name: d.name(b),
		path: derive(d.str(b, "path"), d.pathOrGlob),
		hide: deriveAll(d.strs(b, "hide"), d.glob),

		except: deriveAll(d.strs(b, "except"), d.pathOrGlob),
		expose: derive(d.str(b, "expose"), func(s string, r hcl.Range) (workspace.Expose, bool) {
			return workspace.Expose(s), d.oneOf(s, r, string(workspace.ExposeFiles), string(workspace.ExposeTracked))
		}),
		history: d.boolean(b, "history"),
	}
}

type projectConfig struct {
	path field[string]
	mode field[workspace.Mode]

	carry   []field[string]
	protect []field[string]
}

func (d *decoder) decodeProjectBlock(b *block) projectConfig {
	return projectConfig{
		path: derive(d.str(b, "path"), d.path),
		mode: derive(d.str(b, "mode"), func(s string, r hcl.Range) (workspace.Mode, bool) {
			return workspace.Mode(s), d.oneOf(s, r, string(workspace.ModeClone), string(workspace.ModeDirect))
		}),

		carry:   deriveAll(d.strs(b, "carry"), d.below),
		protect: deriveAll(d.strs(b, "protect"), d.below),
	}
}

// below checks a path below the project. A slash at its end says no more than
// that it is a directory.
func (d *decoder) below(p string, r hcl.Range) (string, bool) {
	why, hint := "", `write a relative path, such as "deploy/"`
	clean := path.Clean(p)
	switch {
	case p == "" || hasControl(p):
		why = "It is empty or has a control character."
	case path.IsAbs(p) || strings.HasPrefix(p, "~"):
		why = "It is relative to the project."
	case slices.Contains(strings.Split(p, "/"), ".."):
		why = "It cannot leave the project."
	case clean == ".":
		why = "It is the whole project."
	case clean == ".git" || strings.HasPrefix(clean, ".git/"):
		why, hint = "The repository is agentenv's to handle in each mode.", ""
	case strings.ContainsAny(p, globMeta):
		why, hint = "A glob is not looked up here.", "write an entry for each path"
	default:
		return clean, true
	}
	d.report(r, "Invalid path", fmt.Sprintf("The path %q is not one below the project. %s", p, why), hint)
	return "", false
}

type filesystemConfig struct {
	read, write []field[string]
	hide        []field[string]
	tmp         field[int64]
}

func (d *decoder) decodeFilesystemBlock(b *block) filesystemConfig {
	return filesystemConfig{
		read:  deriveAll(d.strs(b, "read"), d.path),
		write: deriveAll(d.strs(b, "write"), d.path),
		hide:  deriveAll(d.strs(b, "hide"), d.hidden),
		tmp:   derive(d.size(b, "tmp"), d.between(1<<20, 1<<40, spell)),
	}
}

// path makes a path of this machine absolute and clean: ~ is the home, and a
// relative path is relative to the directory of the spec.
func (d *decoder) path(p string, r hcl.Range) (string, bool) {
	if why, hint := d.badPath(p); why != "" {
		d.report(r, "Invalid path", why, hint)
		return "", false
	}
	base, rest := d.base(p)
	return filepath.Join(base, rest), true
}

// base is what p starts from, and the rest of it.
func (d *decoder) base(p string) (base, rest string) {
	switch {
	case p == "~":
		return d.scope.home, ""
	case strings.HasPrefix(p, "~/"):
		return d.scope.home, p[2:]
	case filepath.IsAbs(p):
		return "/", p
	}
	return d.dir, p
}

// badPath says why p is not a path that can be granted, and what to write.
func (d *decoder) badPath(p string) (why, hint string) {
	first, _, _ := strings.Cut(p, "/")
	switch {
	case p == "":
		return "The path is empty.", `write "." for the directory of the spec`
	case hasControl(p):
		return "The path has a line end or another control character.", ""
	case strings.ContainsAny(p, globMeta):
		return "A glob is not looked up here. The path of a checkout can be one.", "write an entry for each path"
	case strings.HasPrefix(p, "$"):
		return "Environment variables are not expanded.", "write ~ or ${home}"
	case strings.HasPrefix(p, "~") && first != "~":
		return fmt.Sprintf("The home of somebody else, %s, is not looked up.", first), "write an absolute path"
	case first == "~" && d.scope.home == "":
		return "HOME is not set to an absolute path, so there is nothing that ~ could mean.", ""
	}
	return "", ""
}

// oneOf reports a value that is not one of a few.
func (d *decoder) oneOf(s string, r hcl.Range, values ...string) bool {
	if slices.Contains(values, s) {
		return true
	}
	d.report(r, "Unknown value", fmt.Sprintf("The value %q is not one of %s.", s, strings.Join(values, ", ")), hintNearest(s, values))
	return false
}
