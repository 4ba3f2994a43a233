workspace "a" {
  agentenv = "nixpkgs" # ERROR: Invalid flake reference
}

nixpkgs {
  url = "nixpkgs/nixos-26.05" # ERROR: Invalid flake reference
}

input "web" {
  url = "https://github.com/o/r" # ERROR: Invalid flake reference
}

input "tree" {
  url = "path:/srv/tree" # ERROR: Invalid flake reference
}

input "self" { # ERROR: Reserved name
  url = "github:o/r"
}

input "nixpkgs" { # ERROR: Reserved name
  url = "github:o/r"
}

input "agentenv" { # ERROR: Reserved name
  url = "github:o/r"
}

input "paths" {
  url = "github:o/r"
  follows = {
    "a/b" = "nixpkgs" # ERROR: Invalid name
  }
}
