# What a repository with Go has, at this company.
include "hosts" {
  path = "hcl/hosts.hcl" # of this repository
}

variable "go" {
  default     = "1_26"
  description = "The version of Go, as in the names of the package set."
}

nixpkgs {
  unfree = ["claude-code"]
}

packages = ["go_${var.go}", "gopls", "golangci-lint", "claude-code"]

source "go" {
  package = "go_${var.go}"
}

agent "claude" {
  program = "claude"
  args    = ["--permission-mode", "plan"]
}

environment {
  set  = { GOPROXY = "https://${local.proxy}" }
  pass = ["ANTHROPIC_API_KEY"]
}

locals {
  proxy = "goproxy.example.org"
}
