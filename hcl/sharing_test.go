package hcl_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agentenv/agentenv/hcl"
)

// TestSharingPage loads what docs/sharing.md shows, all of it together.
func TestSharingPage(t *testing.T) {
	page, err := os.ReadFile("../docs/sharing.md")
	if err != nil {
		t.Fatal(err)
	}
	const removed = "packages = [\"gopls\"]\nnetwork {\n allow = [\"telemetry.example.org:443\"]\n}\n" +
		"environment {\n set = { DEBUG = \"1\" }\n}\ncheckout \"legacy\" {\n path = \"~/legacy\"\n}\n"
	files := map[string]string{
		"workspace.hcl":                "workspace \"shop\" {}\n",
		"agentenv.d/team/hcl/base.hcl": removed,
		"agentenv.d/team/x":            "",
		"agentenv.lock":                string(hcl.Lock{"team": {URL: "git+ssh://git@example.org/platform.git", Hash: exampleHash}}.Bytes()),
	}
	shown := 0
	for _, f := range fenceRE.FindAllSubmatch(page, -1) {
		text := string(f[2])
		shown++
		if strings.Contains(text, "forbid {") {
			files["user.hcl"] = text
		} else {
			files["workspace.hcl"] += text
		}
	}
	ws, report := loadAll(files)
	if report.HasErrors() || shown < 4 {
		var text strings.Builder
		report.Write(&text, false)
		t.Fatalf("%d examples\n%s", shown, &text)
	}
	p := ws.Policy
	if len(ws.Nix.Packages)+len(p.Network.Allow)+len(p.Set) > 0 || len(p.Checkouts) != 1 || p.Checkouts[0].Name != "notes" {
		t.Errorf("what the page removes is still there: %s", printed(t, ws))
	}
	if p.Limits.Memory.Bytes != 8<<30 || len(p.Forbidden.Read) != 1 || len(p.Forbidden.Write) != 1 {
		t.Errorf("what the page forces and forbids is not: %s", printed(t, ws))
	}
}
