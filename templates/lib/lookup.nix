# Finds the packages that a spec names, in the places where `nix build` looks.
#
# lookup { id, input, path, output, with } is { value = derivation; } or
# { finding = { id, code, message }; }; with may be left out. It evaluates no more
# than the path, and throws nothing of its own but for what with names.
{
  lib,
  entry,
  inputs,
  system,
  pkgs,
}:
let
  near = import ./near.nix { inherit lib; };
  combine = import ./with.nix { inherit lib entry; };

  setsOf =
    input:
    if input == "" then
      [
        (inputs.nixpkgs.packages.${system} or { })
        pkgs
      ]
    else
      [
        (inputs.${input}.packages.${system} or { })
        (inputs.${input}.legacyPackages.${system} or { })
      ];

  step =
    at: name:
    if at ? missing then
      at
    else if builtins.isAttrs at.value && at.value ? ${name} then
      {
        value = at.value.${name};
        path = at.path ++ [ name ];
      }
    else
      {
        inherit (at) value path;
        missing = name;
      };

  walk =
    path: set:
    builtins.foldl' step {
      value = set;
      path = [ ];
    } path;

  list = builtins.concatStringsSep ", ";

  show =
    input: path:
    let
      flake = if input == "" then "nixpkgs" else input;
    in
    if path == [ ] then flake else "${flake}#${builtins.concatStringsSep "." path}";

  # Inside a package the outputs are what can have been meant.
  namesIn =
    value:
    if !builtins.isAttrs value then
      [ ]
    else if lib.isDerivation value then
      value.outputs or [ ]
    else
      builtins.attrNames value;

  # The walk that got furthest knows best what was meant.
  further = a: b: if builtins.length b.path > builtins.length a.path then b else a;
  furthest = walks: builtins.foldl' further (builtins.head walks) walks;

  missing =
    { id, input, ... }:
    walks:
    let
      at = furthest walks;
      there = builtins.filter (walk: walk.path == at.path) walks;
      found = near at.missing (builtins.concatMap (walk: namesIn walk.value) there);
      hint = if found == [ ] then "" else "; near: ${list found}";
    in
    {
      inherit id;
      code = "missing";
      message = "${show input at.path} has no ${builtins.toJSON at.missing} on ${system}${hint}";
    };

  check =
    wanted@{
      id,
      input,
      path,
      output,
      ...
    }:
    value:
    let
      outputs = value.outputs or [ "out" ];
    in
    if wanted."with" or [ ] != [ ] then
      combine wanted (show input path) value
    else if !lib.isDerivation value then
      {
        finding = {
          inherit id;
          code = "not-a-package";
          message = "${show input path} is a ${builtins.typeOf value}, not a package";
        };
      }
    else if output != "" && !(builtins.elem output outputs) then
      {
        finding = {
          inherit id;
          code = "missing";
          message = "${show input path} has no output ${builtins.toJSON output}; it has: ${list outputs}";
        };
      }
    else
      {
        value = if output == "" then value else value.${output};
      };
in
wanted@{ id, input, path, ... }:
let
  walks = map (walk path) (setsOf input);
  complete = builtins.filter (w: !(w ? missing)) walks;
in
entry.within id (
  if input != "" && !(inputs ? ${input}) then
    {
      finding = {
        inherit id;
        code = "missing";
        message = "the flake has no input ${builtins.toJSON input}";
      };
    }
  else if complete == [ ] then
    { finding = missing wanted walks; }
  else
    check wanted (builtins.head complete).value
)
