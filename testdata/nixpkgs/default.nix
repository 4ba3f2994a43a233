# The same arguments as Nixpkgs takes. host.json, which says where the programs
# of this machine lie, is written beside this file by internal/fixture; without
# it the set can be looked at but nothing of it can be built.
{
  system,
  config ? { },
  overlays ? [ ],
}:
let
  lib = import ./lib.nix;
  host =
    if builtins.pathExists ./host.json then
      builtins.fromJSON (builtins.readFile ./host.json)
    else
      throw "this package set needs host.json, which internal/fixture writes";

  call = file: import file { inherit pkgs lib host config system; };
  base = {
    inherit config lib system;
  }
  // call ./stdenv.nix
  // call ./base.nix
  // call ./tools.nix
  // call ./compiler.nix
  // call ./examples.nix
  // call ./edge.nix;

  pkgs = builtins.foldl' (prev: overlay: prev // overlay pkgs prev) base overlays // {
    extend =
      overlay:
      import ./. {
        inherit system config;
        overlays = overlays ++ [ overlay ];
      };
  };
in
pkgs
