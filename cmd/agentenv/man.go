package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(c *common) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true, // for those who make packages
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrong(cmd, "man takes one directory")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return writeManual(cmd.Root(), args[0]) },
	}
}

// writeManual writes a page for each command that help lists.
func writeManual(root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return coded(codeFailed, err)
	}
	for _, cmd := range commands(root) {
		var b bytes.Buffer
		writePage(&b, cmd)
		if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), b.Bytes(), 0o644); err != nil {
			return coded(codeFailed, err)
		}
	}
	return nil
}

// commands are cmd and what is below it, as far as help lists it; the parent
// stands in front.
func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			list = append(list, commands(sub)...)
		}
	}
	return list
}

func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "-")
}

// writePage writes a page in the macros of man(7).
func writePage(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, ".TH %s 1 \"\" \"agentenv %s\" \"agentenv\"\n", strings.ToUpper(roff(pageName(cmd))), version)
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", roff(pageName(cmd)), roff(cmd.Short))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s", roffText(description(cmd)))
	if subs := commands(cmd)[1:]; len(subs) > 0 {
		fmt.Fprint(w, ".SH COMMANDS\n")
		for _, sub := range subs {
			fmt.Fprintf(w, ".TP\n.BR %s (1)\n%s\n", roff(pageName(sub)), roff(sub.Short))
		}
	}
	writeFlags(w, "OPTIONS", cmd.NonInheritedFlags())
	writeFlags(w, "COMMON OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(w, ".SH EXAMPLES\n%s", roffText(cmd.Example))
	}
	if cmd.HasParent() {
		fmt.Fprintf(w, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(cmd.Parent())))
	}
}

// description is the long text of a command, or the short one as a sentence.
func description(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

func writeFlags(w io.Writer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(w, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			name, usage := flagWords(f)
			fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(name), roff(usage))
		}
	})
}

// flagWords are a flag as it is written, with the name of its value, and what it
// is for.
func flagWords(f *pflag.Flag) (name, usage string) {
	value, usage := pflag.UnquoteUsage(f)
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	return name, usage
}

// roffText is text of paragraphs; lines that are indented stay as they are.
func roffText(text string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		literal := strings.HasPrefix(paragraph, "  ")
		if literal {
			b.WriteString(".nf\n")
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			b.WriteString(roff(line) + "\n")
		}
		if literal {
			b.WriteString(".fi\n")
		}
	}
	return b.String()
}

// roff quotes a line: a dash is a minus sign, that it can be copied, and nothing
// in it is a request.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}
