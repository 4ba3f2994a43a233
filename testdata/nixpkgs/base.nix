# The programs of the host, as packages. Each one is a copy whose loader and
# libraries are the store's, so its closure is all that it needs.
{
  pkgs,
  host,
  ...
}:
let
  inherit (builtins)
    attrNames
    concatStringsSep
    filter
    fromJSON
    listToAttrs
    map
    readFile
    ;
  inherit (pkgs.stdenvNoCC) mkDerivation;

  wanted = fromJSON (readFile ./programs.json);
  loader = "${pkgs.glibc}/lib/${host.loader}";
  rpath = "${libraries}/lib:${pkgs.glibc}/lib";

  free = {
    free = true;
  };
  gpl = free // {
    spdxId = "GPL-3.0-or-later";
    fullName = "GNU General Public License v3.0 or later";
  };
  version = name: host.versions.${name} or (throw "the host lacks Debian's ${wanted.${name}.debian}");

  glibc = mkDerivation {
    pname = "glibc";
    version = version "glibc";
    files = host.glibc;
    inherit (host) fingerprint;
    buildCommand = ''
      mkdir -p $out/lib
      cp -L $files $out/lib/
      chmod -R u+w $out
    '';
    meta = {
      description = "GNU C Library";
      homepage = "https://www.gnu.org/software/libc/";
      license = gpl;
    };
  };

  # All other libraries that any program needs, in one place.
  libraries = mkDerivation {
    name = "libraries-of-the-host";
    files = host.libraries;
    inherit (host) fingerprint;
    glibc = pkgs.glibc;
    buildCommand = ''
      mkdir -p $out/lib
      cp -L $files $out/lib/
      chmod u+w $out/lib/*
      for file in $out/lib/*; do
        patchelf --set-rpath "$out/lib:$glibc/lib" "$file"
      done
    '';
  };

  # program is one package of programs.json; what of it the host lacks is left
  # out.
  program =
    name:
    {
      description,
      homepage,
      mainProgram ? name,
      pname ? name,
      priority ? null,
      from ? name,
      postInstall ? "",
    }:
    mkDerivation {
      inherit pname postInstall loader rpath;
      inherit (host) fingerprint;
      version = version from;
      programs = map (p: "${baseNameOf p}=${host.programs.${p}}") (
        filter (p: host.programs ? ${p} && builtins.substring 0 1 p != "/") wanted.${from}.programs
      );
      shell = if name == "bash" then "${placeholder "out"}/bin/bash" else "${pkgs.bash}/bin/bash";
      args = [
        "-e"
        ./builders/programs.sh
      ];
      meta = {
        inherit description homepage mainProgram;
        license = gpl;
      }
      // (if priority == null then { } else { inherit priority; });
    };

  table = {
    bash = {
      description = "GNU Bourne-Again Shell";
      homepage = "https://www.gnu.org/software/bash/";
      postInstall = "ln -s bash $out/bin/sh";
    };
    bzip2 = {
      description = "High-quality data compression program";
      homepage = "https://www.sourceware.org/bzip2";
    };
    coreutils = {
      description = "GNU Core Utilities";
      homepage = "https://www.gnu.org/software/coreutils/";
      mainProgram = "ls";
      priority = 10;
    };
    curl = {
      description = "Command line tool for transferring files with URL syntax";
      homepage = "https://curl.se/";
    };
    diffutils = {
      description = "Commands for showing the differences between files";
      homepage = "https://www.gnu.org/software/diffutils/";
      mainProgram = "diff";
    };
    findutils = {
      description = "GNU Find Utilities, the basic directory searching utilities";
      homepage = "https://www.gnu.org/software/findutils/";
      mainProgram = "find";
    };
    gawk =
      if host.programs ? gawk then
        {
          description = "GNU implementation of the Awk programming language";
          homepage = "https://www.gnu.org/software/gawk/";
          postInstall = "ln -s gawk $out/bin/awk";
        }
      else
        {
          description = "Mike Brennan's implementation of the Awk programming language";
          homepage = "https://invisible-island.net/mawk/mawk.html";
          from = "mawk";
          pname = "mawk";
          mainProgram = "awk";
          postInstall = "ln -s mawk $out/bin/awk";
        };
    gnugrep = {
      description = "GNU implementation of the Unix grep command";
      homepage = "https://www.gnu.org/software/grep/";
      mainProgram = "grep";
    };
    gnumake = {
      description = "Tool to control the generation of non-source files from sources";
      homepage = "https://www.gnu.org/software/make/";
      mainProgram = "make";
    };
    gnupatch = {
      description = "GNU Patch, a program to apply differences to files";
      homepage = "https://savannah.gnu.org/projects/patch";
      mainProgram = "patch";
    };
    gnused = {
      description = "GNU sed, a batch stream editor";
      homepage = "https://www.gnu.org/software/sed/";
      mainProgram = "sed";
    };
    gnutar = {
      description = "GNU implementation of the tar archiver";
      homepage = "https://www.gnu.org/software/tar/";
      mainProgram = "tar";
    };
    gzip = {
      description = "GNU zip compression program";
      homepage = "https://www.gnu.org/software/gzip/";
    };
    jq = {
      description = "Lightweight and flexible command-line JSON processor";
      homepage = "https://jqlang.github.io/jq/";
    };
    less = {
      description = "More advanced file pager than 'more'";
      homepage = "https://www.greenwoodsoftware.com/less/";
    };
    patchelf = {
      description = "Small utility to modify the dynamic linker and RPATH of ELF executables";
      homepage = "https://github.com/NixOS/patchelf";
    };
    procps = {
      description = "Utilities that give information about processes using the /proc filesystem";
      homepage = "https://gitlab.com/procps-ng/procps";
      mainProgram = "ps";
      priority = 10;
    };
    ripgrep = {
      description = "Utility that combines the usability of The Silver Searcher with the raw speed of grep";
      homepage = "https://github.com/BurntSushi/ripgrep";
      mainProgram = "rg";
    };
    unzip = {
      description = "Extraction utility for archives compressed in .zip format";
      homepage = "http://www.info-zip.org";
    };
    which = {
      description = "Shows the full path of (shell) commands";
      homepage = "https://www.gnu.org/software/which/";
    };
    xz = {
      description = "General-purpose data compression software, successor of LZMA";
      homepage = "https://tukaani.org/xz/";
    };
    zstd = {
      description = "Zstandard real-time compression algorithm";
      homepage = "https://facebook.github.io/zstd/";
    };
  };
in
builtins.mapAttrs program table
// {
  inherit glibc;
  libraries-of-the-host = libraries;
  bashInteractive = pkgs.bash;
}
