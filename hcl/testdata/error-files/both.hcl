workspace "a" {
}

environment {
  from = "host"
  set  = { TOKEN = "x" }
  pass = ["TOKEN"] # ERROR: Contradiction

  libraries = ["zlib"] # ERROR: Needs a Nix environment
}

package "python3" { # ERROR: Needs a Nix environment
  with = ["numpy"]
}

source_set { # ERROR: Needs a Nix environment
  of = "packages"
}

packages = ["go"] # ERROR: Needs a Nix environment

source "openssl" { # ERROR: Needs a Nix environment
}
