# Everything that a name in a spec can turn out to be besides a good package.
{ pkgs, host, ... }:
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
  # As a download: the hash of the output is fixed.
  fixed =
    name: text: hash:
    mkDerivation {
      inherit name;
      buildCommand = "printf '%s' ${text} >$out";
      outputHash = hash;
      outputHashMode = "flat";
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
  # What is said of a package dies as well.
  source-nameless = package "source-nameless" { passthru.name = abort "this package has no name"; };
  source-meta = package "source-meta" {
    src = ./src/libgreet;
    meta.homepage = abort "this package has no home";
  };
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

  source-throws = package "source-throws" { passthru.src = throw "source-throws has no source any more"; };
  source-wrapper = package "source-wrapper" { passthru.unwrapped = pkgs.hello-c; };
  source-wrapped-twice = package "source-wrapped-twice" { passthru.cc = pkgs.source-wrapper; };
  source-binary = package "source-binary" {
    src = ./builders/setup.sh;
    meta.sourceProvenance = [
      {
        isSource = false;
        shortName = "binaryNativeCode";
      }
    ];
  };
  source-sevenz = package "source-sevenz" {
    src = pkgs.runCommand "x.7z" { } "printf '7z\\274\\257\\047\\034xx' >$out";
  };
  source-below = package "source-below" {
    src = pkgs.runCommand "below.tar" { } ''
      cp -r ${./src/hello-c} inner
      tar --transform 's,^,below-1.0/,' -cf $out inner
    '';
    sourceRoot = "below-1.0/inner";
    patches = [ ./src/patches/hello-c-spanish.patch ];
    postPatch = "true";
  };
  source-several-patched = package "source-several-patched" {
    srcs = [
      ./src/libgreet
      pkgs.hello-c.src
    ];
    sourceRoot = "hello-c-1.2";
    inherit (pkgs.hello-c) patches;
  };
  source-mispatched = package "source-mispatched" {
    src = ./src/libgreet;
    inherit (pkgs.hello-c) patches;
  };
  source-outward = package "source-outward" {
    src = pkgs.runCommand "outward" { } ''
      mkdir -p $out/a/b $out/in
      ln -s /etc/passwd $out/absolute
      ln -s ../../.. $out/a/b/up
      ln -s ../../../x/../y $out/a/b/far
      ln -s .. $out/top
      ln -s ../.. $out/a/b/root
      ln -s ../a/b $out/in/there
      ln -s $out/in $out/itself
      ln -s ..x $out/not-up
    '';
  };
  # With attributes in one JSON text. The shell ends the builder: a program that
  # closes its output before it ends may be killed by Nix and counted as failed.
  source-structured =
    let
      drv = derivation {
        name = "structured-1.0";
        inherit (pkgs.hello-c) system;
        builder = host.bash;
        args = [
          "-c"
          ''. "''${NIX_ATTRS_SH_FILE:-.attrs.sh}"; /bin/mkdir -p "''${outputs[out]}/bin"; /bin/touch "''${outputs[out]}/bin/structured"; :''
        ];
        __structuredAttrs = true;
        srcs = [ pkgs.structured-source ];
      };
    in
    drv // { src = pkgs.structured-source; };
  structured-source = fixed "structured.txt" "structured" "sha256-cdajf6QauoeJho9Fvk36ifCtgek6yp6Ljxvoq7qXLKQ=";
  # What only building needs is no source of what runs.
  source-tooled = package "source-tooled" {
    tool = package "tool" { tool = fixed "tool.txt" "tool" "sha256-fJu+Xsmz+3dOj6D1QkfpPDTd+OXRb+MHNCDeCugaJi0="; };
    buildCommand = "mkdir $out";
  };
  gone-source = fixed "gone.txt" "changed" "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  vendoring = package "vendoring" {
    src = ./src/tinyjson;
    passthru.goModules = pkgs.runCommand "vendoring-go-modules" { } ''
      mkdir $out
      echo vendored >$out/modules.txt
    '';
  };

  # Two packages with a file of the same name: bin/same.
  same-one = package "same-one" {
    buildCommand = "mkdir -p $out/bin; echo one >$out/bin/same";
  };
  same-two = package "same-two" {
    buildCommand = "mkdir -p $out/bin; echo two >$out/bin/same";
  };
}
