package workspace

import "slices"

// HostGroups are the names that network.groups may have, sorted: each is a set
// of hosts that one service or registry is made of.
func HostGroups() []string { return slices.Clone(hostGroups) }

var hostGroups = []string{
	"anthropic", "crates", "debian", "docker", "gemini", "github", "gitlab", "go", "hex", "huggingface",
	"maven", "nix", "npm", "nuget", "openai", "openrouter", "packagist", "pypi", "rubygems", "ubuntu",
}

// Presets are the names that agent.preset may have, with the program that each
// launches.
func Presets() map[string]string {
	return map[string]string{"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini", "opencode": "opencode"}
}
