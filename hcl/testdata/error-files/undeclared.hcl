workspace "a" {
}

input "rfcs" {
  url   = "github:NixOS/rfcs"
  flake = false
}

input "tools" {
  url = "github:o/tools"
  follows = {
    nixpkgs = "nixpkg" # ERROR: Undeclared input
    rfcs    = "rfcs"
    tools   = "tools" # ERROR: Contradiction
    unused  = ""
  }
}

input "tree" {
  url     = "github:o/tree"
  flake   = false
  follows = { nixpkgs = "nixpkgs" } # ERROR: Contradiction
}

packages = [
  "go",
  "tools#claude-code",
  "tool#claude-code", # ERROR: Undeclared input
  "rfcs#x", # ERROR: Input without packages
]

package "tols#python3" { # ERROR: Undeclared input
  with = []
}

nixpkgs {
  overlays = [
    "tools",
    "tool", # ERROR: Undeclared input
    "rfcs#x", # ERROR: Input without overlays
  ]
}

environment {
  libraries = [
    "tool#zlib", # ERROR: Undeclared input
  ]
}

source "a" {
  input = "rfc" # ERROR: Undeclared input
}

source "b" {
  package = "other#b" # ERROR: Undeclared input
}
