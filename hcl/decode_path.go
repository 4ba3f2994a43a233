package hcl

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/workspace"
	"github.com/bmatcuk/doublestar/v4"
	"github.com/hashicorp/hcl/v2"
)

type checkoutConfig struct {
	name field[string]
	path field[string]
	hide []field[string]
}

func (d *decoder) decodeCheckoutBlock(b *block) checkoutConfig {
	return checkoutConfig{
		name: d.name(b),
		path: derive(d.str(b, "path"), d.path),
		hide: deriveAll(d.strs(b, "hide"), d.glob),
	}
}

type projectConfig struct {
	path field[string]
	mode field[workspace.Mode]
}

func (d *decoder) decodeProjectBlock(b *block) projectConfig {
	return projectConfig{
		path: derive(d.str(b, "path"), d.path),
		mode: derive(d.str(b, "mode"), func(s string, r hcl.Range) (workspace.Mode, bool) {
			return workspace.Mode(s), d.oneOf(s, r, string(workspace.ModeClone), string(workspace.ModeDirect))
		}),
	}
}

type filesystemConfig struct{ read, write []field[string] }

func (d *decoder) decodeFilesystemBlock(b *block) filesystemConfig {
	return filesystemConfig{
		read:  deriveAll(d.strs(b, "read"), d.path),
		write: deriveAll(d.strs(b, "write"), d.path),
	}
}

// path makes a path of this machine absolute and clean: ~ is the home, and a
// relative path is relative to the directory of the spec.
func (d *decoder) path(p string, r hcl.Range) (string, bool) {
	if why, hint := d.badPath(p); why != "" {
		d.report(r, "Invalid path", why, hint)
		return "", false
	}
	switch {
	case p == "~":
		return d.scope.home, true
	case strings.HasPrefix(p, "~/"):
		return filepath.Join(d.scope.home, p[2:]), true
	case filepath.IsAbs(p):
		return filepath.Clean(p), true
	}
	return filepath.Join(d.dir, p), true
}

// badPath says why p is not a path that can be granted, and what to write.
func (d *decoder) badPath(p string) (why, hint string) {
	first, _, _ := strings.Cut(p, "/")
	switch {
	case p == "":
		return "The path is empty.", `write "." for the directory of the spec`
	case hasControl(p):
		return "The path has a line end or another control character.", ""
	case strings.ContainsAny(p, "*?[{"):
		return "A glob is not supported in this version.", "write a block or an entry for each directory"
	case strings.HasPrefix(p, "$"):
		return "Environment variables are not expanded.", "write ~ or ${home}"
	case strings.HasPrefix(p, "~") && first != "~":
		return fmt.Sprintf("The home of somebody else, %s, is not looked up.", first), "write an absolute path"
	case first == "~" && d.scope.home == "":
		return "HOME is not set to an absolute path, so there is nothing that ~ could mean.", ""
	}
	return "", ""
}

// glob checks a pattern of names inside a tree.
func (d *decoder) glob(pattern string, r hcl.Range) (string, bool) {
	clean := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	why := ""
	switch {
	case clean == "" || hasControl(clean):
		why = "It is empty or has a control character."
	case path.IsAbs(clean) || strings.HasPrefix(clean, "~"):
		why = "It is relative to the tree."
	case slices.Contains(strings.Split(clean, "/"), ".."):
		why = "It cannot leave the tree."
	case !doublestar.ValidatePattern(clean):
		why = "Its brackets or braces do not match."
	default:
		return clean, true
	}
	d.report(r, "Invalid glob", fmt.Sprintf("The glob %q is not valid. %s", pattern, why), `write one such as "**/private/**"`)
	return "", false
}

// oneOf reports a value that is not one of a few.
func (d *decoder) oneOf(s string, r hcl.Range, values ...string) bool {
	if slices.Contains(values, s) {
		return true
	}
	d.report(r, "Unknown value", fmt.Sprintf("The value %q is not one of %s.", s, strings.Join(values, ", ")), hintNearest(s, values))
	return false
}
