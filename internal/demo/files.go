package main

import (
	"os"
	"strconv"
	"strings"
)

// homeFiles are the files of the human's home. shop is the project: it greets
// as libgreet does, and gets the boundaries wrong.
var homeFiles = map[string]string{
	".bashrc": "# the human's\n",

	"src/billing/go.mod": "module example.org/billing\n\ngo 1.22\n",
	"src/billing/letter.go": `package billing

import "example.org/shop"

// open begins a letter. The hour is that of the customer's time zone, which
// may lie before midnight of ours: the hour is negative then.
func open(hour, zone int, name string) string {
	return shop.Greeting(hour+zone) + ", " + name
}
`,

	"src/platform/README.md": "# platform\n\nWhat all services share.\n",
	"src/platform/clock.go": `package platform

// Hours of a day, for whoever counts them.
const Hours = 24
`,

	"src/shop/go.mod": "module example.org/shop\n\ngo 1.22\n",
	"src/shop/greeting.go": `// Package shop is where the customers are.
package shop

// Greeting returns what libgreet says at an hour of the day.
func Greeting(hour int) string {
	switch {
	case hour < 4:
		return "Good night"
	case hour < 11:
		return "Good morning"
	case hour < 17:
		return "Good afternoon"
	case hour < 21:
		return "Good evening"
	}
	return "Good night"
}
`,
	"src/shop/greeting_test.go": `package shop

import "testing"

func TestGreeting(t *testing.T) {
	for hour, want := range map[int]string{
		-1: "Good night", 4: "Good night", 5: "Good morning", 11: "Good morning",
		17: "Good afternoon", 21: "Good evening", 22: "Good night", 35: "Good morning",
	} {
		if got := Greeting(hour); got != want {
			t.Errorf("Greeting(%d) = %q, want %q", hour, got, want)
		}
	}
}
`,
}

// The agent's edit of greeting.go.
const (
	wrong = `	switch {
	case hour < 4:
		return "Good night"
	case hour < 11:
		return "Good morning"
	case hour < 17:
		return "Good afternoon"
	case hour < 21:
		return "Good evening"
	}
`
	right = `	hour = (hour%24 + 24) % 24
	switch {
	case hour <= 4:
		return "Good night"
	case hour <= 11:
		return "Good morning"
	case hour <= 17:
		return "Good afternoon"
	case hour <= 21:
		return "Good evening"
	}
`
)

// specText is the workspace, with its places in capitals.
const specText = `workspace "demo" {
  agentenv = "path:SELF"
}

nixpkgs {
  url    = "path:NIXPKGS"
  unfree = ["claude-code"]
}

packages = ["go", "ripgrep", "curl", "claude-code"]

source "libgreet" {}
source "hello-c" {}
source "tinyjson" {}

checkout "billing" { path = "~/src/billing" }
checkout "platform" { path = "~/src/platform" }

project {
  path = "."
  mode = "direct"
}

agent "claude" {
  program = "claude"
  args    = ["-p", "Greeting is wrong: make the test pass.", "--dangerously-skip-permissions"]
}

environment {
  set = {
    ANTHROPIC_BASE_URL                       = "http://model.localhost:PORT"
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = "1"
    CGO_ENABLED                              = "0"
    IS_SANDBOX                               = "1" # for when the human is root
  }
  pass = ["ANTHROPIC_API_KEY"]
}

network {
  allow   = ["model.localhost:PORT"]
  private = ["127.0.0.1/32"]
}
`

func (w *world) spec() string {
	return strings.NewReplacer("SELF", w.kit.self, "NIXPKGS", w.kit.nixpkgs, "PORT", strconv.Itoa(w.port)).Replace(specText)
}

// read returns a file below the home; what cannot be read is empty.
func (w *world) read(name string) string {
	content, err := os.ReadFile(w.home + "/" + name)
	if err != nil {
		return ""
	}
	return string(content)
}
