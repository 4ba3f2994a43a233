package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release of this binary.
const version = "0.1.0"

// release is the reference that a spec without workspace.agentenv takes the
// launcher from.
const release = "github:agentenv/agentenv/v" + version

// build is what version says.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the sources; +dirty when they were changed
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

func newVersion(c *common) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Example: `  agentenv version
  agentenv version --json`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return c.printVersion(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it for programs")
	return cmd
}

func (c *common) printVersion(asJSON bool) error {
	b := build{Version: version, Revision: revision(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if asJSON {
		return c.printJSON(b)
	}
	_, err := fmt.Fprintf(c.io.Out, "agentenv %s (%s, %s/%s)\n", b.Version, b.Go, b.OS, b.Arch)
	return coded(codeFailed, err)
}

// revision is the commit that this binary was built from, where Go knew it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + dirty
}
