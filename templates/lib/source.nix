# The source tree of a package: { tree; record; } or { finding; }.
#
# Whether a source is a directory or an archive is seen only by the builder:
# there are directories called x.tar.gz, and archives without an ending. Asking
# here would be import from derivation.
{
  lib,
  entry,
  lookup,
  pkgs,
}:
let
  record = import ./record.nix { inherit lib; };

  # Sources come as derivations, fetched trees with an outPath, paths, strings,
  # and lists of these. A string that refers to nothing in the store is a place
  # on the machine that evaluates, or a URL.
  flatten =
    value:
    if builtins.isList value then
      builtins.concatMap flatten value
    else if builtins.isAttrs value && value ? outPath || builtins.isPath value then
      [ value ]
    else
      lib.optional (builtins.isString value && builtins.hasContext value) value;

  own =
    package:
    let
      src = flatten (package.src or null);
    in
    if src != [ ] then src else flatten (package.srcs or null);

  # Wrappers have no source of their own and lead to what they wrap.
  wrapped = [
    "unwrapped"
    "cc"
    "bintools"
  ];
  candidates =
    package:
    [
      {
        inherit package;
        via = null;
      }
    ]
    ++ builtins.concatMap (
      via:
      lib.optional (builtins.isAttrs (package.${via} or null)) {
        package = package.${via};
        inherit via;
      }
    ) wrapped;
  originOf =
    package: lib.findFirst (candidate: own candidate.package != [ ]) null (candidates package);

  # Decompressors that a stdenv does not bring, where the set has them.
  unpackers = builtins.concatMap (name: lib.optional (pkgs ? ${name}) pkgs.${name}) [
    "lzip"
    "unzip"
    "zstd"
  ];

  tree =
    name: origins:
    pkgs.stdenvNoCC.mkDerivation {
      # internal/nix finds the entry of a failed download by this name.
      name = "agentenv-source-${name}";
      __structuredAttrs = false;
      inherit origins;
      nativeBuildInputs = unpackers;
      buildCommand = builtins.readFile ./unpack.sh;
      preferLocalBuild = true;
      allowSubstitutes = false;
    };

  nothing =
    { id, ... }:
    package:
    let
      why = if package ? buildCommand then ": it is made by a build command" else "";
    in
    {
      finding = {
        inherit id;
        code = "no-source";
        message = "${package.name} has no source of its own${why}";
      };
    };
in
source:
entry.within source.id (
  let
    found = lookup {
      inherit (source) id input path;
      output = "";
    };
    origin = originOf found.value;
    values = own origin.package;
    origins = map (value: "${value}") values;
  in
  if found ? finding then
    found
  else if origin == null then
    nothing source found.value
  else
    builtins.deepSeq origins {
      tree = tree source.name origins;
      record = record source origin (builtins.head values);
    }
)
