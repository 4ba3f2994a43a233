# The library behind every generated flake.
#
# agentenv is the flake that has the launcher: `import ./lib { agentenv = self; }`.
{ agentenv }:
{
  # mkWorkspace turns agentenv.json and the inputs of a flake into the flake's
  # outputs. Every system is evaluated alone, so that a package which one of
  # them lacks does not break another.
  #
  # spec is the path of agentenv.json, or what is in it.
  #
  # pkgs replaces the package set of inputs.nixpkgs, for flakes that configure
  # theirs: a function from a system to a set, or a set, which is of one system
  # and gives outputs for that one only.
  mkWorkspace =
    {
      inputs,
      spec,
      pkgs ? null,
    }:
    let
      document = if builtins.isAttrs spec then spec else builtins.fromJSON (builtins.readFile spec);
      workspaces = builtins.listToAttrs (
        map (system: {
          name = system;
          value = import ./workspace.nix {
            inherit
              agentenv
              inputs
              system
              pkgs
              ;
            inherit (document) digest;
            spec = document.nix;
            found =
              document.found or {
                without = [ ];
                trees = [ ];
              };
          };
        }) systems
      );
      # Of a set: the system that its packages run on.
      only = pkgs.stdenvNoCC.hostPlatform.system;
      systems =
        if pkgs == null || builtins.isFunction pkgs then
          document.nix.systems
        else
          builtins.filter (system: system == only) document.nix.systems;
      output = name: builtins.mapAttrs (_: workspace: workspace.${name}) workspaces;
    in
    {
      packages = output "packages";
      apps = output "apps";
      devShells = output "devShells";
      checks = output "checks";
    };
}
