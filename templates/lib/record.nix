# What index.json says of a package's source tree. Metadata is free text by
# other people: what is absent or throws is null, and no string keeps a
# reference to a store path, which would pull it into the closure.
{ lib }:
source:
{ package, via }:
origin:
let
  attempt =
    value:
    let
      tried = builtins.tryEval (builtins.deepSeq value value);
    in
    if tried.success then tried.value else null;
  text =
    value: if builtins.isString value then builtins.unsafeDiscardStringContext value else null;
  texts = values: builtins.filter (value: value != null) (map text values);

  fetched = if builtins.isAttrs origin then origin else { };
  meta = package.meta or { };

  licence =
    value:
    if builtins.isString value then
      text value
    else if builtins.isAttrs value then
      text (value.spdxId or value.fullName or value.shortName or null)
    else
      null;
  patch = value: if builtins.isAttrs value then value.name or null else baseNameOf (toString value);
in
{
  package = source.package;
  version = attempt (text (package.version or null));
  urls = attempt (texts (lib.toList (fetched.urls or fetched.url or [ ])));
  revision = attempt (text (fetched.rev or fetched.tag or null));
  hash = attempt (text (fetched.outputHash or null));
  homepage = attempt (text (meta.homepage or null));
  licences = attempt (texts (map licence (lib.toList (meta.license or [ ]))));
  patches = attempt (texts (map patch (lib.toList (package.patches or [ ]))));
  inherit via;

  # A .deb, an AppImage or a vendor's binary is called a source as well.
  source = attempt (
    builtins.all (provenance: provenance.isSource or true) (meta.sourceProvenance or [ ])
  );
}
