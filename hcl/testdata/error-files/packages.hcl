workspace "a" {
}

packages = [
  "go..x", # ERROR: Invalid package
  "go.", # ERROR: Invalid package
  "", # ERROR: Invalid package
  "openssl^dev", # ERROR: Invalid package
  "openssl^*", # ERROR: Invalid package
  "github:o/r#x", # ERROR: Invalid package
  "nixpkgs/unstable#x", # ERROR: Invalid package
  "#go", # ERROR: Invalid package
  "node.\"@a/b", # ERROR: Invalid package
  "node.\"\"", # ERROR: Invalid package
  "node.\"a\"b", # ERROR: Invalid package
  "node.@a/b", # ERROR: Invalid package
  "go lang", # ERROR: Invalid package
  "./local", # ERROR: Invalid package
]

package "go..x" { # ERROR: Invalid package
  with = []
}

package "python3" {
  with = [
    "numpy",
    "a.b", # ERROR: Invalid package
    "", # ERROR: Invalid package
    "a b", # ERROR: Invalid package
  ]
}

package "ruby" { # ERROR: Missing attribute
}

nixpkgs {
  insecure = [
    "openssl-1.1.1w",
    "foo-unstable-2024-01-01",
    "openssl", # ERROR: Missing version
    "claude-code", # ERROR: Missing version
    "-1.0", # ERROR: Missing version
    "a b-1", # ERROR: Invalid package name
    "", # ERROR: Invalid package name
  ]
  overlays = [
    "github:o/r", # ERROR: Invalid overlay
    "nixpkgs", # ERROR: Invalid overlay
    "Tools", # ERROR: Invalid overlay
    "tools#", # ERROR: Invalid overlay
    "tools#a..b", # ERROR: Invalid overlay
    "#a", # ERROR: Invalid overlay
  ]
}

environment {
  libraries = [
    "openssl^dev", # ERROR: Invalid package
  ]
  store = "some" # ERROR: Unknown value
}

source_set {
  of = "all" # ERROR: Unknown value
}

source_set { # ERROR: Missing attribute
}

source "attribute" {
  attribute = "goModules."  # ERROR: Invalid attribute path
}

source "tree" {
  input   = "nixpkgs"
  patched = true # ERROR: Contradiction
}

source "tree-attribute" {
  input     = "nixpkgs"
  attribute = "src" # ERROR: Contradiction
}

source "both" {
  attribute = "goModules"
  patched   = true # ERROR: Contradiction
}

source "b" {
  package = "a b" # ERROR: Invalid package
}

source "c" {
  package = "go"
  input   = "nixpkgs" # ERROR: Contradiction
}
