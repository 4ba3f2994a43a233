package state

import "path/filepath"

// Config is the directory of the user's own files, $XDG_CONFIG_HOME/agentenv, by
// the rules of the XDG Base Directory Specification. It is "" for a user without
// a home.
func Config(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "agentenv")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "agentenv")
	}
	return ""
}
