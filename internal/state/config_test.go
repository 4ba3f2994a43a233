package state_test

import (
	"testing"

	"github.com/agentenv/agentenv/internal/state"
)

func TestConfig(t *testing.T) {
	for _, tt := range []struct{ xdg, home, want string }{
		{"/c", "/home/h", "/c/agentenv"},
		{"", "/home/h", "/home/h/.config/agentenv"},
		{"relative", "/home/h", "/home/h/.config/agentenv"},
		{"", "", ""},
		{"", "relative", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home}
		if got := state.Config(func(name string) string { return env[name] }); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
