# The members of `source_set { of = "packages"; }`: { name; tree; record; } or
# { name; note; } for each package of the spec and for what is put into one.
#
# taken are the names of the trees that the spec names itself, and done their
# packages; without are the members that building found to be without a tree.
{
  lib,
  lookup,
  sources,
  packages,
  taken,
  done,
  without,
}:
let
  isString = builtins.isString;

  # The name of a store object, in which other characters become a dash.
  tidy =
    text:
    let
      parts = builtins.filter (part: isString part && part != "") (
        builtins.split "[^A-Za-z0-9+._-]+" text
      );
      joined = builtins.concatStringsSep "-" parts;
    in
    if builtins.match "[A-Za-z0-9_].*" joined == null then "_${joined}" else joined;

  last = list: builtins.elemAt list (builtins.length list - 1);
  init = list: lib.take (builtins.length list - 1) list;

  # openssl.dev is built from what openssl is built from.
  pathOf =
    wanted: value:
    if builtins.length wanted.path > 1 && (value.outputSpecified or false) && last wanted.path == value.outputName then
      init wanted.path
    else
      wanted.path;

  # What is put into a package is looked up where its set keeps that, if it says.
  within =
    wanted: value:
    let
      set = value.pkgs or { };
    in
    builtins.concatMap (
      name:
      lib.optional (set ? ${name}) {
        path = [
          (last wanted.path)
          name
        ];
        package = "${wanted.id} with ${name}";
        value = set.${name};
      }
    ) (wanted."with" or [ ]);

  candidatesOf =
    wanted:
    let
      found = lookup (removeAttrs wanted [ "with" ]);
      path = pathOf wanted found.value;
    in
    if found ? finding then
      [ ]
    else
      (
        if builtins.elem { inherit (wanted) input; inherit path; } done then
          [ ]
        else
          [
            {
              inherit path;
              package = wanted.id;
              inherit (found) value;
            }
          ]
      )
      ++ within wanted found.value;

  # A name that is taken gets the path in front of it, then a number.
  free =
    names: path:
    let
      short = tidy (last path);
      long = tidy (builtins.concatStringsSep "-" path);
      numbered =
        number:
        let
          name = "${long}-${toString number}";
        in
        if names ? ${name} then numbered (number + 1) else name;
    in
    if builtins.length path == 1 || !(names ? ${short}) then
      if names ? ${short} then numbered 2 else short
    else if names ? ${long} then
      numbered 2
    else
      long;

  add =
    state: candidate:
    let
      name = free state.names candidate.path;
      made =
        if builtins.elem "source_set:${name}" without then
          { note = "the source of ${candidate.package} could not be had"; }
        else
          sources.member {
            id = "source_set:${name}";
            inherit name;
            inherit (candidate) package value;
          };
      key = builtins.toJSON made.key;
    in
    if made ? key && state.keys ? ${key} then
      state
    else
      {
        names = state.names // { ${name} = true; };
        keys = if made ? key then state.keys // { ${key} = true; } else state.keys;
        members = state.members ++ [ (removeAttrs made [ "key" ] // { inherit name; }) ];
      };

  empty = {
    names = builtins.listToAttrs (
      map (name: {
        inherit name;
        value = true;
      }) taken
    );
    keys = { };
    members = [ ];
  };
in
(builtins.foldl' add empty (builtins.concatMap candidatesOf packages)).members
