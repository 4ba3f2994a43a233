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
      written = if builtins.isAttrs spec then spec else builtins.fromJSON (builtins.readFile spec);
      # The form that this library reads; see schema in nixgen/document.go.
      schema = 1;
      document =
        if written.schema or 0 == schema then
          written
        else
          throw ''
            agentenv: agentenv.json has form ${toString (written.schema or 0)}, and the agentenv of this flake reads form ${toString schema}.
            Write it with the release that the spec names in workspace.agentenv (agentenv gen), or take that release into the lock (agentenv update agentenv).'';
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
