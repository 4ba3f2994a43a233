package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrong is a mistake on the command line of cmd: what is wrong, and where the
// right way is described.
func wrong(cmd *cobra.Command, format string, args ...any) error {
	return exit{codeUsage, fmt.Errorf("read command line: %s; see %s --help", fmt.Sprintf(format, args...), cmd.CommandPath())}
}

// unknownCommand refuses all arguments: what is an argument of the root was
// meant to be a command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return wrong(cmd, "there is no command %q (did you mean %s?)", args[0], strings.Join(slices.Compact(near), " or "))
	}
	return wrong(cmd, "there is no command %q", args[0])
}

// noArguments refuses all arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return wrong(cmd, "%s takes no arguments, and there is %q", cmd.Name(), args[0])
	}
	return nil
}

// oneSpec takes one argument at most, a spec.
func oneSpec(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return wrong(cmd, "%s takes one spec, and there are %q", cmd.Name(), args)
	}
	return nil
}

// flagError says which flag may have been meant. What is wrong otherwise, pflag
// says well enough.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return wrong(cmd, "%v", err)
	}
	name := dashed(unknown)
	if near := nearFlag(cmd, unknown.GetSpecifiedName()); near != "" {
		return wrong(cmd, "%s has no flag %s (did you mean --%s?)", cmd.Name(), name, near)
	}
	if strings.Contains(cmd.Use, "[-- ARGS]") {
		return wrong(cmd, "%s has no flag %s; what is for the agent goes after --", cmd.Name(), name)
	}
	return wrong(cmd, "%s has no flag %s", cmd.Name(), name)
}

// dashed is an unknown flag as it was written.
func dashed(e *pflag.NotExistError) string {
	if short := e.GetSpecifiedShortnames(); short != "" {
		return "-" + short
	}
	return "--" + e.GetSpecifiedName()
}

// nearFlag is the flag of cmd whose name is nearest to name, or "" where none is
// near: two letters may differ, or a third of them.
func nearFlag(cmd *cobra.Command, name string) string {
	best, least := "", max(2, len(name)/3)+1
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.Distance(name, f.Name, nil); d < least && !f.Hidden {
			best, least = f.Name, d
		}
	})
	return best
}
