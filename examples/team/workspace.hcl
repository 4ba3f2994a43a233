# A team's spec. What all of its repositories have in common is in a repository of its
# own, of which agentenv.d/platform is a copy that agentenv.lock pins. Each colleague adds
# their own in user.hcl (user/user.hcl here), which changes nothing that is generated.
workspace "team" {}

include "platform" {
  path = "hcl/go.hcl"
  url  = "git+ssh://git@git.example.org/platform/agents.git"
}

packages = ["sqlite"]

# We keep the linter out, and stay behind with the compiler.
remove {
  packages = ["golangci-lint"]
}

variable "go" {
  default = "1_25"
}

agent "claude" {
  args = ["--dangerously-skip-permissions"] # replaces what the platform says
}

checkout "contracts" {
  path = "../contracts" # relative to this file, also in an include
}

project {
  mode    = "direct"
  protect = ["migrations/"]
}

network {
  allow = ["db.example.org:5432"] # besides what the platform allows
}
