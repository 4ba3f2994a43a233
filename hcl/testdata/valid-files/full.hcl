# Every block and attribute of this version.
workspace "billing" {
  systems  = ["x86_64-linux", "aarch64-linux", "x86_64-linux"]
  out      = "./nix/"
  agentenv = "github:agentenv/agentenv/v1.2.0"
}

nixpkgs {
  url    = "github:NixOS/nixpkgs/0123456789abcdef0123456789abcdef01234567"
  unfree = ["vscode", "claude-code"]
}

input "llm-agents" {
  url     = "github:numtide/llm-agents.nix?dir=sub"
  follows = { nixpkgs = "nixpkgs", "rust-overlay" = "" }
}

input "rfcs" {
  url   = "git+https://example.org/rfcs.git?ref=main&submodules=1"
  flake = false
}

locals {
  src      = "${home}/src"
  names    = ["a", "b"]
  node     = "nodejs_${local.major}"
  major    = 22
  launched = "${local.src}/launched"
}

packages = concat(
  ["go", "ripgrep", "openssl.dev", "nixpkgs#go", "llm-agents#claude-code", local.node],
  [for n in local.names : "pkg-${n}"],
  ["nodePackages.\"@angular/cli\"", "nodePackages.@angular"],
)

source "openssl" {}

source "hugo-modules" {
  package = "hugo"
}

source "agent" {
  package = "llm-agents#claude-code"
}

source "rfcs" {
  input = "rfcs"
}

source "tree" {
  input = "nixpkgs"
}

checkout "platform" {
  path = local.launched
  hide = ["**/fixtures/private/**", "./tmp/"]
}

checkout "dot" {
  path = "../other"
}

project {
  path = workspace.dir
  mode = "direct"
}

agent "second" {
  program = "/bin/sh"
  args    = ["-c", "echo $${HOME} ${upper("x")} ${workspace.name}\n", "%%{x}"]
}

agent "first" {
  program = "claude"
}

environment {
  from   = "nix"
  base   = false
  loader = false
  set = {
    CGO_ENABLED = "0"
    EMPTY       = ""
    UNSET       = null
    "QUOTED"    = true ? "yes" : "no"
    MAJOR       = "${local.major}"
    TEXT        = <<-EOT
      one
        ${workspace.name}
    EOT
  }
  pass = ["ANTHROPIC_API_KEY", "GITHUB_TOKEN", "ANTHROPIC_API_KEY"]
}

filesystem {
  read  = ["/usr/share/dict", "~/notes/", "~/notes"]
  write = ["~/.cache/shared-build"]
}

network {
  allow   = ["API.anthropic.com.:443", "api.anthropic.com:443", "db.internal:5432", "xn--bcher-kva.example:443"]
  private = ["10.1.2.0/24", "fd00::/8"]
}
