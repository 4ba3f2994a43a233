workspace "a" {
}

environment {
  from = "debian" # ERROR: Unknown value
  set = {
    PATH         = "/bin" # ERROR: Variable not yours to set
    HOME         = "/" # ERROR: Variable not yours to set
    LD_PRELOAD   = "x.so" # ERROR: Variable not yours to set
    LD_AUDIT     = "x.so" # ERROR: Variable not yours to set
    https_proxy  = "x" # ERROR: Variable not yours to set
    AGENTENV_SRC = "x" # ERROR: Variable not yours to set
    "A=B"        = "x" # ERROR: Invalid variable name
    "1A"         = "x" # ERROR: Invalid variable name
    ""           = "x" # ERROR: Invalid variable name
    PATHS        = "fine"
    LDFLAGS      = "fine"
  }
  pass = [
    "SSH_AUTH_SOCK", # ERROR: Variable not yours to set
    "DBUS_SESSION_BUS_ADDRESS", # ERROR: Variable not yours to set
    "GITHUB_TOKEN",
    "A-B", # ERROR: Invalid variable name
    "$HOME", # ERROR: Invalid variable name
    "*", # ERROR: Invalid variable name
  ]
}
