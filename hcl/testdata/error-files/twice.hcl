workspace "a" {
}

source "openssl" {
}

source "openssl" { # ERROR: Duplicate block
}

packages = [
  "python3", # ERROR: Duplicate package
  "nixpkgs#ruby", # ERROR: Duplicate package
  "go",
]

package "python3" {
  with = ["numpy"]
}

package "ruby" {
  with = []
}

package "ruby" { # ERROR: Duplicate block
  with = []
}

package "\"ruby\"" { # ERROR: Duplicate package
  with = []
}

source_set {
  of = "packages"
}

source_set {
  of = "runtime"
}

source_set {
  of = "packages" # ERROR: Duplicate block
}

network {
}

network { # ERROR: Duplicate block
}

locals {
  a = 1
}

locals { # ERROR: Duplicate block
  b = 2
}
