workspace "a" {
}

source "openssl" {
}

source "openssl" { # ERROR: Duplicate block
}

network {
}

network { # ERROR: Duplicate block
}

locals {
  a = 1
}

locals { # ERROR: Duplicate block
  b = 2
}
