# The outputs of one workspace on one system.
{
  agentenv,
  inputs,
  system,
  pkgs,
  digest,
  spec,
  found,
}:
let
  entry = import ./entry.nix;
  configured = import ./package-set.nix {
    inherit inputs system entry;
    given = if builtins.isFunction pkgs then pkgs system else pkgs;
    spec = spec.nixpkgs;
  };
  packageSet = configured.pkgs;
  inherit (packageSet) lib;
  lookup = import ./lookup.nix {
    inherit
      lib
      entry
      inputs
      system
      ;
    pkgs = packageSet;
  };
  environment = import ./environment.nix {
    inherit
      lib
      entry
      lookup
      spec
      found
      ;
    pkgs = packageSet;
  };
  sources = import ./sources.nix {
    inherit
      lib
      entry
      lookup
      inputs
      spec
      found
      ;
    pkgs = packageSet;
  };
  manifest = import ./manifest.nix {
    inherit
      lib
      entry
      digest
      environment
      sources
      spec
      system
      ;
    pkgs = packageSet;
    packageSetFindings = configured.findings;
  };
in
{
  packages = {
    inherit manifest;
    sources = sources.tree;
    default = environment.tree;
    env = environment.tree;
  };
  apps = import ./apps.nix {
    inherit manifest;
    inherit (spec) agents;
    pkgs = packageSet;
    launcher = agentenv.packages.${system}.default;
  };
  devShells.default = packageSet.stdenvNoCC.mkDerivation (
    environment.libraries.vars
    // {
      name = "agentenv-shell";
      nativeBuildInputs = environment.packages;
      buildCommand = "mkdir $out";
      preferLocalBuild = true;
    }
  );
  checks.workspace = manifest;
}
