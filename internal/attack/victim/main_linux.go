// Command victim is the human's side of the attack suite: one process that
// holds a decoy secret in every way in which an attack could reach it, and
// counts what reaches it.
//
//	AGENTENV_DECOY=DECOY victim DECOY < targets.json
//
// The first line of standard input says where the decoys lie; the first line of
// output repeats it with what the victim has set up. Each further line of input
// is answered by a report. It ends, and clears up, at the end of its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

func main() {
	if err := run(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "victim:", err)
		os.Exit(1)
	}
}

// victim is what the process holds and what it has met.
type victim struct {
	decoy   string
	targets catalogue.Targets
	undo    []func()

	mu     sync.Mutex
	report catalogue.Report
}

func run(decoy string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	v := &victim{decoy: decoy, report: catalogue.Report{Signals: map[string]int{}}}
	if !lines.Scan() {
		return fmt.Errorf("read targets: %w", io.ErrUnexpectedEOF)
	}
	if err := json.Unmarshal(lines.Bytes(), &v.targets); err != nil {
		return fmt.Errorf("read targets: %w", err)
	}
	defer v.clear()
	if err := v.expose(); err != nil {
		return err
	}
	reply := json.NewEncoder(out)
	if err := reply.Encode(v.targets); err != nil {
		return fmt.Errorf("write targets: %w", err)
	}
	for lines.Scan() {
		if err := v.answer(reply); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (v *victim) answer(reply *json.Encoder) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return reply.Encode(v.report)
}

// expose sets up every target; what this kernel lacks is left out.
func (v *victim) expose() error {
	for _, step := range []func() error{
		v.process, v.signals, v.unixSockets, v.tcp, v.udp, v.sharedMemory, v.shmFile, v.queue, v.key, v.terminal,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	go v.live()
	return nil
}

func (v *victim) clear() {
	for _, f := range v.undo {
		f()
	}
}

// process makes this process a target: the key open, a decoy in memory at a
// known place, and its directory among the keys. Yama would keep other
// processes of the user out; the suite is about the sandbox, not about Yama.
func (v *victim) process() error {
	unix.Prctl(unix.PR_SET_PTRACER, ^uintptr(0), 0, 0, 0) // fails where there is no Yama
	if err := os.Chdir(v.targets.Home + "/.ssh"); err != nil {
		return err
	}
	fd, err := unix.Open(v.targets.Secret, unix.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", v.targets.Secret, err)
	}
	mem, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return fmt.Errorf("map memory: %w", err)
	}
	v.targets.Victim, v.targets.FD = os.Getpid(), fd
	v.targets.Address, v.targets.Length = address(mem), copy(mem, v.decoy)
	return nil
}

func (v *victim) signals() error {
	caught := make(chan os.Signal, 64)
	signal.Notify(caught, unix.SIGUSR1, unix.SIGUSR2, unix.SIGIO)
	go func() {
		for s := range caught {
			v.mu.Lock()
			v.report.Signals[unix.SignalName(s.(unix.Signal))]++
			v.mu.Unlock()
		}
	}()
	return nil
}
