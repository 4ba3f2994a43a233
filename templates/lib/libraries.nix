# Libraries to compile and link against: the headers, pkg-config files and
# libraries of the packages and of what they propagate, as one tree, and the
# variables by which compilers find them.
#
# Why these variables. A compiler of Nixpkgs is wrapped, and its wrapper obeys
# NIX_CFLAGS_COMPILE and the like only with the suffix and the roles that a
# stdenv build sets. What every compiler obeys, wrapped or not, gcc or clang, are
# the variables of GCC's manual ("Environment Variables Affecting GCC"): they come
# after all -I and -L of the command line, as a system's own directories do.
# LIBRARY_PATH serves the linker, and finds crt1.o where glibc is among the
# libraries. At run time a program must find the library too: Nixpkgs' ld wrapper
# makes each -L directory that gave a library a run path, and passing LIBRARY_PATH
# on as -L is what gcc does; an unwrapped GNU ld takes LD_RUN_PATH, which counts
# only where no -rpath is given (ld's manual), so the two do not meet.
# LD_LIBRARY_PATH is not set: it would change programs that have nothing to do
# with these libraries.
#
# pkg-config reads PKG_CONFIG_PATH, and so does Nixpkgs' wrapper outside of a
# stdenv build; cmake reads CMAKE_PREFIX_PATH.
{
  lib,
  entry,
  lookup,
  pkgs,
  spec,
}:
let
  found = map (wanted: { inherit (wanted) id; } // lookup wanted) spec.libraries;
  findings = builtins.concatMap (f: lib.optional (f ? finding) f.finding) found;

  flatten =
    value:
    if builtins.isList value then
      builtins.concatMap flatten value
    else
      lib.optional (builtins.isAttrs value && lib.isDerivation value) value;

  # What a stdenv build would see of a package: no manuals and no programs.
  outputsOf =
    package:
    let
      wanted = builtins.filter (output: builtins.elem output (package.outputs or [ ])) [
        "dev"
        "lib"
        "out"
        "static"
      ];
    in
    if wanted == [ ] then [ package ] else map (output: package.${output}) wanted;

  node = package: {
    key = builtins.unsafeDiscardStringContext "${package}";
    inherit package;
  };
  closure =
    package:
    builtins.genericClosure {
      startSet = [ (node package) ];
      operator = item: map node (flatten (item.package.propagatedBuildInputs or [ ]));
    };
  closureOf =
    { id, value, ... }:
    let
      outputs = builtins.concatMap (item: outputsOf item.package) (closure value);
    in
    entry.within id (builtins.deepSeq (map (output: output.outPath) outputs) outputs);

  tree = pkgs.buildEnv {
    name = "agentenv-libraries";
    paths =
      if findings != [ ] then entry.fail findings else builtins.concatMap closureOf found;
    pathsToLink = [
      "/include"
      "/lib"
      "/share/pkgconfig"
    ];
    ignoreCollisions = true;
  };
in
{
  inherit findings;

  tree = if spec.libraries == [ ] then null else tree;

  vars =
    if spec.libraries == [ ] then
      { }
    else
      {
        C_INCLUDE_PATH = "${tree}/include";
        CPLUS_INCLUDE_PATH = "${tree}/include";
        LIBRARY_PATH = "${tree}/lib";
        LD_RUN_PATH = "${tree}/lib";
        PKG_CONFIG_PATH = "${tree}/lib/pkgconfig:${tree}/share/pkgconfig";
        CMAKE_PREFIX_PATH = "${tree}";
      };
}
