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

project {
  path = "~/.local/share/keyrings/x" # ERROR: Secret in reach
}

filesystem {
  read  = ["~/.netrc", "/etc/shadow", "/etc"] # ERROR: Secret in reach # ERROR: Secret in reach # ERROR: Secret in reach
  write = ["~/.claude", "~/.config/agentenv", "~/.cache"] # ERROR: Secret in reach # ERROR: Secret in reach # ERROR: Secret in reach
}
