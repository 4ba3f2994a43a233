workspace "a" {
}

checkout "root" {
  path = "/" # ERROR: Path not grantable
}

checkout "home" {
  path = "~" # ERROR: Path not grantable
}

checkout "homes" {
  path = "/home" # ERROR: Path not grantable
}

checkout "up" {
  path = "../../../.." # ERROR: Path not grantable
}

checkout "homes-glob" {
  path = "/home/*" # ERROR: Path not grantable
}

checkout "top" {
  path = "/*" # ERROR: Path not grantable
}

checkout "store" {
  path = "/nix/store/*-src" # ERROR: Path not grantable
}

project {
  path = "/nix/store/x" # ERROR: Path not grantable
}

filesystem {
  read = [
    "/proc/self", # ERROR: Path not grantable
    "/sys", # ERROR: Path not grantable
    "/dev/null", # ERROR: Path not grantable
    "/nix", # ERROR: Path not grantable
    "/run/user/1000", # ERROR: Path not grantable
    "/run/media", # ERROR: Path not grantable
    "/run/media/u/disk/src",
    "/var/run/docker.sock", # ERROR: Path not grantable
    "/tmp", # ERROR: Path not grantable
    "/tmp/.X11-unix/X0", # ERROR: Path not grantable
    "/tmp/scratch",
    "/var", # ERROR: Path not grantable
    "/usr/share/dict",
  ]
  write = [
    "/proc", # ERROR: Path not grantable
    ".", # ERROR: Rules in reach
    "..", # ERROR: Rules in reach
    ".git/hooks", # ERROR: Rules in reach
    "./cache",
  ]
}
