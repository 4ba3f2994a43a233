package launcher

import (
	"os/exec"
	"testing"
)

// TestPrograms runs what agents run, to show that the filter and the rules leave
// it whole. A program that this machine does not have is left out.
func TestPrograms(t *testing.T) {
	for _, tt := range []struct{ program, script, want string }{
		{"git", `git init -q -b main r && cd r && git config user.name a && git config user.email a@b && echo 1 > f && git add f && git commit -qm one && git mv f g && git commit -qm two && git gc -q && git log --format=%s`, "two\none\n"},
		{"python3", `python3 -c '
import multiprocessing as m, socket, os, tempfile, threading
if __name__ == "__main__":
    with m.get_context("fork").Pool(2) as p: print(p.map(abs, [-1, -2]))
    a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1))
    s = socket.socket(socket.AF_UNIX); s.bind("s"); s.listen(); print(os.path.exists("s"))
    print(len(tempfile.mkdtemp()) > 0, socket.getaddrinfo("127.0.0.1", 80)[0][4])
'`, "[1, 2]\nb'x'\nTrue\nTrue ('127.0.0.1', 80)\n"},
		{"node", `node -e 'const {Worker} = require("worker_threads"); new Worker("require(\"fs\").writeFileSync(\"w\", \"worker\\n\")", {eval: true}).on("exit", () => { process.stdout.write(require("fs").readFileSync("w")); require("http").createServer((q, r) => r.end("served\n")).listen(0, "127.0.0.1", function () { fetch("http://127.0.0.1:" + this.address().port).then(r => r.text()).then(t => { process.stdout.write(t); process.exit() }) }) })'`, "worker\nserved\n"},
		{"gcc", `printf '#include <stdio.h>\nint main(void) { puts("compiled"); }\n' > a.c && gcc -o a a.c && ./a`, "compiled\n"},
		{"strace", `strace -f -o trace true && grep -c execve trace`, "1\n"},
		{"script", `script -qec 'tty; stty size >/dev/null && echo has a size' /dev/null </dev/null | tr -d '\r'`, "/dev/pts/0\nhas a size\n"},
		{"flock", `flock lock echo locked`, "locked\n"},
		{"bash", `bash -c 'cat <(echo substituted); ulimit -c'`, "substituted\n0\n"},
		{"tar", `mkdir d && echo x > d/f && tar cf d.tar d && rm -r d && tar xpf d.tar && cat d/f`, "x\n"},
	} {
		t.Run(tt.program, func(t *testing.T) {
			path, err := exec.LookPath(tt.program)
			if err != nil {
				t.Skip(err)
			}
			tr := newTrial(t, "sh", "-c", tt.script)
			tr.Dir = insideHome
			tr.add(Mount{Op: OpSymlink, Source: "/proc/self/fd", Target: "/dev/fd"}, "")
			if o := tr.run(""); o.stdout != tt.want || o.status != 0 {
				t.Errorf("%s: status %d, %v, standard output %q, standard error %q", path, o.status, o.err, o.stdout, o.stderr)
			}
		})
	}
}
