# ~/.config/agentenv/user.hcl of a colleague: for every workspace.
checkout "notes" {
  path = "~/notes"
}

environment {
  set = { PAGER = "less" }
}

# However a spec is written:
forbid {
  read = ["~/clients"]
}

force {
  limits {
    processes = 512
  }
}
