// Command bench measures agentenv against its peers in one run, interleaved, and
// prints medians and ratios. Machines are noisy: the ratios are what counts.
//
// It judges nothing: no figure makes it fail.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

const rounds = 60

// contender is one way to run `true`.
type contender struct {
	name string
	argv []string
	dir  string
}

func main() {
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench() error {
	temp, err := os.MkdirTemp("", "agentenv-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	contenders, err := prepare(temp)
	if err != nil {
		return err
	}
	times := map[string][]time.Duration{}
	for range rounds {
		for _, c := range contenders {
			d, err := c.run()
			if err != nil {
				return fmt.Errorf("run %s: %w", c.name, err)
			}
			times[c.name] = append(times[c.name], d)
		}
	}
	show(contenders, times)
	return nil
}

// prepare builds agentenv and a workspace whose programs are the host's, and the
// bubblewrap command that gives the same view.
func prepare(temp string) ([]contender, error) {
	bin := filepath.Join(temp, "bin", "agentenv")
	build := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/agentenv")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build agentenv: %w", err)
	}
	project, checkout := filepath.Join(temp, "project"), filepath.Join(temp, "checkout")
	for _, d := range []string{project, checkout, filepath.Join(temp, "home")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	spec := fmt.Sprintf("workspace \"bench\" {}\nenvironment { from = \"host\" }\nproject { mode = \"direct\" }\ncheckout \"c\" { path = %q }\n", checkout)
	if err := os.WriteFile(filepath.Join(project, "workspace.hcl"), []byte(spec), 0o644); err != nil {
		return nil, err
	}
	home := filepath.Join(temp, "home")
	os.Setenv("HOME", home)
	os.Setenv("XDG_STATE_HOME", filepath.Join(temp, "state"))
	os.Setenv("XDG_CACHE_HOME", filepath.Join(temp, "cache"))
	bwrap := []string{"bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
		"--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
		"--ro-bind", "/etc/ssl", "/etc/ssl", "--ro-bind", "/etc/alternatives", "/etc/alternatives", "--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache",
		"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--bind", home, home, "--bind", project, project, "--ro-bind", checkout, checkout,
		"--chdir", project, "true"}
	return []contender{
		{"plain exec", []string{"/bin/true"}, project},
		{"bubblewrap, same view", bwrap, project},
		{"agentenv exec", []string{bin, "exec", "--", "true"}, project},
	}, nil
}

func (c contender) run() (time.Duration, error) {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Dir = c.dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	return time.Since(start), nil
}

// show prints one row a contender: median, fastest, and the ratio of medians to
// bubblewrap's.
func show(contenders []contender, times map[string][]time.Duration) {
	median := func(name string) time.Duration {
		t := slices.Sorted(slices.Values(times[name]))
		return t[len(t)/2]
	}
	base := median("bubblewrap, same view")
	fmt.Printf("running true, %d rounds, interleaved\n", rounds)
	for _, c := range contenders {
		m := median(c.name)
		fmt.Printf("%-24s median %6.2f ms  min %6.2f ms  ×%.2f of bubblewrap\n", c.name, ms(m), ms(slices.Min(times[c.name])), float64(m)/float64(base))
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
