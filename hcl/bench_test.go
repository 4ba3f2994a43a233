package hcl_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
)

func checkouts(n int) []byte {
	var b strings.Builder
	b.WriteString("workspace \"a\" {}\nlocals {\n src = \"${home}/src\"\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "checkout \"c%d\" {\n  path = \"${local.src}/c%d\"\n  hide = [\"**/private/**\"]\n}\n", i, i)
	}
	return []byte(b.String())
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		src := checkouts(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, report := hcl.Load(src, dir+"/workspace.hcl", options()); report.HasErrors() {
					b.Fatal(report.Err())
				}
			}
		})
	}
}

func BenchmarkLoadWithDisk(b *testing.B) {
	home := b.TempDir()
	for i := range 1000 {
		if err := os.MkdirAll(fmt.Sprintf("%s/src/c%d", home, i), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.MkdirAll(home+"/src/project", 0o755); err != nil {
		b.Fatal(err)
	}
	src := checkouts(1000)
	o := options()
	o.Home, o.Stat = home, os.Stat
	for b.Loop() {
		if _, report := hcl.Load(src, home+"/src/project/workspace.hcl", o); report.HasErrors() {
			b.Fatal(report.Err())
		}
	}
}
