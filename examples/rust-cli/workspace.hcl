# A command line tool in Rust, with a toolchain from an overlay, and a repository of
# documents pinned beside the code.
workspace "rust-cli" {}

nixpkgs {
  url      = "github:NixOS/nixpkgs/nixos-26.05"
  unfree   = ["claude-code"]
  overlays = ["rust-overlay"] # the overlays.default of the input
}

input "rust-overlay" {
  url     = "github:oxalica/rust-overlay"
  follows = { nixpkgs = "nixpkgs" } # one nixpkgs, not two
}

input "rfcs" {
  url   = "github:rust-lang/rfcs"
  flake = false # a tree as it is
}

locals {
  tools = ["bacon", "deny", "nextest"]
}

packages = concat(
  ["rust-bin.stable.latest.default", "rust-analyzer", "gcc", "pkg-config", "ripgrep", "claude-code"],
  [for t in local.tools : t == "bacon" ? t : "cargo-${t}"],
)

source "rfcs" { input = "rfcs" } # the whole repository, pinned, at /src/rfcs
source "ripgrep" {}
source "ripgrep-crates" { # what cargo vendored for it is a tree of its own
  package   = "ripgrep"
  attribute = "cargoDeps"
}

environment {
  libraries = ["openssl"]
  set = {
    CARGO_HOME               = "/tmp/cargo" # yours is not shared: builds outside run what lies in it
    CARGO_TERM_PROGRESS_WHEN = "never"
  }
  pass = ["ANTHROPIC_API_KEY"]
}

checkout "workspace" { path = "~/src/*-rs" }

project {
  mode    = "direct"
  protect = ["rust-toolchain.toml", ".cargo/"]
}

agent "claude" {
  program = "claude"
  args    = ["--dangerously-skip-permissions"]
}

network {
  allow = [
    "api.anthropic.com:443",
    "index.crates.io:443", "static.crates.io:443",
  ]
}

limits {
  processes  = 4096
  open_files = 65536
}
