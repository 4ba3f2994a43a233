# Numerical work in Python: one interpreter with its packages, and the sources of what
# is compiled in them.
workspace "python-numpy" {}

# A package that others are put into: python3 with these finds them, as a virtual
# environment would. It must not be in packages too.
package "python3" {
  with = ["ipython", "matplotlib", "numpy", "pandas", "pytest"]
}

packages = ["ruff", "ripgrep", "codex"]

# The names of all packages in the interpreter's set stand below python3Packages.
source "numpy" { package = "python3Packages.numpy" }
source "pandas" { package = "python3Packages.pandas" }

# The standard library and the C code of the interpreter.
source "cpython" { package = "python3" }

# And what is behind the environment's own packages, whatever it is.
source_set { of = "packages" }

environment {
  set = {
    MPLBACKEND           = "Agg" # no display
    OPENBLAS_NUM_THREADS = "4"
    PYTHONUNBUFFERED     = "1"
  }
  pass = ["OPENAI_API_KEY"]
}

filesystem {
  read  = ["~/data/measurements"]  # files, not source: no checkout
  write = ["~/data/results/agent"] # a directory that is for the agent alone
  hide  = ["**/*.private.csv"]     # in every tree that is shown
}

project {
  mode = "direct"
}

agent "codex" {
  program = "codex"
  args    = ["--dangerously-bypass-approvals-and-sandbox"] # this sandbox is around it
}

network {
  allow = ["api.openai.com:443"]
}
