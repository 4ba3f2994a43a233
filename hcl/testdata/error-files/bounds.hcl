workspace "a" {
}

limits {
  memory     = "1KiB" # ERROR: Out of range
  processes  = 4194305 # ERROR: Out of range
  open_files = 63 # ERROR: Out of range
}

filesystem {
  tmp = "2TiB" # ERROR: Out of range
}

project {
  mode = "direct"
}

git {
  commit = "unsigned" # ERROR: Contradiction
}
