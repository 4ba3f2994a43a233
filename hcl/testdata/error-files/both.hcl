workspace "a" {
}

environment {
  from = "host"
  set  = { TOKEN = "x" }
  pass = ["TOKEN"] # ERROR: Contradiction
}

packages = ["go"] # ERROR: Needs a Nix environment

source "openssl" { # ERROR: Needs a Nix environment
}
