// Command attack tries one way out of the sandbox: one attempt, by raw system
// calls, at the targets that it is told.
//
//	attack list            the attempts, as JSON
//	attack ID TARGETS      try one; TARGETS is JSON, see package catalogue
//
// It prints one line of JSON. "works" means that the effect was had, "denied"
// that it was not, with the error that refused it. It decides nothing about
// what should have happened, and an attempt that works does its damage: aim it
// only at what package suite sets up.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/agentenv/agentenv/internal/attack/catalogue"
)

// attempt tries one attack. It returns what it got, or the error that refused
// it; an error that is no errno says how it ended without an effect.
type attempt func(t catalogue.Targets) (detail string, err error)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 1 && args[0] == "list" {
		return json.NewEncoder(out).Encode(catalogue.Rows())
	}
	if len(args) == 3 && args[0] == "stage" {
		return runStage(args[1], args[2])
	}
	if len(args) != 2 {
		return errors.New("usage: attack list | attack ID TARGETS")
	}
	try, ok := attempts()[args[0]]
	if !ok {
		return fmt.Errorf("no attack %q", args[0])
	}
	var targets catalogue.Targets
	if err := json.Unmarshal([]byte(args[1]), &targets); err != nil {
		return fmt.Errorf("read targets: %w", err)
	}
	detail, err := try(targets)
	return json.NewEncoder(out).Encode(result(args[0], detail, err))
}

func result(id, detail string, err error) catalogue.Result {
	r := catalogue.Result{ID: id, Result: catalogue.Works, Detail: detail}
	if err == nil {
		return r
	}
	r.Result, r.Detail = catalogue.Denied, err.Error()
	var errno unix.Errno
	var killed signalled
	switch {
	case errors.As(err, &errno):
		r.Errno = unix.ErrnoName(errno)
	case errors.As(err, &killed):
		r.Errno = unix.SignalName(unix.Signal(killed))
	}
	return r
}

// attempts is the table of attacks; package catalogue says what each does.
func attempts() map[string]attempt {
	return map[string]attempt{
		"R01": openSecret, "R02": throughLink, "R03": hardLink, "R04": priorHardLink, "R05": procSelfRoot,
		"R06": procCwd, "R07": procRoot, "R08": procEnviron, "R09": procMem, "R10": procFD,
		"R11": readMemory, "R12": trace, "R13": stealDescriptor, "R14": openByHandle, "R14a": nameToHandle,
		"R15": inheritedFile, "R16": inheritedDir, "R17": inheritedPath, "R19": ringOpen,
		"R18": staged(stageBind), "R18a": staged(stageNothing), "R18b": staged(stageTmpfs),
		"R18d": staged(stageMountAPI), "R18e": staged(stageChroot), "X16": cloneUserNamespace, "X28": enterNamespace,
		"H01": readHidden("upstream"), "H02": readHidden("project"), "H03": readTwin, "H04": readBlob, "H05": renameHidden,
		"S01": statSecret, "S02": enterSecrets, "S03": readLink, "S04": watchSecrets, "S05": readAttribute, "S06": listHome,
		"M01": chmodBashrc, "M02": setTimes, "M03": setAttribute, "M04": closeSecrets, "M05": exposeSecret,
		"W01": appendBashrc, "W02": createUnit, "W03": renameOut, "W04": truncateBashrc, "W05": unlinkBashrc,
		"W06": writeThroughLink, "W07": writeUpstream, "W08": chmodUpstream, "W09": linkUpstream, "W10": renameProject,
		"W11": linkTemporary, "W12": touchUpstream,
		"U01": connectStream, "U02": connectAbstract, "U03": receiveRights, "U04": sendDatagram, "U05": connectUpstream,
		"N01": connectTCP, "N02": exchangeUDP, "N03": connectMPTCP, "N04": fastOpen, "N05": connectTCP6,
		"N06": icmpSocket, "N07": rawSocket, "N08": packetSocket, "N09": vsockSocket, "N12": ringConnect,
		"N13": listenBound, "N14": listenMPTCP, "N14a": listenUnbound,
		"P01": signalVictim, "P02": signalByPidfd, "P03": signalByOwner, "P04": limitVictim, "P05": scheduleVictim,
		"P06": adjustOOM, "P07": readCommandLine, "P08": setIOPriority,
		"I01": attachShm, "I02": receiveQueue, "I03": readShmFile, "I04": readKey, "I05": addKey,
		"X01": runSetuid, "X02": setSetuid, "X04": makeDevice, "X09": writeCorePattern, "X10": writeSys,
		"X11": ringSetup, "X12": userFault, "X13": perfEvent, "X14": loadBPF, "X15": setPersonality,
		"X18": socket32, "X20": fanotify, "X21": kernelLog, "X23": overwriteInit, "X24": readInit,
		"X29": writeTerminal, "X30": staged(stageTIOCSTI), "X30a": staged(stageTIOCSTIHigh),
		"X05": plantHook, "X06": plantConfig, "X07": replaceGit, "X08": plantEnvrc, "X08a": plantSettings, "X08b": plantCommondir,
		"X08c": plantNested, "X08d": replaceNested, "X08e": plantConfiguredHook,
	}
}
