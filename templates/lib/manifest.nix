# What the launcher reads, and the one thing that keeps the whole workspace from
# the garbage collector: manifest.json, and closure, the export graph of all
# that manifest.json names, in the raw form that every Nix writes.
{
  lib,
  entry,
  digest,
  environment,
  sources,
  spec,
  system,
  pkgs,
  packageSetFindings,
}:
let
  loaderNames = {
    x86_64-linux = "ld-linux-x86-64.so.2";
    aarch64-linux = "ld-linux-aarch64.so.1";
  };
  loader =
    if !spec.loader then
      null
    else
      pkgs.stdenv.cc.bintools.dynamicLinker or (
        if pkgs ? glibc && loaderNames ? ${system} then
          "${pkgs.glibc}/lib/${loaderNames.${system}}"
        else
          null
      );

  # For sets of sources that are found in derivations: the manifest keeps them
  # all, and builds none of them (unsafeDiscardOutputDependency makes a path of
  # what would be a dependency on its outputs).
  deep = builtins.any (set: set != "packages") spec.source_sets;
  derivation =
    if deep then builtins.unsafeDiscardOutputDependency environment.tree.drvPath else null;

  programOf =
    item: program:
    let
      package = environment.item item;
    in
    if package == null then null else "${package}/bin/${program}";

  content = {
    version = 1;
    workspace = spec.name;
    inherit digest system loader;
    environment = "${environment.tree}";
    sources = "${sources.tree}";
    base = if environment.base == null then null else "${environment.base}";
    shell = programOf "bash" "bash";
    env = programOf "coreutils" "env";
    inherit (environment) vars;
    missing_base = environment.missing;
    inherit derivation;
  };

  present = builtins.filter (path: path != null);

  # Those of the base are files of a package. Those of the libraries lie below
  # one tree, which may lack some of them.
  baseVars = builtins.attrValues (removeAttrs content.vars (builtins.attrNames environment.libraries.vars));

  # The environment refers to the base, and the base to its programs.
  roots = present (
    [
      content.environment
      content.sources
      content.loader
      environment.libraries.tree
    ]
    ++ baseVars
  );
  files = present [
    content.loader
    content.shell
    content.env
  ] ++ baseVars;

  # All that is wrong is said at once, but for what may be a consequence: without
  # an overlay the set lacks what it adds.
  findings =
    if packageSetFindings != [ ] then
      packageSetFindings
    else
      environment.findings ++ sources.findings;
in
if findings != [ ] then
  entry.fail findings
else
  pkgs.stdenvNoCC.mkDerivation {
    name = "agentenv-manifest";
    __structuredAttrs = false;
    content = builtins.toJSON content;
    passAsFile = [ "content" ];
    exportReferencesGraph = builtins.concatLists (
      lib.imap0 (number: path: [
        "graph-${toString number}"
        path
      ]) roots
    );
    inherit files;
    buildCommand = ''
      for path in $files; do
        if ! [ -e "$path" ]; then
          echo "agentenv: the package set has no $path" >&2
          exit 1
        fi
      done
      mkdir "$out"
      cp "$contentPath" "$out/manifest.json"
      cat graph-* > "$out/closure"
    '';
    preferLocalBuild = true;
    allowSubstitutes = false;
  }
