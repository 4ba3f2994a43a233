workspace "a" {
}

project {
  path = "~/.config/nvim" # ERROR: Runs outside
  mode = "direct"
}

filesystem {
  read = ["~/.bashrc", "~/bin", "/etc/cron.d"]
  write = [
    "~/.bashrc", # ERROR: Runs outside
    "~/.profile", # ERROR: Runs outside
    "~/.config/systemd/user", # ERROR: Runs outside
    "~/.config/autostart/x.desktop", # ERROR: Runs outside
    "~/bin", # ERROR: Runs outside
    "~/.local/bin/tool", # ERROR: Runs outside
    "~/.local/share/applications", # ERROR: Runs outside
    "~/.gitconfig", # ERROR: Runs outside
    "~/.config/git", # ERROR: Secret in reach
    "~/.config/git/hooks", # ERROR: Runs outside
    "~/.cargo/bin", # ERROR: Runs outside
    "~/.vim/plugin", # ERROR: Runs outside
    "~/go/pkg/mod", # ERROR: Runs outside
    "~/go", # ERROR: Runs outside
    "~/.ssh/authorized_keys", # ERROR: Secret in reach
    "~/.config/direnv", # ERROR: Secret in reach
    "/etc/cron.d", # ERROR: Runs outside
    "/var/spool/cron/u", # ERROR: Secret in reach
    "/usr/local/bin", # ERROR: Runs outside
    "~/.cache/shared-build",
    "~/results",
  ]
}
