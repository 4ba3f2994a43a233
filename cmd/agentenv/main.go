// Command agentenv turns a workspace spec into a Nix environment and starts a
// coding agent in it, in a sandbox.
//
// It reads flags, calls the phases in their order, prints, and picks the exit
// code. It has no rule of its own beyond that.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentenv/agentenv/launcher"
)

func main() {
	launcher.Stage()
	os.Exit(run(os.Args[1:], streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// streams are the descriptors of the command.
type streams struct{ In, Out, Err *os.File }

// run is the command, and returns its exit code.
func run(args []string, io streams) int {
	root := newRoot(io)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	var e exit
	if errors.As(err, &e) {
		if e.err != nil {
			fmt.Fprintf(io.Err, "agentenv: %s\n", visible(e.err.Error()))
		}
		return e.code
	}
	if err != nil {
		fmt.Fprintf(io.Err, "agentenv: %s\n", visible(err.Error()))
		return codeUsage
	}
	return 0
}

// The exit codes that agentenv itself has. An agent's own are passed on.
const (
	codeFailed = 1   // Nix, or anything that is not below
	codeUsage  = 2   // a wrong spec, command line or missing approval
	codeSetup  = 125 // the sandbox could not be made, and nothing was started
)

// exit is an error that carries the exit code. Without an error of its own the
// message was printed already, or is not needed.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// coded gives err the exit code, unless it has one or is nil.
func coded(code int, err error) error {
	var e exit
	if err == nil || errors.As(err, &e) {
		return err
	}
	return exit{code, err}
}
