{
  description = "A package set for tests: the programs of a Debian host, made independent of it";

  outputs =
    { self }:
    let
      set = system: {
        name = system;
        value = import ./. { inherit system; };
      };
    in
    {
      lib = import ./lib.nix;
      legacyPackages = builtins.listToAttrs (
        map set [
          "x86_64-linux"
          "aarch64-linux"
        ]
      );
    };
}
