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

source "b" {
  package = "a b" # ERROR: Invalid package
}

source "c" {
  package = "go"
  input   = "nixpkgs" # ERROR: Contradiction
}
