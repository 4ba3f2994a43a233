# What an agent gets here: programs, sources, checkouts of yours, one project.
#
#   agentenv check   says whether this file is right
#   agentenv plan    shows what it means, and starts nothing
#   agentenv run     starts the agent

# FLAKE
workspace "NAME" {}

# The package set. What is unfree is allowed by its exact name.
nixpkgs {
  url    = "github:NixOS/nixpkgs/nixos-26.05"
  unfree = ["claude-code"]
}

# All programs that the agent can run, besides a shell, git and the usual tools.
# The names are those of https://search.nixos.org/packages.
packages = [
  "claude-code",
  # PACKAGES
]

# The exact source of a dependency, unpacked and read-only at /src/NAME.
#
# source "SOURCE" {}

# Other checkouts of yours, read-only and without the secrets in them.
#
# CHECKOUTS

# The one tree that the agent may change. "direct" is your own working tree: what
# the agent writes is here at once, to look at with git diff. Its .git stays
# read-only, and so do files that your own tools obey, such as .envrc and this
# one. Commits are yours to make.
project {
  mode = "direct"
}

# What agentenv run starts. The sandbox is what keeps the agent in, so that it
# need not ask before each step.
agent "claude" {
  program = "claude"
  args    = ["--dangerously-skip-permissions"]
}

# Nothing of your environment gets in but what is named here.
environment {
  pass = ["ANTHROPIC_API_KEY"]
}

# The hosts that answer. All others do not, so that what the agent reads can go
# nowhere else.
network {
  allow = [
    "api.anthropic.com:443",
    # HOSTS
  ]
}
