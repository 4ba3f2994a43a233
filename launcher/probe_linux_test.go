package launcher

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
)

// launchWord makes this test binary a launcher: it runs the plan in a file on
// its own standard files.
const launchWord = "test:launch"

// probe runs one when this process was started for it.
func probe() {
	switch {
	case len(os.Args) >= 3 && os.Args[1] == launchWord:
		os.Exit(launchPlan(os.Args[2], os.Args[3:]))
	case os.Args[0] == "/probe":
		// Not os.Exit, in which the race detector sleeps for a second.
		syscall.Exit(runProbe(os.Args[1], os.Args[2:]))
	}
}

func runProbe(name string, args []string) int {
	p, ok := allProbes()[name]
	if !ok {
		fmt.Println("no such probe")
		return 99
	}
	if err := p(args); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// allProbes are what /probe NAME ARGS does inside a sandbox: attempts whose errno
// is printed.
func allProbes() map[string]func([]string) error {
	return map[string]func([]string) error{
		"descriptors": probeDescriptors,
		"open":        probeOpen,
		"call":        probeCall,
		"connect":     probeConnect,
		"talk":        probeTalk,
		"serve":       probeServe,
		"identity":    probeIdentity,
		"unblock":     probeUnblock,
		"broken":      probeBroken,
		"meddle":      probeMeddle,
		"watchers":    probeWatchers,
		"nest":        probeNest,
		"status":      probeStatus,
	}
}

// launchPlan is what cmd does, in short, with layers left out.
func launchPlan(file string, without []string) int {
	var out Outside
	for _, l := range without {
		out.without = append(out.without, layer(l))
	}
	data, err := os.ReadFile(file)
	var p Plan
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	status, err := Run(context.Background(), &p, Stdio{os.Stdin, os.Stdout, os.Stderr}, out)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	var setup *SetupError
	if errors.As(err, &setup) {
		return exitSetup
	}
	return status
}

// probeDescriptors prints the numbers that are open.
func probeDescriptors([]string) error {
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	var open []string
	for _, n := range names {
		if to, err := os.Readlink("/proc/self/fd/" + n.Name()); err == nil {
			open = append(open, n.Name()+" "+to)
		}
	}
	slices.Sort(open)
	for _, o := range open {
		fmt.Println(o)
	}
	return nil
}

// probeConnect prints what becomes of connecting to a socket in the file system,
// or to host:port.
func probeConnect(args []string) error {
	for _, a := range args {
		network := "unix"
		if strings.Contains(a, ":") {
			network = "tcp"
		}
		c, err := net.Dial(network, a)
		if err == nil {
			c.Close()
		}
		fmt.Println(errorName(err))
	}
	return nil
}

// probeOpen opens files for reading and prints what became of it.
func probeOpen(paths []string) error {
	for _, p := range paths {
		f, err := os.Open(p)
		if err == nil {
			_, err = f.Read(make([]byte, 1))
			f.Close()
		}
		fmt.Println(p, errorName(err))
	}
	return nil
}
