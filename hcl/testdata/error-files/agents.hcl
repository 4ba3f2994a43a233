workspace "a" {
}

agent "relative" {
  program = "./bin/claude" # ERROR: Invalid program
}

agent "dash" {
  program = "-x" # ERROR: Invalid program
}

agent "dots" {
  program = "/bin/../x" # ERROR: Invalid program
}

agent "empty" {
  program = "" # ERROR: Invalid program
}

agent "preset" { # ERROR: Missing attribute
  preset = "claude-code" # ERROR: Attribute not supported
}

agent "two words" { # ERROR: Invalid name
  program = "x"
}
