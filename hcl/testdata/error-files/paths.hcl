workspace "a" {
}

checkout "glob" {
  path   = "~/src/*"
  expose = "all" # ERROR: Unknown value
  except = [
    "~/src/dotfiles",
    "../*-old",
    "~/src/a/b", # ERROR: Exception to nothing
    "~/src", # ERROR: Exception to nothing
    "~/src/**", # ERROR: Invalid path
    "~/src/[a", # ERROR: Invalid path
    "", # ERROR: Invalid path
  ]
}

checkout "deep" {
  path = "~/src/**" # ERROR: Invalid path
}

checkout "brackets" {
  path = "~/src/{a/b,c}" # ERROR: Invalid path
}

checkout "class" {
  path = "~/src/[a" # ERROR: Invalid path
}

checkout "up" {
  path = "~/src/*/../x" # ERROR: Invalid path
}

checkout "stars" {
  path = "~/src/a**" # ERROR: Invalid path
}

checkout "somebody" {
  path = "~*/src" # ERROR: Invalid path
}

checkout "plain" {
  path    = "~/src/plain"
  except  = ["~/src/plain/private"] # ERROR: Exception to nothing
  history = "yes" # ERROR: Wrong type
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
  carry = [
    "node_modules/",
    "a/b",
    "/tmp/x", # ERROR: Invalid path
    "../x", # ERROR: Invalid path
    "a/../../x", # ERROR: Invalid path
    ".", # ERROR: Invalid path
    "./", # ERROR: Invalid path
    "", # ERROR: Invalid path
    "~/x", # ERROR: Invalid path
    ".git/objects", # ERROR: Invalid path
    "node_*", # ERROR: Invalid path
  ]
  protect = [
    "deploy/",
    "/deploy", # ERROR: Invalid path
    "..", # ERROR: Invalid path
    ".git", # ERROR: Invalid path
    "a\nb", # ERROR: Invalid path
  ]
}

filesystem {
  read  = ["/usr/share/dict", "?"] # ERROR: Invalid path
  write = ["~root"] # ERROR: Invalid path
  hide = [
    "**/secrets.yaml",
    "/srv/*/private",
    "~/src/**/fixtures",
    "secrets.yaml", # ERROR: Invalid glob
    "./secrets.yaml", # ERROR: Invalid glob
    "../x", # ERROR: Invalid glob
    "**/../x", # ERROR: Invalid glob
    "**/", # ERROR: Invalid glob
    "/srv/[a", # ERROR: Invalid glob
    "~bob/x", # ERROR: Invalid glob
    "", # ERROR: Invalid glob
  ]
}
