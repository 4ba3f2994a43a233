workspace "a" {
  systems  = "x86_64-linux" # ERROR: Wrong type
  agentenv = ["github:agentenv/agentenv"] # ERROR: Wrong type
}

packages = { go = true } # ERROR: Wrong type

input "b" {
  url     = "github:o/r"
  flake   = "no" # ERROR: Wrong type
  follows = ["nixpkgs"] # ERROR: Wrong type
}

environment {
  base = 1 # ERROR: Wrong type
  set = {
    GO_VERSION = 1.20 # ERROR: Wrong type
    DEBUG      = true # ERROR: Wrong type
    LIST       = [] # ERROR: Wrong type
    A          = "a"
    A          = "b" # ERROR: Duplicate key
  }
  pass = ["A_B", null] # ERROR: Wrong type
}

agent "c" {
  program = "c"
  args    = ["--depth", 3] # ERROR: Wrong type
}
