# The environment: the packages of the spec and the base as one tree with bin/.
{
  lib,
  entry,
  lookup,
  pkgs,
  spec,
  # What building found out: without has the ids of what is not to be had.
  found,
}:
let
  # What `nix build` would install of a package. An output that was chosen, as
  # in openssl.dev, is itself a derivation and stands for itself.
  installed =
    package:
    let
      names = package.meta.outputsToInstall or [ ];
      outputs = builtins.filter (output: package ? ${output}) names;
    in
    if package.outputSpecified or false || outputs == [ ] then
      [ package ]
    else
      map (output: package.${output}) outputs;

  # Unfree, broken and insecure packages throw when their path is asked for, so
  # it is asked for where the entry is named.
  checked =
    id: package:
    let
      outputs = installed package;
    in
    entry.within id (builtins.deepSeq (map (output: output.outPath) outputs) outputs);

  wanted = map (wanted: { inherit (wanted) id; } // lookup wanted) spec.packages;
  findings = builtins.concatMap (f: lib.optional (f ? finding) f.finding) wanted;
  packages =
    if findings != [ ] then
      entry.fail findings
    else
      builtins.concatMap (f: checked f.id f.value) wanted;

  # An item that the set has and refuses counts as one that it does not have. What
  # tryEval does not catch names the item, which is left out the next time.
  usable =
    name:
    let
      works = lib.isDerivation pkgs.${name} && pkgs.${name}.outPath != "";
    in
    pkgs ? ${name} && (builtins.tryEval works).value;
  choose =
    item:
    let
      id = "environment.base:${item.item}";
      name =
        if builtins.elem id found.without then
          null
        else
          entry.within id (lib.findFirst usable null item.names);
    in
    item // { package = if name == null then null else pkgs.${name}; };
  items = if spec.base then map choose (import ./base.nix) else [ ];
  present = builtins.filter (item: item.package != null) items;

  # The number is a Nixpkgs priority: the lower one wins, 5 is usual, 10 is
  # lowPrio. Packages keep theirs, so that the base loses against all of them.
  withPriority =
    priority: package: package // { meta = (package.meta or { }) // { inherit priority; }; };
  ranked = lib.imap0 (rank: item: map (withPriority (1000 + rank)) (installed item.package));

  base =
    if spec.base then
      entry.within "environment.base" (
        pkgs.buildEnv {
          name = "agentenv-base";
          paths = builtins.concatLists (ranked present);
          ignoreCollisions = true;
        }
      )
    else
      null;

  libraries = import ./libraries.nix {
    inherit
      lib
      entry
      lookup
      pkgs
      spec
      ;
  };
in
{
  inherit packages base libraries;
  findings = findings ++ libraries.findings;

  # Two packages with the same file at the same priority are common and rarely
  # matter; as in NixOS's system path the first one gives it.
  tree = pkgs.buildEnv {
    name = "agentenv-environment";
    paths = packages ++ lib.optional (base != null) (withPriority 2000 base);
    ignoreCollisions = true;
  };

  # The package of a base item, null where there is none.
  item =
    name:
    let
      match = builtins.filter (item: item.item == name) present;
    in
    if match == [ ] then null else (builtins.head match).package;

  missing = map (item: item.item) (builtins.filter (item: item.package == null) items);

  vars = builtins.foldl' (
    vars: item: vars // builtins.mapAttrs (_: file: "${item.package}/${file}") item.vars
  ) libraries.vars present;
}
