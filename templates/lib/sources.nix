# Source trees as one derivation: NAME → tree, and an index of what they are.
# Nothing of a source is read while evaluating.
{
  lib,
  entry,
  lookup,
  inputs,
  pkgs,
  spec,
  # What building found out: the ids of what is not to be had, and derivations of
  # which a set wants the output as a tree.
  found,
}:
let
  makers = import ./source.nix {
    inherit
      lib
      entry
      lookup
      pkgs
      ;
  };
  inputTree = import ./input-source.nix { inherit inputs; };
  makeTree = import ./tree.nix { inherit lib pkgs; };

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
      makers.explicit source;

  resolved = map (source: { inherit (source) name; } // resolve source) spec.sources;
  findings = builtins.concatMap (r: lib.optional (r ? finding) r.finding) resolved;

  members =
    if builtins.elem "packages" spec.source_sets then
      import ./members.nix {
        inherit lib lookup;
        inherit (spec) packages;
        sources = makers;
        taken = map (source: source.name) spec.sources;
        done = map (source: { inherit (source) input path; }) (
          builtins.filter (source: source.attribute == [ ]) spec.sources
        );
        without = found.without;
      }
    else
      [ ];

  # A fixed output of a derivation that the manifest of an earlier build keeps.
  # The context makes it an input, as if it had been evaluated here.
  kept = map (wanted: {
    inherit (wanted) name;
    tree = makeTree {
      prefix = "member";
      inherit (wanted) name;
      id = "source_set:${wanted.name}";
      values = [
        (builtins.appendContext wanted.path { ${wanted.derivation} = { outputs = [ wanted.output ]; }; })
      ];
      strict = false;
    };
    record = {
      package = null;
      version = null;
      inherit (wanted) urls hash;
      revision = null;
      homepage = null;
      licences = [ ];
      patches = [ ];
      patched = false;
      via = null;
      source = true;
      notes = [ ];
    };
  }) (builtins.filter (wanted: !(builtins.elem "source_set:${wanted.name}" found.without)) found.trees);

  trees =
    if findings != [ ] then
      entry.fail findings
    else
      resolved ++ builtins.filter (member: member ? tree) members ++ kept;
  notes = map (member: { inherit (member) name note; }) (
    builtins.filter (member: member ? note) members
  );

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
      "rows"
      "missing"
    ];
    # NAME TREE and what the index says of it.
    rows = builtins.concatStringsSep "" (
      map (
        r:
        let
          row = { inherit (r) name; } // r.record // { path = "${r.tree}"; };
        in
        "${r.name} ${r.tree} ${builtins.toJSON row}\n"
      ) trees
    );
    missing = builtins.toJSON notes;
    buildCommand = builtins.readFile ./index.sh;
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
