# What index.json says of a package's source tree. Metadata is free text by
# other people: what is absent or throws is null, and no string keeps a
# reference to a store path, which would pull it into the closure.
{ lib }:
{
  package,
  attribute,
  patched,
  ...
}@source:
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

  first = builtins.head origin.values;
  fetched = if builtins.isAttrs first then first else { };
  inherit (origin) via;
  own = origin.package;
  meta = own.meta or { };

  provenance = builtins.filter (kind: !(kind.isSource or true)) (lib.toList (meta.sourceProvenance or [ ]));
  kinds = map (kind: kind.shortName or "a binary") provenance;

  # What a reader of the tree should know.
  notes = builtins.concatLists [
    (lib.optional (provenance != [ ]) "not source: ${builtins.concatStringsSep ", " kinds}")
    (lib.optional (
      patched && builtins.any (phase: own ? ${phase}) [
        "prePatch"
        "postPatch"
        "patchPhase"
      ]
    ) "patches are applied, the rest of the package's patch phase is not")
    (lib.optional (attribute == [ ] && own ? unpackPhase) "the package unpacks it in a way of its own")
  ];

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
  inherit (source) package;
  version = attempt (text (own.version or null));
  urls = attempt (texts (lib.toList (fetched.urls or fetched.url or [ ])));
  revision = attempt (text (fetched.rev or fetched.tag or null));
  hash = attempt (text (fetched.outputHash or null));
  homepage = attempt (text (meta.homepage or null));
  licences = attempt (texts (map licence (lib.toList (meta.license or [ ]))));
  patches = attempt (texts (map patch (lib.toList (own.patches or [ ]))));
  inherit patched via;
  notes = texts (lib.toList (attempt (texts notes)));

  # A .deb, an AppImage or a vendor's binary is called a source as well.
  source = attempt (provenance == [ ]);
}
