# The derivation of a source tree.
#
# Whether a source is a directory or an archive is seen only by the builder:
# there are directories called x.tar.gz, and archives without an ending. Asking
# here would be import from derivation.
{
  lib,
  pkgs,
}:
let
  have = names: builtins.concatMap (name: lib.optional (pkgs ? ${name}) pkgs.${name}) names;

  # Decompressors that a stdenv does not bring, where the set has them.
  usual = have [
    "lzip"
    "unzip"
    "zstd"
  ];
  # Only for what is called so: few sources need them.
  rare = lib.optional (pkgs ? _7zz || pkgs ? p7zip) (pkgs._7zz or pkgs.p7zip) ++ have [ "libarchive" ];
  isRare = name: builtins.match ".*[.](7z|rar|rpm|cab|xar|iso|pkg|dmg)" name != null;
  nameOf = value: baseNameOf (builtins.unsafeDiscardStringContext (toString value));
in
{
  # Of the derivation; internal/nix finds the entry of a failed download by it.
  prefix,
  name,
  # As messages name it.
  id,
  values,
  # What cannot be unpacked is an error, not a file in the tree.
  strict,
  # { patches; flags; root; } to apply, or null.
  patched ? null,
}:
let
  origins = map (value: "${value}") values;
in
pkgs.stdenvNoCC.mkDerivation {
  name = "agentenv-${prefix}-${name}";
  __structuredAttrs = false;
  inherit origins;
  id = builtins.toJSON id;
  strict = if strict then "1" else "";
  apply = if patched == null then "" else "1";
  # Called otherwise than what a stdenv acts on.
  differences = if patched == null then [ ] else map (patch: "${patch}") patched.patches;
  differencesFlags = if patched == null then "" else patched.flags;
  differencesRoot = if patched == null then "" else patched.root;
  nativeBuildInputs = usual ++ (if builtins.any (value: isRare (nameOf value)) values then rare else [ ]);
  buildCommand = builtins.readFile ./unpack.sh;
  preferLocalBuild = true;
  allowSubstitutes = false;
}
