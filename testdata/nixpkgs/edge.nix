# Everything that a name in a spec can turn out to be besides a good package.
{ pkgs, ... }:
let
  inherit (pkgs.stdenvNoCC) mkDerivation;
  script = pname: {
    inherit pname;
    version = "1.0";
    buildCommand = ''
      mkdir -p $out/bin
      printf '#!%s\necho %s\n' ${pkgs.bash}/bin/bash ${pname} >$out/bin/${pname}
      chmod +x $out/bin/${pname}
    '';
  };
  package = pname: attrs: mkDerivation (script pname // attrs);
  free = {
    free = true;
  };
  modules = {
    numpy = package "numpy" { src = ./src/libgreet; };
    requests = package "requests" { src = ./src/tinyjson; };
    nested.deep = package "deep" { };
    "dotted.name" = package "dotted" { };
    unfree = pkgs.unfree-package;
  };
  combined =
    name: paths:
    pkgs.buildEnv {
      inherit name paths;
    };
in
{
  # Evaluation: tryEval catches the first only.
  removed-package = throw "removed-package has been removed, use hello-c instead";
  aborting-package = abort "aborting-package gave up";
  endless-package =
    let
      endless = endless;
    in
    endless;
  argument-package = ({ missing }: missing) { };
  failing-package = mkDerivation {
    name = "failing-package-1.0";
    buildCommand = "echo this package does not build; exit 1";
  };

  # Policy: these throw at drvPath and outPath, not at src or meta.
  unfree-package = package "unfree-package" {
    src = ./src/hello-c;
    meta.license = {
      fullName = "Unfree";
      free = false;
    };
  };
  insecure-package = package "insecure-package" {
    src = ./src/hello-c;
    meta = {
      license = free;
      knownVulnerabilities = [ "greets anybody" ];
    };
  };

  # Values that are no packages.
  package-set = {
    recurseForDerivations = true;
    inner = package "inner" { };
  };
  package-function = { name }: package name { };
  package-text = "not a package";
  nodePackages."@angular/cli" = package "angular-cli" { src = ./src/tinyjson; };

  # Things can be put into these, in the ways that Nixpkgs has.
  python3 = package "python3" {
    passthru = {
      pkgs = modules;
      withPackages = f: combined "python3-env" (f modules);
    };
  };
  ghcSet = {
    ghcWithPackages = f: combined "ghc-env" (f modules);
  };
  emacs = package "emacs" { passthru.pkgs.withPackages = f: combined "emacs-env" (f modules); };

  # Sources of every kind.
  source-none = package "source-none" { };
  source-null = package "source-null" { src = null; };
  source-path = package "source-path" { src = ./src/libgreet; };
  source-text = package "source-text" { src = "${./src/libgreet}"; };
  source-several = package "source-several" {
    srcs = [
      pkgs.hello-c.src
      ./src/libgreet
    ];
  };
  source-script = package "source-script" { src = ./builders/setup.sh; };

  # Two packages with a file of the same name: bin/same.
  same-one = package "same-one" {
    buildCommand = "mkdir -p $out/bin; echo one >$out/bin/same";
  };
  same-two = package "same-two" {
    buildCommand = "mkdir -p $out/bin; echo two >$out/bin/same";
  };
}
