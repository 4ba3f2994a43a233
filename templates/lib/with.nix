# What `package "python3" { with = ["numpy"]; }` is: the package with others put
# into it, by the function that the set has for that. { value; } or { finding; }.
#
# The names are looked up where the function looks, among the packages that it is
# given, and all that are missing are said at once.
{
  lib,
  entry,
}:
let
  near = import ./near.nix { inherit lib; };

  # Where package sets keep that function: Python, Perl, Lua, Ruby, TeX Live and
  # others; Haskell's sets; Emacs; Terraform and PostgreSQL before withPackages.
  places = [
    [ "withPackages" ]
    [ "ghcWithPackages" ]
    [
      "pkgs"
      "withPackages"
    ]
    [ "withPlugins" ]
  ];

  callable = value: builtins.isFunction value || builtins.isAttrs value && value ? __functor;
  at =
    set: path:
    builtins.foldl' (
      value: name: if builtins.isAttrs value then value.${name} or null else null
    ) set path;

  # A name is an attribute as it stands, or a path of attributes with dots.
  parts = text: builtins.filter builtins.isString (builtins.split "[.]" text);
  step =
    walk: name:
    if walk ? missing then
      walk
    else if builtins.isAttrs walk.value && walk.value ? ${name} then
      { value = walk.value.${name}; }
    else
      {
        missing = name;
        among = if builtins.isAttrs walk.value then builtins.attrNames walk.value else [ ];
      };
  find =
    set: text:
    builtins.foldl' step { value = set; } (if set ? ${text} then [ text ] else parts text);
in
wanted@{ id, ... }:
shown: value:
let
  functions = builtins.filter callable (map (at value) places);
  names = wanted."with";

  message =
    set: name:
    let
      walk = find set name;
      found = near walk.missing walk.among;
      hint = if found == [ ] then "" else "; near: ${builtins.concatStringsSep ", " found}";
    in
    "${shown} has no ${builtins.toJSON name} to put into it${hint}";

  choose =
    set:
    let
      missing = builtins.filter (name: find set name ? missing) names;
    in
    if missing != [ ] then
      entry.fail (
        map (name: {
          inherit id;
          code = "missing";
          message = message set name;
        }) missing
      )
    else
      map (name: (find set name).value) names;
in
if functions == [ ] then
  {
    finding = {
      inherit id;
      code = "no-with";
      message = "${shown} has no withPackages: nothing can be put into it";
    };
  }
else
  {
    value = builtins.head functions choose;
  }
