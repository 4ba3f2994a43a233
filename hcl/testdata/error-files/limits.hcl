workspace "a" {
}

limits {
  memory     = "8GB" # ERROR: Invalid size
  processes  = 15 # ERROR: Out of range
  open_files = "65536" # ERROR: Wrong type
}

filesystem {
  tmp = 2147483648 # ERROR: Invalid size
}

sandbox {
  isolation = "none" # ERROR: Unknown value
}

git {
  commit = "signed" # ERROR: Unknown value
}
