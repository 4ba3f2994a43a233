package hcl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/agentenv/agentenv/hcl"
	"github.com/google/go-cmp/cmp"
)

// TestGrantsOnDisk holds that a grant is judged by what it is, not by its name.
func TestGrantsOnDisk(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	other := filepath.Join(filepath.Dir(home), "other")
	for _, d := range []string{".ssh/keys", ".config/gh", ".config/nvim", ".cargo/registry", "src/project/.git", "src/app", "src/app/deep", "vault", ".config/systemd/user", "src/dotvim", "src/[odd]", "src/[odd]/a"} {
		mkdir(t, filepath.Join(home, d))
	}
	mkdir(t, other)
	write(t, filepath.Join(home, ".netrc"))
	write(t, filepath.Join(home, ".profile"))
	write(t, filepath.Join(home, "src/app/file"))
	for link, to := range map[string]string{
		"src/innocent": "../.ssh",
		"src/inside":   "../.ssh/keys",
		"src/conf":     "../.config",
		"src/nvim":     "../.config/nvim",
		"src/me":       "..",
		"src/login":    "../.netrc",
		"src/fine":     "app/deep",
		"src/spec":     "project",
		"src/units":    "../.config/systemd",
		"src/login-sh": "../.profile",
		".gnupg":       "vault",
		".vim":         "src/dotvim",
	} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(home, ".netrc"), filepath.Join(home, "src/hardlink")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(home, "src/fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Home, o.Stat = home, os.Stat

	for block, want := range map[string]string{
		`checkout "a" { path = "~/src/app" }`:                      "",
		`checkout "a" { path = "~/src/fine" }`:                     "",
		`checkout "a" { path = "~/src/nvim" }`:                     "",
		`checkout "a" { path = "~/src/innocent" }`:                 "Secret in reach",
		`checkout "a" { path = "~/src/inside" }`:                   "Secret in reach",
		`checkout "a" { path = "~/src/conf" }`:                     "Secret in reach",
		`checkout "a" { path = "~/src/me" }`:                       "Path not grantable",
		`checkout "a" { path = "~/vault" }`:                        "Secret in reach",
		`checkout "a" { path = "~/src/absent" }`:                   "Path not found",
		`checkout "a" { path = "~/src/app/file" }`:                 "Not a directory",
		`checkout "a" { path = "~/src/app/file/x" }`:               "Path not found",
		`project { path = "../innocent" }`:                         "Secret in reach",
		`project { path = "../app" }`:                              "",
		`filesystem { read = ["~/src/login"] }`:                    "Secret in reach",
		`filesystem { read = ["~/src/hardlink"] }`:                 "Secret in reach",
		`filesystem { read = ["~/src/fifo"] }`:                     "Not a file or directory",
		`filesystem { read = ["~/src/app/file"] }`:                 "",
		`filesystem { read = ["/dev/null"] }`:                      "Path not grantable",
		`filesystem { write = ["~/src/spec"] }`:                    "Rules in reach",
		`filesystem { read = ["~/src/spec"] }`:                     "",
		`filesystem { write = ["~/src/units/user"] }`:              "Runs outside",
		`filesystem { write = ["~/src/login-sh"] }`:                "Runs outside",
		`filesystem { write = ["~/src/dotvim"] }`:                  "Runs outside",
		`filesystem { read = ["~/src/units"] }`:                    "",
		`checkout "a" { path = "~/src/*" }`:                        "",
		`checkout "a" { path = "~/*" }`:                            "", // of the places, none without a dot is here
		`checkout "a" { path = "~/.[c]onf*" }`:                     "Secret in reach",
		`checkout "a" { path = "~/src/innocent/*" }`:               "Secret in reach",
		`checkout "a" { path = "~/absent/*" }`:                     "Path not found",
		`checkout "a" { path = "~/src/app/file/*" }`:               "Not a directory",
		`checkout "a" { path = "~/src/\\[odd]" }`:                  "",
		`checkout "a" { path = "~/src/\\[odd]/*" }`:                "",
		"project {\n path = \"../dotvim\"\n mode = \"direct\"\n}":  "Runs outside",
		`project { path = "../dotvim" }`:                           "",
		`filesystem { write = ["~/src"] }`:                         "Rules in reach",
		fmt.Sprintf(`filesystem { read = [%q] }`, "/proc/1/cwd"):   "Path not grantable",
		fmt.Sprintf(`checkout "a" { path = %q }`, other):           "",
		fmt.Sprintf(`checkout "a" { path = %q }`, home+"/../home"): "Path not grantable",
	} {
		ws, report := hcl.Load([]byte("workspace \"w\" {}\n"+block+"\n"), home+"/src/project/workspace.hcl", o)
		got := ""
		if ds := report.Diagnostics(); len(ds) > 0 {
			got = ds[0].Summary
		}
		if got != want || (ws == nil) != (want != "") {
			t.Errorf("%s: %q, want %q", block, got, want)
		}
	}
}

// TestHiddenSecrets holds that hiding a secret by name allows the checkout
// around it, and that it does so for that name alone.
func TestHiddenSecrets(t *testing.T) {
	home := t.TempDir()
	mkdir(t, filepath.Join(home, ".cargo/registry"))
	mkdir(t, filepath.Join(home, "src/project"))
	write(t, filepath.Join(home, ".cargo/credentials.toml"))
	if err := os.Symlink(".cargo", filepath.Join(home, "cargo")); err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Home, o.Stat = home, os.Stat
	summary := func(path string) string {
		src := fmt.Sprintf("workspace \"w\" {}\ncheckout \"a\" {\n path = %q\n hide = [\"credentials*\"]\n}\n", path)
		_, report := hcl.Load([]byte(src), home+"/src/project/workspace.hcl", o)
		if ds := report.Diagnostics(); len(ds) > 0 {
			return ds[0].Summary
		}
		return ""
	}
	if got := summary("~/.cargo"); got != "" {
		t.Errorf("the secrets are hidden, and yet: %s", got)
	}
	if got, want := summary("~/cargo"), "Secret in reach"; got != want {
		t.Errorf("through a link: %q, want %q", got, want)
	}
	// Another secret turns out to lie in the same directory.
	mkdir(t, filepath.Join(home, ".cargo/aws"))
	if err := os.Symlink(".cargo/aws", filepath.Join(home, ".aws")); err != nil {
		t.Fatal(err)
	}
	if got, want := summary("~/.cargo"), "Secret in reach"; got != want {
		t.Errorf("with a secret that a link leads to: %q, want %q", got, want)
	}
}

// TestGlobsInOddDirectories holds that a directory whose name looks like a glob
// is itself: the spec's, and the home.
func TestGlobsInOddDirectories(t *testing.T) {
	o := options()
	o.Home = "/home/{u}"
	for written, want := range map[string]string{
		".":       `/srv/\[a\]`,
		"sub/*":   `/srv/\[a\]/sub/*`,
		"../*":    `/srv/*`,
		"~/x":     `/home/\{u\}/x`,
		"~/x/*":   `/home/\{u\}/x/*`,
		"/plain":  "/plain",
		"/a/b-?/": "/a/b-?",
	} {
		ws, report := hcl.Load([]byte(fmt.Sprintf("workspace \"w\" {}\ncheckout \"a\" {\n path = %q\n}\n", written)), "/srv/[a]/workspace.hcl", o)
		if report.HasErrors() {
			t.Errorf("%s: %v", written, report.Err())
		} else if got := ws.Policy.Checkouts[0].Path; got != want {
			t.Errorf("%s is %s, want %s", written, got, want)
		}
	}
	ws, report := hcl.Load([]byte("workspace \"w\" {}\n"), "/srv/[a]/workspace.hcl", o)
	if report.HasErrors() || ws.Policy.Project.Path != "/srv/[a]" {
		t.Errorf("the project: %v", report.Err())
	}
}

func TestHomeIsNeededWhereItIsUsed(t *testing.T) {
	for _, home := range []string{"", "relative"} {
		o := options()
		o.Home = home
		for block, want := range map[string][]string{
			`checkout "a" { path = "/srv/a" }`:                nil,
			`checkout "a" { path = "~/a" }`:                   {"Invalid path"},
			`checkout "a" { path = "${home}/a" }`:             {"Home not known"},
			"locals {\n a = home\n}":                          {"Home not known"},
			`filesystem { read = ["/home/u/.ssh", "/root"] }`: nil, // which home that is, nobody has said
		} {
			_, report := hcl.Load([]byte("workspace \"w\" {}\n"+block+"\n"), "/srv/workspace.hcl", o)
			var got []string
			for _, d := range report.Diagnostics() {
				got = append(got, d.Summary)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("home %q, %s:\n%s", home, block, diff)
			}
		}
	}
}

// TestReleaseIsNeeded holds that a binary that does not know where it comes
// from generates nothing that would take a launcher from somewhere else.
func TestReleaseIsNeeded(t *testing.T) {
	o := options()
	o.Release = ""
	_, report := hcl.Load([]byte(`workspace "w" {}`), "/srv/workspace.hcl", o)
	if err := report.Err(); err == nil || !strings.Contains(err.Error(), "Missing attribute") {
		t.Errorf("got %v", err)
	}
	ws, report := hcl.Load([]byte(`workspace "w" { agentenv = "github:a/b" }`), "/srv/workspace.hcl", o)
	if report.HasErrors() || ws.Nix.Agentenv["owner"] != "a" {
		t.Error(report.Err())
	}
	o.Release = "path:/srv/agentenv"
	ws, report = hcl.Load([]byte(`workspace "w" {}`), "/srv/workspace.hcl", o)
	if report.HasErrors() || ws.Nix.Agentenv["path"] != "/srv/agentenv" {
		t.Error(report.Err())
	}
}

func mkdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
}
