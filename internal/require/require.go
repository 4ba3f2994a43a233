// Package require lets a test say what it needs of the machine.
//
// It decides nothing about how the need is probed. A test whose need is not met
// is skipped with the reason, but fails where AGENTENV_REQUIRE names the need:
// in CI a skipped sandbox test is a failure.
package require

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Have ends t when err, the result of probing for need, is not nil. Needs are
// single words: nix, landlock, userns, claude.
func Have(t testing.TB, need string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if slices.Contains(strings.Split(os.Getenv("AGENTENV_REQUIRE"), ","), need) {
		t.Fatalf("AGENTENV_REQUIRE names %s, and it is missing: %v", need, err)
	}
	t.Skipf("needs %s: %v", need, err)
}
