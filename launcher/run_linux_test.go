package launcher

import "testing"

func TestRunPassesPipes(t *testing.T) {
	tr := newTrial(t, "sh", "-c", "cat; echo errors >&2; id -u; pwd; hostname; exit 0")
	o := tr.ok("hello\n")
	t.Logf("%q %q", o.stdout, o.stderr)
}
