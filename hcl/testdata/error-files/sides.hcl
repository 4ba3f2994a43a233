workspace "a" {
  out = "nix-${home}" # ERROR: Not on the environment side
}

locals {
  src     = "${home}/src"
  here    = workspace.dir
  name    = "x-${workspace.name}"
  derived = "${local.src}/derived"
  ring    = local.ring2
  ring2   = "${local.ring}" # ERROR: Cycle of locals
  missing = local.absent # ERROR: Unknown name
  broken  = upper() # ERROR: Not enough function arguments
  count   = 1 # ERROR: Repetition not supported
}

packages = [
  local.name,
  local.src, # ERROR: Not on the environment side
  local.derived, # ERROR: Not on the environment side
  local.here, # ERROR: Not on the environment side
  local.nam, # ERROR: Unknown name
  local.broken,
  workspace.dir, # ERROR: Not on the environment side
  workspace.version, # ERROR: Unknown name
  var.branch, # ERROR: Unknown name
  path.module, # ERROR: Unknown name
  locals.name, # ERROR: Unknown name
  file("x"), # ERROR: Call to unknown function
  join(",", local), # ERROR: Unknown name
]

checkout "b" {
  path = local.derived
}
