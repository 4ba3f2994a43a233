workspace "a" {
}

checkout "each" {
  for_each = ["a"] # ERROR: Repetition not supported
  path     = "~/src/a"
}

agent "many" {
  count   = 2 # ERROR: Repetition not supported
  program = "claude"

  dynamic "args" { # ERROR: Repetition not supported
  }
}

dynamic "checkout" { # ERROR: Repetition not supported
}
