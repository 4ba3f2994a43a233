package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/agentenv/agentenv/internal/fixture"
	"github.com/agentenv/agentenv/internal/require"
	"github.com/agentenv/agentenv/internal/standin"
	"github.com/agentenv/agentenv/launcher"
)

func TestMain(m *testing.M) { os.Exit(fixture.Main(m.Run)) }

// TestDemo asserts what the demonstration shows, by both ways to start an
// agent.
func TestDemo(t *testing.T) {
	fixture.Need(t)
	_, err := launcher.LandlockABI()
	require.Have(t, "landlock", err)
	require.Have(t, "userns", userNamespace())
	_, err = fixture.Claude(t.Context())
	require.Have(t, "claude", err)
	k, err := newKit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { k.remove() })
	for name, start := range map[string]func(*world, context.Context) error{
		"agentenv run": (*world).run,
		"nix run":      (*world).runFlake,
	} {
		t.Run(name, func(t *testing.T) {
			w, err := newWorld(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { w.remove() })
			if err := w.prepare(t.Context()); err != nil {
				t.Fatal(err)
			}
			report, err := w.play(t.Context(), func(ctx context.Context) error { return start(w, ctx) })
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if ok, err := report.write(&text); !ok || err != nil {
				t.Errorf("%v\n%s%s", err, &text, &w.said)
			}
		})
	}
}

func userNamespace() error {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
	return cmd.Run()
}

// TestEveryExpectationCanFail gives each step the opposite of what it must
// return, and nothing: none may pass.
func TestEveryExpectationCanFail(t *testing.T) {
	w := &world{home: "/home/human", project: "/home/human/src/shop"}
	if err := w.database.open("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.database.listener.Close() })
	for _, s := range append(w.work(), w.attempts()...) {
		part, _ := s.expect(standin.Result{})
		right, wrong := standin.Result{Text: "x: " + part, IsError: true}, standin.Result{Text: "x: " + part}
		if _, ok := s.expect(right); !ok {
			right, wrong = wrong, right
		}
		if _, ok := s.expect(right); !ok {
			t.Errorf("%s: nothing passes", s.title)
		}
		for _, r := range []standin.Result{wrong, {}, {IsError: true}, {Text: w.secret}} {
			if _, ok := s.expect(r); ok {
				t.Errorf("%s: passes with %+v", s.title, r)
			}
		}
	}
}

func TestReportShowsWhatIsWrong(t *testing.T) {
	steps := []step{{title: "one", expect: returns("a")}, {title: "two", expect: fails("b")}, {title: "three", expect: fails("c")}}
	r := &report{work: judge(steps, []standin.Result{{Turn: 4, Text: "a"}, {Turn: 5, Text: "the secret"}}, 4)}
	var text strings.Builder
	if ok, err := r.write(&text); ok || err != nil {
		t.Errorf("ok %v, error %v", ok, err)
	}
	for _, want := range []string{"✓ one", "✗ two", `"the secret"`, "✗ three", "did not come to it", "NOT as it must be"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &text)
		}
	}
}
