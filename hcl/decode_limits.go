package hcl

import (
	"fmt"
	"strconv"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

type gitConfig struct{ commit field[string] }

// commits are the values of git.commit.
const (
	unsignedCommits = "unsigned"
	noCommits       = "forbidden"
)

func (d *decoder) decodeGitBlock(b *block) gitConfig {
	return gitConfig{commit: derive(d.str(b, "commit"), func(s string, r hcl.Range) (string, bool) {
		return s, d.oneOf(s, r, unsignedCommits, noCommits)
	})}
}

type limitsConfig struct{ memory, processes, openFiles field[int64] }

// The bounds of limits. Below them no agent starts, above them the kernel says
// no: PID_MAX_LIMIT of threads.h, and the default of fs.nr_open.
func (d *decoder) decodeLimitsBlock(b *block) limitsConfig {
	return limitsConfig{
		memory:    derive(d.size(b, "memory"), d.between(64<<20, 64<<40, spell)),
		processes: derive(d.number(b, "processes"), d.between(16, 1<<22, decimal)),
		openFiles: derive(d.number(b, "open_files"), d.between(64, 1<<20, decimal)),
	}
}

type sandboxConfig struct{ isolation field[workspace.Isolation] }

func (d *decoder) decodeSandboxBlock(b *block) sandboxConfig {
	return sandboxConfig{isolation: derive(d.str(b, "isolation"), func(s string, r hcl.Range) (workspace.Isolation, bool) {
		return workspace.Isolation(s), d.oneOf(s, r, string(workspace.IsolationFull), string(workspace.IsolationLandlock))
	})}
}

// between reports a number that is not one of least to most, which form prints.
func (d *decoder) between(least, most int64, form func(int64) string) func(int64, hcl.Range) (int64, bool) {
	return func(n int64, r hcl.Range) (int64, bool) {
		if least <= n && n <= most {
			return n, true
		}
		d.report(r, "Out of range", fmt.Sprintf("This is %s, and may be from %s to %s.", form(n), form(least), form(most)), "")
		return n, false
	}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
