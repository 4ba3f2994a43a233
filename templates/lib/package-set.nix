# The package set of a workspace: the flake's nixpkgs, configured as the spec
# says. { pkgs; findings; }: where an overlay is not to be had, pkgs is the set
# without overlays, and findings say what is wrong.
{
  inputs,
  system,
  entry,
  # A set that the human's flake configured itself, or null.
  given,
  spec,
}:
let
  inherit (spec) overlays insecure unfree;

  # As lib.getName, which is in the set that this is needed for.
  nameOf = package: package.pname or (builtins.parseDrvName package.name).name;

  plain = if given != null then given else inputs.nixpkgs.legacyPackages.${system};

  # A predicate leaves the rest of Nixpkgs' rules as they are; allowUnfree would
  # let everything in.
  config = {
    permittedInsecurePackages = insecure;
  }
  // (
    if unfree == [ ] then
      { }
    else
      { allowUnfreePredicate = package: builtins.elem (nameOf package) unfree; }
  );

  walk =
    path: set:
    builtins.foldl' (
      value: name: if builtins.isAttrs value then value.${name} or null else null
    ) set path;

  # INPUT is its overlays.default; INPUT#x is its overlays.x or, as older flakes
  # have it, its x.
  find =
    { id, input, path }:
    let
      flake = inputs.${input};
      places =
        if path == [ ] then
          [
            [
              "overlays"
              "default"
            ]
            [ "overlay" ]
          ]
        else
          [
            ([ "overlays" ] ++ path)
            path
          ];
      found = builtins.filter (value: value != null) (map (place: walk place flake) places);
      near = import ./near.nix { inherit (plain) lib; };
      names = builtins.attrNames (flake.overlays or { });
      wanted = if path == [ ] then "default" else builtins.concatStringsSep "." path;
      hint =
        if near wanted names != [ ] then
          "; near: ${builtins.concatStringsSep ", " (near wanted names)}"
        else if names != [ ] then
          "; it has: ${builtins.concatStringsSep ", " names}"
        else
          "";
      finding = code: message: { finding = { inherit id code message; }; };
    in
    if !(inputs ? ${input}) then
      finding "missing" "the flake has no input ${builtins.toJSON input}"
    else if found == [ ] then
      finding "missing" "${input} has no overlay ${builtins.toJSON wanted}${hint}"
    else if !(builtins.isFunction (builtins.head found)) then
      finding "not-an-overlay" "${input} has a ${builtins.typeOf (builtins.head found)} at ${builtins.toJSON wanted}, not an overlay"
    else
      {
        value =
          final: prev:
          builtins.addErrorContext "agentenv: within overlay ${builtins.toJSON id}" (
            builtins.head found final prev
          );
      };

  resolved = map (overlay: entry.within overlay.id (find overlay)) overlays;
  findings = builtins.concatMap (r: if r ? finding then [ r.finding ] else [ ]) resolved;
  values = map (r: r.value) resolved;

  # An import of nixpkgs costs memory and time, and only a set of our own can be
  # configured: legacyPackages is taken whenever nothing asks for more.
  pkgs =
    if findings != [ ] || (overlays == [ ] && (given != null || insecure == [ ] && unfree == [ ])) then
      plain
    else if given != null then
      builtins.foldl' (set: overlay: set.extend overlay) given values
    else
      import inputs.nixpkgs {
        inherit system config;
        overlays = values;
      };
in
{
  inherit findings pkgs;
}
