# ERROR: Missing workspace block
checkout "a" { # ERROR: Missing attribute
}

agent "b" { # ERROR: Missing attribute
  args = []
}

input "c" { # ERROR: Missing attribute
}
