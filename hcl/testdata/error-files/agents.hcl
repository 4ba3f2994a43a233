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

agent "preset" {
  preset = "claude-code" # ERROR: Attribute not supported
}

agent "typo" {
  preset = "claude" # ERROR: Unknown value
}

agent "package" {
  package = "llm-agents#claude-code" # ERROR: Attribute not supported
}

agent "packages" {
  package = "a b" # ERROR: Invalid package
}

agent "command" { # ERROR: Missing attribute
  command = ["claude"] # ERROR: Attribute not supported
}

agent "nothing" { # ERROR: Missing attribute
}

agent "two words" { # ERROR: Invalid name
  program = "x"
}
