# The outputs of one workspace on one system.
{
  agentenv,
  inputs,
  system,
  pkgs,
  digest,
  spec,
}:
let
  inherit (spec.nixpkgs) unfree;

  # As lib.getName, which is in the set that this is needed for.
  nameOf = package: package.pname or (builtins.parseDrvName package.name).name;

  # An import of nixpkgs costs memory and time, and only a set of our own can be
  # configured: legacyPackages is taken whenever nothing unfree is named.
  packageSet =
    if pkgs != null then
      pkgs system
    else if unfree == [ ] then
      inputs.nixpkgs.legacyPackages.${system}
    else
      import inputs.nixpkgs {
        inherit system;
        config.allowUnfreePredicate = package: builtins.elem (nameOf package) unfree;
      };

  inherit (packageSet) lib;
  entry = import ./entry.nix;
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
      ;
    pkgs = packageSet;
  };
  sources = import ./sources.nix {
    inherit
      lib
      entry
      lookup
      inputs
      ;
    pkgs = packageSet;
    inherit (spec) sources;
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
  devShells.default = packageSet.stdenvNoCC.mkDerivation {
    name = "agentenv-shell";
    nativeBuildInputs = environment.packages;
    buildCommand = "mkdir $out";
    preferLocalBuild = true;
  };
  checks.workspace = manifest;
}
