workspace { # ERROR: Missing NAME for workspace
}

project "x" { # ERROR: Extraneous label for project
}
