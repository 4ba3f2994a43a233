# The source tree of a package: { tree; record; } or { finding; }.
{
  lib,
  entry,
  lookup,
  pkgs,
}:
let
  # Metadata is as lazy as the rest of a package, and may die as well.
  recordOf = import ./record.nix { inherit lib; };
  record =
    id: source: origin:
    let
      row = recordOf source origin;
    in
    entry.within id (builtins.deepSeq row row);
  originsOf = import ./origins.nix { inherit lib; };
  makeTree = import ./tree.nix { inherit lib pkgs; };

  text =
    value:
    if builtins.isList value then
      builtins.concatStringsSep " " (map toString value)
    else
      toString value;

  # What a stdenv would apply. The rest of its patch phase is shell code of the
  # package's, which belongs to a build.
  patchesOf = package: {
    patches = builtins.filter (patch: patch != null) (lib.toList (package.patches or [ ]));
    flags = text (package.patchFlags or "-p1");
    root = if builtins.isString (package.sourceRoot or null) then package.sourceRoot else "";
  };
in
{
  # The tree of a source that the spec names: that there is none is a finding.
  explicit =
    source:
    entry.within source.id (
      let
        found = lookup {
          inherit (source) id input path;
          output = "";
        };
        origin = originsOf found.value source.attribute;
        patched = if source.patched then patchesOf origin.package else null;
        texts = values: map (value: "${value}") values;
      in
      if found ? finding then
        found
      else if origin ? code then
        {
          finding = {
            inherit (source) id;
            inherit (origin) code message;
          };
        }
      else
        builtins.deepSeq (texts origin.values ++ texts (patched.patches or [ ])) {
          tree = makeTree {
            prefix = "source";
            inherit (source) name id;
            inherit (origin) values;
            strict = true;
            inherit patched;
          };
          record = record source.id source origin;
        }
    );

  # The tree of a member of a set, with its origins as text: that there is none is
  # a { note; }.
  member =
    {
      id,
      name,
      package,
      value,
    }:
    entry.within id (
      let
        origin = originsOf value [ ];
        tried = builtins.tryEval (
          if origin ? code then
            null
          else
            map (value: builtins.unsafeDiscardStringContext "${value}") origin.values
        );
      in
      if !tried.success then
        { note = "${package} does not say what it is built from"; }
      else if tried.value == null then
        { note = origin.message; }
      else
        {
          key = tried.value;
          tree = makeTree {
            prefix = "member";
            inherit name id;
            inherit (origin) values;
            strict = false;
          };
          record = record id {
            inherit package;
            attribute = [ ];
            patched = false;
          } origin;
        }
    );
}
