workspace "a" {
}

checkout "glob" {
  path = "~/src/*" # ERROR: Invalid path
}

checkout "empty" {
  path = "" # ERROR: Invalid path
}

checkout "line" {
  path = "a\nb" # ERROR: Invalid path
}

checkout "other" {
  path = "~bob/src" # ERROR: Invalid path
}

checkout "variable" {
  path = "$HOME/src" # ERROR: Invalid path
}

checkout "hides" {
  path = "~/src/a"
  hide = [
    "/etc", # ERROR: Invalid glob
    "../b", # ERROR: Invalid glob
    "a/[", # ERROR: Invalid glob
    "", # ERROR: Invalid glob
    "a/{b", # ERROR: Invalid glob
    "~/x", # ERROR: Invalid glob
    "**/fine/**",
  ]
}

project {
  path = "{a,b}" # ERROR: Invalid path
  mode = "copy" # ERROR: Unknown value
}

filesystem {
  read  = ["/usr/share/dict", "?"] # ERROR: Invalid path
  write = ["~root"] # ERROR: Invalid path
}
