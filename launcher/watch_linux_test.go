package launcher

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLostMount saves a file outside as editors and git do, by rename over it.
// In the sandbox that takes off what was mounted there. What is promised is that
// the program is killed for it and that it is told, not how soon: a program that
// does nothing but look may see the file before.
func TestLostMount(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   Mount
	}{
		{"mask", Mount{Op: OpMask, Target: "/project/.env", At: "spec.hcl:3:4"}},
		{"read-only file", Mount{Op: OpBind, Target: "/project/.env", ReadOnly: true, At: "spec.hcl:3:4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := treeOf(t, map[string]string{".env": "SECRET"})
			tr := newTrial(t, "sh", "-c", "echo up; while :; do cat /project/.env 2>/dev/null; done")
			tr.bind(dir, "/project", AccessWrite)
			if tt.op.Op == OpBind {
				tr.Plan.Argv = []string{"sh", "-c", "echo up; exec sleep 1000"}
				tt.op.Source, tt.op.Identity = dir+"/.env", identity(t, dir+"/.env")
			}
			tr.add(tt.op, "")
			s := tr.start()
			s.expect("up\n")
			write(t, dir, map[string]string{".env.new": "SECRET"})
			if err := os.Rename(filepath.Join(dir, ".env.new"), filepath.Join(dir, ".env")); err != nil {
				t.Fatal(err)
			}
			o := s.wait()
			var lost *LostMountError
			if !errors.As(o.err, &lost) || o.status != 137 {
				t.Fatalf("status %d, error %v", o.status, o.err)
			}
			if diff := cmp.Diff(&LostMountError{Target: "/project/.env", At: "spec.hcl:3:4"}, lost); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSavesBesideMountsAreNoLoss(t *testing.T) {
	dir := treeOf(t, map[string]string{".env": "SECRET", "main.go": "1"})
	tr := newTrial(t, "sh", "-c", "echo up; read go; cat /project/main.go")
	tr.bind(dir, "/project", AccessWrite)
	tr.add(Mount{Op: OpMask, Target: "/project/.env"}, "")
	s := tr.start()
	s.expect("up\n")
	write(t, dir, map[string]string{"main.go.new": "2\n"})
	if err := os.Rename(filepath.Join(dir, "main.go.new"), filepath.Join(dir, "main.go")); err != nil {
		t.Fatal(err)
	}
	s.say("go\n")
	if o := s.wait(); o.err != nil || o.stdout != "up\n2\n" {
		t.Errorf("%q, error %v", o.stdout, o.err)
	}
}

func TestParseMounts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want mountTable
	}{
		{"", mountTable{}},
		{"22 28 0:20 / /proc rw - proc proc rw\n9 1 8:1 /x /a\\040b\\134c\\011d\\012e rw,nosuid master:1 - ext4 /dev/x rw\n", mountTable{22: "/proc", 9: "/a b\\c\td\ne"}},
		{"22 28\n", nil},
		{"x 28 0:20 / /proc rw\n", nil},
	} {
		got, err := parseMounts(tt.text)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != (tt.want == nil) {
			t.Errorf("parseMounts(%q): %v (-want +got):\n%s", tt.text, err, diff)
		}
	}
}

func FuzzParseMounts(f *testing.F) {
	f.Add("22 28 0:20 / /a\\040b rw - proc proc rw\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := parseMounts(text)
		if err != nil && table != nil {
			t.Error("a table and an error")
		}
	})
}
