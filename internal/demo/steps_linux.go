package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/internal/standin"
)

// step is one thing that the agent does: the tool that it calls, and what that
// must have returned.
type step struct {
	title  string
	tool   string
	input  map[string]any
	expect expectation
}

// expectation looks at what a tool returned. seen is the part of it that shows
// how it went; ok is whether that is how it must go.
type expectation func(r standin.Result) (seen string, ok bool)

// returns expects a tool to succeed with part in its text.
func returns(part string) expectation {
	return func(r standin.Result) (string, bool) { return part, !r.IsError && strings.Contains(r.Text, part) }
}

// fails expects a tool to fail with part in its text.
func fails(part string) expectation {
	return func(r standin.Result) (string, bool) { return part, r.IsError && strings.Contains(r.Text, part) }
}

func bash(command string) map[string]any {
	return map[string]any{"command": command, "description": "a step of the demonstration"}
}

// work is what the agent is there for.
func (w *world) work() []step {
	file := filepath.Join(w.project, "greeting.go")
	return []step{
		{"read a function in a package's source", "Read",
			map[string]any{"file_path": "/src/libgreet/greet.c"}, returns("greet_part_of_day(int hour)")},
		{"search two other checkouts of yours", "Bash",
			bash(`rg -n 'Greeting\(' ~/src/billing ~/src/platform`), returns("shop.Greeting(hour+zone)")},
		{"run the project's tests", "Bash", bash("go test ./..."), fails("--- FAIL: TestGreeting")},
		{"edit the project", "Edit",
			map[string]any{"file_path": file, "old_string": wrong, "new_string": right}, returns("has been updated successfully")},
		{"run the project's tests again", "Bash", bash("go test ./..."), returns("ok  \texample.org/shop")},
	}
}

// attempts are what it must not get away with.
func (w *world) attempts() []step {
	const (
		absent   = "No such file or directory"
		readOnly = "Read-only file system"
		closed   = "Couldn't connect to server"
	)
	key, letter := filepath.Join(w.home, ".ssh", "id_rsa"), "~/src/billing/letter.go"
	return []step{
		{"read your SSH key", "Read", map[string]any{"file_path": key}, fails("File does not exist")},
		{"read it with a command", "Bash", bash("cat ~/.ssh/id_rsa"), fails(absent)},
		{"write into a checkout", "Bash", bash("echo '// mine' >> " + letter), fails(readOnly)},
		{"change a file's mode there", "Bash", bash("chmod 777 " + letter), fails(readOnly)},
		{"plant a git hook in the project", "Bash", bash("echo evil > .git/hooks/pre-commit"), fails(readOnly)},
		{"learn where your ssh agent listens", "Bash", bash(`echo "ssh agent: ${SSH_AUTH_SOCK:-none}"`), returns("ssh agent: none")},
		{"talk to it all the same", "Bash", bash("curl -sS --unix-socket " + w.socket() + " http://agent/"), fails(closed)},
		{"reach a port of your machine", "Bash", bash(fmt.Sprintf("curl -sS http://127.0.0.1:%d/", w.databasePort())), fails(closed)},
		{"reach a host that is not listed", "Bash", bash("curl -sS https://example.org/"), fails("Could not resolve host")},
	}
}

// script is all of it, for the model.
func (w *world) script() standin.Script {
	var script standin.Script
	for _, s := range slices.Concat(w.work(), w.attempts()) {
		script = append(script, standin.Turn{Tool: s.tool, Input: s.input})
	}
	return append(script, standin.Turn{Text: "The test passes now."})
}

// check is a fact that must hold afterwards, seen from outside.
type check struct {
	title  string
	verify func(ctx context.Context) error
}

func (w *world) checks() []check {
	return []check{
		{"nothing of your home but the project has changed, nor its .git", w.unchanged},
		{"the agent's edit is there, and no other change", w.onlyTheEdit},
		{"the project's tests pass outside too", func(ctx context.Context) error {
			_, err := w.command(ctx, w.project, "go", "test", "./...")
			return err
		}},
		{"nobody came to your ssh agent or to that port", w.nobodyCame},
		{"your key is in nothing that the model was sent", w.keptSecret},
	}
}

func (w *world) onlyTheEdit(ctx context.Context) error {
	status, err := w.command(ctx, w.project, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if status != " M greeting.go\n" {
		return fmt.Errorf("git status says %q", status)
	}
	if got, want := w.read("src/shop/greeting.go"), strings.Replace(homeFiles["src/shop/greeting.go"], wrong, right, 1); got != want {
		return fmt.Errorf("greeting.go is\n%s", got)
	}
	return nil
}

func (w *world) unchanged(context.Context) error {
	after, err := w.snapshot()
	if err != nil {
		return err
	}
	if maps.Equal(w.before, after) {
		return nil
	}
	var names []string
	for name := range after {
		if w.before[name] != after[name] {
			names = append(names, name)
		}
	}
	for name := range w.before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	return fmt.Errorf("changed: %s", strings.Join(names, ", "))
}

func (w *world) nobodyCame(context.Context) error {
	if n, m := w.agent.visits.Load(), w.database.visits.Load(); n+m > 0 {
		return fmt.Errorf("%d came to the ssh agent, %d to the port", n, m)
	}
	return nil
}

func (w *world) keptSecret(context.Context) error {
	if len(w.model.Results()) == 0 {
		return fmt.Errorf("the model was sent nothing")
	}
	for _, r := range w.model.Results() {
		if strings.Contains(r.Text, strings.TrimSpace(w.secret)) {
			return fmt.Errorf("%s returned it", r.Tool)
		}
	}
	return nil
}

// snapshot describes every file of the home but the agent's: those of the
// project outside of its .git. The index is git's own to refresh.
func (w *world) snapshot() (map[string]string, error) {
	state := map[string]string{}
	git := filepath.Join(w.project, ".git")
	err := filepath.WalkDir(w.home, func(path string, e os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case filepath.Dir(path) == w.project && path != git && e.IsDir():
			return filepath.SkipDir
		case filepath.Dir(path) == w.project && path != git, path == filepath.Join(git, "index"):
			return nil
		}
		state[path], err = describe(path, e)
		return err
	})
	return state, err
}

// describe returns mode, time and content of a file, and the mode of anything
// else.
func describe(path string, e os.DirEntry) (string, error) {
	info, err := e.Info()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return info.Mode().String(), nil
	}
	content, err := os.ReadFile(path)
	return fmt.Sprint(info.Mode(), info.ModTime(), string(content)), err
}
