# A web application with Node.js. What an install script does, it does in the sandbox.
workspace "node-web" {
  systems = ["x86_64-linux"] # one system: half to evaluate
}

nixpkgs {
  unfree = ["claude-code"]
}

locals {
  # The same on every machine, so both sides of the spec may use it.
  node = "nodejs_22"
}

packages = [local.node, "pnpm", "typescript", "typescript-language-server", "ripgrep", "claude-code"]

source "node" { package = local.node } # /src/node has the name of the block

environment {
  # esbuild, swc and others come from npm as binaries that Nix did not build; this
  # is where they find a dynamic loader. It is the default.
  loader = true

  set = {
    NODE_ENV         = "development"
    npm_config_cache = "/tmp/npm" # gone with the session
  }
  pass = ["ANTHROPIC_API_KEY"]
}

# The design system that this application uses, to read.
checkout "design" {
  path = "../design-system"
  hide = ["**/*.fig"]
}

project {
  mode = "direct"
  # What decides which code is installed and what CI runs, you change yourself.
  protect = [".github/", ".npmrc", "pnpm-lock.yaml"]
}

agent "claude" {
  program = "claude"
  args    = ["--dangerously-skip-permissions"]
}

# A second agent: agentenv run server.
agent "server" {
  program = "pnpm"
  args    = ["run", "dev"]
}

network {
  allow = ["api.anthropic.com:443", "registry.npmjs.org:443"]
}

filesystem {
  tmp = "4GiB"
}
