# What is allowed in clone mode alone, and what the mode decides.
workspace "clone" {}

project {
  path  = "~/.config/nvim"
  carry = ["node_modules"]
}

git {
  commit = "unsigned"
}
