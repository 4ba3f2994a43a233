# Every block and attribute of this version.
workspace "billing" {
  systems  = ["x86_64-linux", "aarch64-linux", "x86_64-linux"]
  out      = "./nix/"
  agentenv = "github:agentenv/agentenv/v1.2.0"
}

nixpkgs {
  url    = "github:NixOS/nixpkgs/0123456789abcdef0123456789abcdef01234567"
  unfree = ["vscode", "claude-code"]

  insecure = ["python-2.7.18.8", "openssl-1.1.1w", "python-2.7.18.8"]
  overlays = ["rust-overlay", "llm-agents#overlays.\"a.b\"", "rust-overlay#overlays.default"]
}

input "llm-agents" {
  url     = "github:numtide/llm-agents.nix?dir=sub"
  follows = { nixpkgs = "nixpkgs", "rust-overlay" = "" }
}

input "rust-overlay" {
  url = "github:oxalica/rust-overlay"
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

package "python3" {
  with = ["requests", "numpy", "requests"]
}

package "llm-agents#emacs.\"with.dots\"" {
  with = []
}

source "openssl" {}

source "ripgrep" {
  patched = true
}

source "hugo-modules" {
  package   = "hugo"
  attribute = "goModules.\"x.y\""
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

source_set {
  of = "runtime"
}

source_set {
  of = "packages"
}

checkout "everything" {
  path    = "~/work/{a,b}-[0-9]/*"
  except  = ["~/work/a-1/dotfiles", "~/work/?-1/old*"]
  hide    = ["**/*.log"]
  expose  = "tracked"
  history = true
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

  carry   = ["node_modules/", "./a//b", "node_modules"]
  protect = ["deploy/", "Makefile"]
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

  libraries = ["zlib", "openssl.dev", "llm-agents#lib", "nixpkgs#zlib"]
  store     = "all"
}

filesystem {
  read  = ["/usr/share/dict", "~/notes/", "~/notes"]
  write = ["~/.cache/shared-build"]
  hide  = ["**/secrets.yaml", "~/src/*/private/", "/srv/x", "**/secrets.yaml"]
  tmp   = "1536MiB"
}

network {
  allow   = ["API.anthropic.com.:443", "api.anthropic.com:443", "db.internal:5432", "xn--bcher-kva.example:443", "api.anthropic.com", "*.Example.org.", "*.corp:8080"]
  private = ["10.1.2.0/24", "fd00::/8"]
  groups  = ["npm", "go", "npm"]
  publish = [3000, 8080, 3000]
}

git {
  commit = "forbidden"
}

limits {
  memory     = "8GiB"
  processes  = local.major * 64
  open_files = 65536
}

sandbox {
  isolation = "landlock"
}
