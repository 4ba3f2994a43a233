# The library behind every generated flake.
#
# agentenv is the flake that has the launcher: `import ./lib { agentenv = self; }`.
{ agentenv }:
{
  # mkWorkspace turns agentenv.json and the inputs of a flake into the flake's
  # outputs. Every system is evaluated alone, so that a package which one of
  # them lacks does not break another.
  #
  # pkgs replaces the package set of inputs.nixpkgs: a function from a system to
  # a set, for flakes that configure theirs.
  mkWorkspace =
    {
      inputs,
      spec,
      pkgs ? null,
    }:
    let
      document = builtins.fromJSON (builtins.readFile spec);
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
          };
        }) document.nix.systems
      );
      output = name: builtins.mapAttrs (_: workspace: workspace.${name}) workspaces;
    in
    {
      packages = output "packages";
      apps = output "apps";
      devShells = output "devShells";
      checks = output "checks";
    };
}
