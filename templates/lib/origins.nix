# What a package is built from: { values; package; via; } with the sources as Nix
# values, or { code; message; }. No value is built, and no more is evaluated than
# the attributes that lead to a source.
{ lib }:
let
  near = import ./near.nix { inherit lib; };

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

  # Wrappers have no source of their own and lead to what they wrap, which may be
  # a wrapper again: a compiler for the libc, that for its language.
  wrapped = [
    "unwrapped"
    "cc"
    "bintools"
    "pkg-config"
  ];
  below =
    candidate:
    builtins.concatMap (
      via:
      lib.optional (builtins.isAttrs (candidate.package.${via} or null)) {
        package = candidate.package.${via};
        via = if candidate.via == null then via else "${candidate.via}.${via}";
      }
    ) wrapped;
  candidates =
    package:
    let
      first = {
        inherit package;
        via = null;
      };
      second = below first;
    in
    [ first ] ++ second ++ builtins.concatMap below second;

  reason =
    package:
    if package ? paths && builtins.isList package.paths then
      ": it is put together from other packages"
    else if package ? buildCommand then
      ": it is made by a build command"
    else
      "";

  default =
    package:
    let
      origin = lib.findFirst (candidate: own candidate.package != [ ]) null (candidates package);
    in
    if origin != null then
      origin // { values = own origin.package; }
    else
      {
        code = "no-source";
        message = "${package.name} has no source of its own${reason package}";
      };

  # An attribute that the spec names, such as goModules or unwrapped.src.
  step =
    at: name:
    if at ? missing then
      at
    else if builtins.isAttrs at.value && at.value ? ${name} then
      { value = at.value.${name}; }
    else
      {
        missing = name;
        among = if builtins.isAttrs at.value then builtins.attrNames at.value else [ ];
      };
  named =
    package: attribute:
    let
      at = builtins.foldl' step { value = package; } attribute;
      shown = builtins.concatStringsSep "." attribute;
      found = near at.missing at.among;
      hint = if found == [ ] then "" else "; near: ${builtins.concatStringsSep ", " found}";
      values = flatten at.value;
    in
    if at ? missing then
      {
        code = "missing";
        message = "${package.name} has no attribute ${builtins.toJSON at.missing}${hint}";
      }
    else if at.value == null || at.value == "" then
      {
        code = "no-source";
        message = "${package.name} has nothing at ${shown}: it is empty";
      }
    else if values == [ ] then
      {
        code = "no-source";
        message = "${package.name} has a ${builtins.typeOf at.value} at ${shown}, not a source";
      }
    else
      {
        inherit package values;
        via = shown;
      };
in
package: attribute: if attribute == [ ] then default package else named package attribute
