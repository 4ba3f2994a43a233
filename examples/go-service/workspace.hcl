# A Go service that links C libraries. The agent sees the source of both, and your
# other checkouts, while it works in this directory.
workspace "go-service" {}

nixpkgs {
  url    = "github:NixOS/nixpkgs/nixos-26.05"
  unfree = ["claude-code"] # exact names: nothing else that is unfree gets in
}

# All programs that the agent can run, besides the base: a shell, coreutils, git and
# their like.
packages = [
  "go", "gopls", "delve",
  "gcc", "pkg-config", # for cgo
  "ripgrep", "jq",
  "claude-code",
]

environment {
  # Headers, pkg-config files and linker paths, as in a build of Nix's own.
  libraries = ["sqlite", "openssl"]

  set = {
    CGO_ENABLED = "1"
    GOTOOLCHAIN = "local" # the Go of packages, and no other that go.mod may ask for
  }
  pass = ["ANTHROPIC_API_KEY"] # nothing else of your environment gets in
}

# Unpacked below /src, exactly as what the packages above are built from.
source "go" {} # the standard library, and the runtime
source "sqlite" {}
source "openssl" { patched = true } # with the patches that nixpkgs applies

# One checkout for each directory below ~/src. Secrets in them are hidden by name
# (docs/spec.md has the list), and .git is not shown.
checkout "src" {
  path   = "~/src/*"
  except = ["~/src/dotfiles"]
  hide   = ["**/testdata/private/**"]
}

project {
  mode    = "direct"    # your own tree, its .git read-only
  protect = ["deploy/"] # to read, not to change
}

agent "claude" {
  program = "claude"
  args    = ["--dangerously-skip-permissions"] # the sandbox asks instead
}

# No other host answers.
network {
  allow = [
    "api.anthropic.com:443",
    "proxy.golang.org:443", "sum.golang.org:443", # modules, and their checksums
  ]
}

limits {
  processes = 2048
}
