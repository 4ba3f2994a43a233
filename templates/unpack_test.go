package templates_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentenv/agentenv/internal/require"
)

// entry is one file of an archive. A name that ends in a slash is a directory;
// link makes it a symbolic link.
type entry struct {
	name, text, link string
	mode             int64
}

func tarOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.text)), Typeflag: tar.TypeReg}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if e.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.link
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// arOf makes an ar archive of members, each a name and a text.
func arOf(members ...string) []byte {
	b := []byte("!<arch>\n")
	for i := 0; i < len(members); i += 2 {
		name, text := members[i], members[i+1]
		b = fmt.Appendf(b, "%-16s%-12s%-6s%-6s%-8s%-10d`\n%s", name, "0", "0", "0", "100644", len(text), text)
		if len(text)%2 == 1 {
			b = append(b, '\n')
		}
	}
	return b
}

// TestUnpackStrict: what the spec names is not left packed without a word.
func TestUnpackStrict(t *testing.T) {
	for content, want := range map[string]string{
		"Rar!\x1a\x07\x01":          `agentenv: entry "source.x": unpack: x is a rar archive, and the package set has no tool for it`,
		"PK\x03\x04broken":          `agentenv: entry "source.x": unpack: x is a zip archive that cannot be unpacked`,
		"!<arch>\ndebian-binary   ": `agentenv: entry "source.x": unpack: x is a ar archive that cannot be unpacked`,
	} {
		dir := t.TempDir()
		origin := filepath.Join(dir, hash+"-x")
		if err := os.WriteFile(origin, []byte(content), 0o444); err != nil {
			t.Fatal(err)
		}
		words, err := command(filepath.Join(dir, "out"), []string{"strict=1", `id="source.x"`}, origin).CombinedOutput()
		if err == nil || !strings.Contains(string(words), want+"\n") {
			t.Errorf("got %v and\n%swant\n%s", err, words, want)
		}
	}
}

const hash = "0123456789abcdfghijklmnpqrsvwxyz"

// TestUnpack runs the builder of source trees on origins of every kind. Want maps
// the paths in the result to their contents; a link is "→ target", a directory
// that holds nothing is "/".
func TestUnpack(t *testing.T) {
	for _, tool := range []string{"bash", "tar", "gzip", "unzip"} { // what Nix puts into a builder's PATH
		_, err := exec.LookPath(tool)
		require.Have(t, "nix", err)
	}
	a, b := entry{name: "x-1.0/a", text: "a"}, entry{name: "x-1.0/b/c", text: "c"}
	for name, test := range map[string]struct {
		origins map[string][]byte
		want    map[string]string
	}{
		"one top directory":     {map[string][]byte{"x.tar": tarOf(t, a, b)}, map[string]string{"a": "a", "b/c": "c"}},
		"compressed":            {map[string][]byte{"x.tar.gz": gzipOf(t, tarOf(t, a, b))}, map[string]string{"a": "a", "b/c": "c"}},
		"an archive by no name": {map[string][]byte{"source": gzipOf(t, tarOf(t, a))}, map[string]string{"a": "a"}},
		"many top entries": {
			map[string][]byte{"bomb.tar": tarOf(t, entry{name: "a", text: "a"}, entry{name: ".b", text: "b"})},
			map[string]string{"a": "a", ".b": "b"},
		},
		"a directory in one of its own name": {
			map[string][]byte{"x.tar": tarOf(t, entry{name: "x/x/a", text: "a"}, entry{name: "x/.h", text: "h"})},
			map[string]string{"x/a": "a", ".h": "h"},
		},
		"one top file":       {map[string][]byte{"x.tar": tarOf(t, entry{name: "a", text: "a"})}, map[string]string{"a": "a"}},
		"one top link":       {map[string][]byte{"x.tar": tarOf(t, entry{name: "a", link: "/etc"})}, map[string]string{"a": "→ /etc"}},
		"an empty directory": {map[string][]byte{"x.tar": tarOf(t, entry{name: "x/", mode: 0o755})}, map[string]string{}},
		"no rights": {
			map[string][]byte{"x.tar": tarOf(t, entry{name: "x/", mode: 0o001}, entry{name: "x/a", text: "a", mode: 0o001})},
			map[string]string{"a": "a"},
		},
		"a name that looks like an option": {
			map[string][]byte{"x.tar": tarOf(t, entry{name: "-rf/-a", text: "a"}, entry{name: "-rf/b c\nd", text: "b"})},
			map[string]string{"-a": "a", "b c\nd": "b"},
		},
		"upward": {
			map[string][]byte{"x.tar": tarOf(t, entry{name: "x/a", text: "a"}, entry{name: "x/up", link: "../../../etc"})},
			map[string]string{"a": "a", "up": "→ ../../../etc"},
		},
		"zip": {map[string][]byte{"x.zip": zipOf(t, a, b)}, map[string]string{"a": "a", "b/c": "c"}},
		"gem": {
			map[string][]byte{"x.gem": tarOf(t,
				entry{name: "metadata.gz", text: "m"}, entry{name: "checksums.yaml.gz", text: "s"},
				entry{name: "data.tar.gz", text: string(gzipOf(t, tarOf(t, entry{name: "lib/x.rb", text: "x"}, entry{name: "README", text: "r"})))})},
			map[string]string{"lib/x.rb": "x", "README": "r"},
		},
		"deb": {
			map[string][]byte{"x.deb": arOf("debian-binary", "2.0\n", "control.tar.gz", "odd", "data.tar.gz", string(gzipOf(t, tarOf(t, entry{name: "./usr/bin/x", text: "x"}))))},
			map[string]string{"bin/x": "x"},
		},
		"a library of object files": {map[string][]byte{"x.a": arOf("x.o", "x")}, map[string]string{"x.a": string(arOf("x.o", "x"))}},
		"a kind without a tool":     {map[string][]byte{"x.rar": []byte("Rar!\x1a\x07\x01")}, map[string]string{"x.rar": "Rar!\x1a\x07\x01"}},
		"a broken archive": {
			map[string][]byte{"x.zip": []byte("PK\x03\x04broken")}, map[string]string{"x.zip": "PK\x03\x04broken"},
		},
		"a member above the top": {
			map[string][]byte{"x.tar": tarOf(t, entry{name: "x/../../a", text: "a"})},
			map[string]string{"x.tar": string(tarOf(t, entry{name: "x/../../a", text: "a"}))},
		},
		"a script":               {map[string][]byte{"run.sh": []byte("#!/bin/sh\n")}, map[string]string{"run.sh": "#!/bin/sh\n"}},
		"compressed, no archive": {map[string][]byte{"x.gz": gzipOf(t, []byte("x"))}, map[string]string{"x.gz": string(gzipOf(t, []byte("x")))}},
		"several": {
			map[string][]byte{"a.tar.gz": gzipOf(t, tarOf(t, a)), "b.zip": zipOf(t, b), "c": []byte("c")},
			map[string]string{"a/a": "a", "b/b/c": "c", "c/c": "c"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, unpack(t, test.origins)); diff != "" {
				t.Errorf("tree (-want +got)\n%s", diff)
			}
		})
	}
}

// TestUnpackDirectory: a directory is linked to, whatever it is called.
func TestUnpackDirectory(t *testing.T) {
	origin := filepath.Join(t.TempDir(), hash+"-x.tar.gz")
	if err := os.Mkdir(origin, 0o755); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	run(t, out, origin)
	if got, err := os.Readlink(out); err != nil || got != origin {
		t.Errorf("got a link to %q, %v, want one to %q", got, err, origin)
	}
}

// TestUnpackSameNames: origins of one name do not hide each other.
func TestUnpackSameNames(t *testing.T) {
	dir := t.TempDir()
	var origins []string
	for _, letter := range []string{"a", "b"} {
		origin := filepath.Join(dir, strings.Repeat(letter, 32)+"-source")
		if err := os.Mkdir(origin, 0o755); err != nil {
			t.Fatal(err)
		}
		origins = append(origins, origin)
	}
	out := filepath.Join(dir, "out")
	run(t, out, origins...)
	want := map[string]string{"source": "→ " + origins[0], "source-2": "→ " + origins[1]}
	if diff := cmp.Diff(want, tree(t, out)); diff != "" {
		t.Errorf("tree (-want +got)\n%s", diff)
	}
}

func unpack(t *testing.T, origins map[string][]byte) map[string]string {
	t.Helper()
	dir := t.TempDir()
	var paths []string
	for name, content := range origins {
		file := filepath.Join(dir, hash+"-"+name)
		if err := os.WriteFile(file, content, 0o444); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, file)
	}
	out := filepath.Join(dir, "out")
	run(t, out, paths...)
	return tree(t, out)
}

// run runs the script as a stdenv does.
func run(t *testing.T, out string, origins ...string) {
	t.Helper()
	cmd := command(out, nil, origins...)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

func command(out string, env []string, origins ...string) *exec.Cmd {
	cmd := exec.Command("bash", "-O", "inherit_errexit", "-euo", "pipefail", "lib/unpack.sh")
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"), "out="+out, "origins="+strings.Join(origins, " "))
	return cmd
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if entry.Type() == fs.ModeSymlink {
			target, err := os.Readlink(name)
			found[relative] = "→ " + target
			return err
		}
		text, err := os.ReadFile(name)
		found[relative] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
