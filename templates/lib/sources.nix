# Source trees as one derivation: NAME → tree, and an index of what they are.
# Nothing of a source is read while evaluating.
{
  lib,
  entry,
  lookup,
  inputs,
  pkgs,
  sources,
}:
let
  packageTree = import ./source.nix {
    inherit
      lib
      entry
      lookup
      pkgs
      ;
  };
  inputTree = import ./input-source.nix { inherit inputs; };

  # index.json lies beside the trees; the rest are the names of store objects.
  usableName =
    name: name != "index.json" && builtins.match "[A-Za-z0-9_][A-Za-z0-9+._-]*" name != null;

  resolve =
    source:
    if !usableName source.name then
      {
        finding = {
          inherit (source) id;
          code = "name";
          message = "${builtins.toJSON source.name} cannot be the name of a source tree";
        };
      }
    else if source.path == [ ] then
      inputTree source
    else
      packageTree source;

  resolved = map (source: { inherit (source) name; } // resolve source) sources;
  findings = builtins.concatMap (r: lib.optional (r ? finding) r.finding) resolved;
  trees = if findings != [ ] then entry.fail findings else resolved;

  byName = builtins.listToAttrs (
    map (r: {
      inherit (r) name;
      value = r.tree;
    }) trees
  );
in
{
  inherit findings;

  tree = pkgs.stdenvNoCC.mkDerivation {
    name = "agentenv-sources";
    __structuredAttrs = false;
    passAsFile = [
      "index"
      "links"
    ];
    index = builtins.toJSON {
      version = 1;
      sources = map (r: { inherit (r) name; } // r.record // { path = "${r.tree}"; }) trees;
    };
    links = builtins.concatStringsSep "" (map (r: "${r.name} ${r.tree}\n") trees);
    buildCommand = ''
      mkdir "$out"
      while read -r name tree; do
        ln -s "$tree" "$out/$name"
      done < "$linksPath"
      cp "$indexPath" "$out/index.json"
    '';
    preferLocalBuild = true;
    allowSubstitutes = false;

    # For `nix build .#sources.NAME`. What makes the set a derivation stays.
    passthru = removeAttrs byName [
      "all"
      "builder"
      "drvAttrs"
      "drvPath"
      "meta"
      "name"
      "out"
      "outPath"
      "outputName"
      "outputs"
      "passthru"
      "system"
      "type"
    ];
  };
}
