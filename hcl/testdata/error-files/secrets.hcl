workspace "a" {
}

checkout "ssh" {
  path = "~/.ssh" # ERROR: Secret in reach
}

checkout "inside" {
  path = "~/.aws/sso/cache" # ERROR: Secret in reach
}

checkout "config" {
  path = "~/.config" # ERROR: Secret in reach
}

checkout "spelled" {
  path = "~/src/../.gnupg/" # ERROR: Secret in reach
}

checkout "hidden" {
  path = "~/.cargo"
  hide = ["credentials", "credentials.toml"]
}

checkout "half" {
  path = "~/.cargo" # ERROR: Secret in reach
  hide = ["credentials.toml"]
}

checkout "everywhere" {
  path = "~/*" # ERROR: Secret in reach
}

checkout "excepted" {
  path   = "~/M*"
  except = ["~/Maildir"]
}

checkout "dots" {
  path = "~/.c*" # ERROR: Secret in reach
}

checkout "keys" {
  path = "~/.ssh/*" # ERROR: Secret in reach
}

checkout "around" {
  path = "~/.s*/keys" # ERROR: Secret in reach
}

checkout "caches" {
  path = "~/.carg?"
  hide = ["credentials", "credentials.toml"]
}

checkout "src" {
  path = "~/src/*"
}

project {
  path = "~/.local/share/keyrings/x" # ERROR: Secret in reach
}

filesystem {
  read  = ["~/.netrc", "/etc/shadow", "/etc"] # ERROR: Secret in reach # ERROR: Secret in reach # ERROR: Secret in reach
  write = ["~/.claude", "~/.config/agentenv", "~/.cache"] # ERROR: Secret in reach # ERROR: Secret in reach # ERROR: Secret in reach
}
