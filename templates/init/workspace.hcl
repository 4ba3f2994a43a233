# What an agent gets here: programs, sources, checkouts of yours, one project.
#
#   agentenv check   says whether this file is right
#   agentenv plan    shows what it means, and starts nothing
#   agentenv run     starts the agent
workspace "project" {}

# The package set. What is unfree is allowed by its exact name.
nixpkgs {
  url    = "github:NixOS/nixpkgs/nixos-26.05"
  unfree = ["claude-code"]
}

# All programs that the agent can run, besides a shell, git and the usual tools.
packages = ["claude-code"]

# The exact source of a dependency, unpacked and read-only at /src/NAME.
source "coreutils" {}

# The one tree that the agent may change, at once and in place; .git stays
# read-only.
project {
  mode = "direct"
}

agent "claude" {
  program = "claude"
  args    = ["--dangerously-skip-permissions"]
}

# Nothing of your environment gets in but what is named here.
environment {
  pass = ["ANTHROPIC_API_KEY"]
}

# The hosts that answer. All others do not.
network {
  allow = ["api.anthropic.com:443"]
}
