{
  description = "A Nix environment for a coding agent, and a sandbox around it";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-26.05";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      perSystem = perSystemWith "buildGoModule";
      # Package sets differ: what needs an attribute that one lacks is left out.
      perSystemWith =
        attribute: f:
        builtins.listToAttrs (
          map (system: {
            name = system;
            value = f nixpkgs.legacyPackages.${system};
          }) (builtins.filter (system: nixpkgs.legacyPackages.${system} ? ${attribute}) systems)
        );

      # The Go sources and what they embed. Tests are left out, so that changing
      # one rebuilds nothing and their modules are not vendored.
      source = builtins.path {
        path = ./.;
        name = "agentenv-source";
        filter =
          path: type:
          let
            name = baseNameOf path;
            relative = builtins.substring (builtins.stringLength (toString ./.) + 1) (-1) path;
            matches = pattern: text: builtins.match pattern text != null;
          in
          if type == "directory" then
            !(builtins.elem relative [
              "docs"
              "examples"
              "scripts"
              "testdata"
            ])
            && !(matches "[.].*" name)
          else
            matches "templates/.*|go[.](mod|sum)" relative
            || matches ".*[.]go" name && !(matches ".*_test[.]go" name);
      };

      # The Go that go.mod asks for: the set's own, or one that it has besides.
      goWanted = builtins.head (
        builtins.concatMap (
          line:
          let
            version = if builtins.isString line then builtins.match "go ([0-9.]+)" line else null;
          in
          if version == null then [ ] else version
        ) (builtins.split "\n" (builtins.readFile ./go.mod))
      );
      builderOf =
        pkgs:
        let
          parts = builtins.splitVersion goWanted;
          named = "buildGo${builtins.elemAt parts 0}${builtins.elemAt parts 1}Module";
        in
        if builtins.compareVersions pkgs.go.version goWanted >= 0 then
          pkgs.buildGoModule
        else
          pkgs.${named} or (throw ''
            agentenv needs Go ${goWanted} or newer, and this Nixpkgs has Go ${pkgs.go.version}: take a newer nixpkgs.url
          '');

      package =
        pkgs:
        builderOf pkgs {
          pname = "agentenv";
          version = "0.1.0";
          src = source;
          subPackages = [ "cmd/agentenv" ];
          vendorHash = "sha256-pzIBvg1GhPTZrptwywYoZ52edbOVRiEj7EFil/MB8CE=";
          env.CGO_ENABLED = 0;
          ldflags = [
            "-s"
            "-w"
          ];
          # They need user namespaces and a Nix of their own; CI runs them.
          doCheck = false;
          meta = {
            description = "Starts a coding agent in a Nix environment and a sandbox";
            homepage = "https://github.com/agentenv/agentenv";
            mainProgram = "agentenv";
            platforms = systems;
          };
        };
    in
    {
      # mkWorkspace, which every generated flake calls.
      lib = import ./templates/lib { agentenv = self; };

      overlays.default = final: _prev: { agentenv = package final; };

      packages = perSystem (pkgs: rec {
        agentenv = package pkgs;
        default = agentenv;
      });

      apps = perSystem (pkgs: rec {
        agentenv = {
          type = "app";
          program = "${package pkgs}/bin/agentenv";
        };
        default = agentenv;
      });

      devShells = perSystemWith "mkShell" (pkgs: {
        default = pkgs.mkShell {
          packages = [
            pkgs.go
            pkgs.gopls
          ];
        };
      });

      templates.default = {
        path = ./templates/init;
        description = "A workspace spec to start from";
        welcomeText = ''
          # agentenv
          Look at `workspace.hcl`, then have the flake made and start the agent:

              nix run github:agentenv/agentenv -- gen
              nix run .#agent
        '';
      };

      # That the launcher builds, and that the library makes an environment of
      # this package set.
      checks = perSystem (
        pkgs:
        let
          inherit (pkgs.stdenvNoCC.hostPlatform) system;
          workspace = self.lib.mkWorkspace {
            inputs = {
              inherit nixpkgs;
              agentenv = self;
            };
            spec = {
              schema = 1;
              digest = "sha256:${builtins.hashString "sha256" ""}";
              nix = {
                name = "check";
                systems = [ system ];
                nixpkgs = {
                  insecure = [ ];
                  overlays = [ ];
                  unfree = [ ];
                };
                packages = [ ];
                libraries = [ ];
                sources = [ ];
                source_sets = [ ];
                agents = [ ];
                base = true;
                loader = true;
              };
            };
          };
        in
        {
          agentenv = package pkgs;
          environment = workspace.packages.${system}.manifest;
        }
      );

      formatter = perSystemWith "nixfmt-tree" (pkgs: pkgs.nixfmt-tree);
    };
}
