workspace "Billing" { # ERROR: Invalid name
  systms = ["x86_64-linux"] # ERROR: Unknown attribute
  systems = ["x86_64-darwin"] # ERROR: Unknown system
  out = "../elsewhere" # ERROR: Invalid path
}

nixpkg { # ERROR: Unknown block
}

nixpkgs {
  overlay = [] # ERROR: Unknown attribute
  unfree   = ["claude code"] # ERROR: Invalid package name

  extra { # ERROR: Unknown block
  }
}

paths = [] # ERROR: Unknown attribute

project = "." # ERROR: Block written as attribute

packages { # ERROR: Attribute written as block
}

checkout "a" {
  path = "~/a"

  hide { # ERROR: Attribute written as block
  }
}

limits {
  open_file = 1024 # ERROR: Unknown attribute
}

sources { # ERROR: Unknown block
  of = "packages"
}

variable "branch" {
  type = strings # ERROR: Unknown type
}

preset "mine" { # ERROR: Block not supported
}

remove {
  packages = ["x"] # ERROR: Nothing to remove
}

forbid { # ERROR: Block not allowed here
}
