# The programs of the host, as packages. Each one is a copy whose loader and
# libraries are the store's, so its closure is all that it needs.
{
  pkgs,
  host,
  ...
}:
let
  inherit (builtins) filter fromJSON readFile;
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
  version =
    name: host.versions.${name} or (throw "the host lacks Debian's ${wanted.${name}.debian}");

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
      description = "The C library of the GNU system";
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

  # One package of programs.json; what of it the host lacks is left out.
  copyPrograms =
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
        filter (p: host.programs ? ${p}) wanted.${from}.programs
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

  # Packages that the host has; gawk is there by whichever awk it has.
  present = host.versions // {
    gawk = null;
  };
  table = {
    bash = {
      description = "The shell of the GNU system";
      homepage = "https://www.gnu.org/software/bash/";
      postInstall = "ln -s bash $out/bin/sh";
    };
    bzip2 = {
      description = "Compressor for .bz2 files";
      homepage = "https://www.sourceware.org/bzip2";
    };
    coreutils = {
      description = "Basic file, shell and text programs of the GNU system";
      homepage = "https://www.gnu.org/software/coreutils/";
      mainProgram = "ls";
      priority = 10;
    };
    curl = {
      description = "Transfers data from and to URLs";
      homepage = "https://curl.se/";
    };
    diffutils = {
      description = "Shows how files differ";
      homepage = "https://www.gnu.org/software/diffutils/";
      mainProgram = "diff";
    };
    findutils = {
      description = "Finds files and runs commands on them";
      homepage = "https://www.gnu.org/software/findutils/";
      mainProgram = "find";
    };
    gawk =
      if host.programs ? gawk then
        {
          description = "The AWK language of the GNU system";
          homepage = "https://www.gnu.org/software/gawk/";
          postInstall = "ln -s gawk $out/bin/awk";
        }
      else
        {
          description = "A small, fast AWK";
          homepage = "https://invisible-island.net/mawk/mawk.html";
          from = "mawk";
          pname = "mawk";
          mainProgram = "awk";
          postInstall = "ln -s mawk $out/bin/awk";
        };
    gnugrep = {
      description = "Finds lines that match a pattern";
      homepage = "https://www.gnu.org/software/grep/";
      mainProgram = "grep";
    };
    gnumake = {
      description = "Builds what is older than its sources";
      homepage = "https://www.gnu.org/software/make/";
      mainProgram = "make";
    };
    gnupatch = {
      description = "Applies differences to files";
      homepage = "https://savannah.gnu.org/projects/patch";
      mainProgram = "patch";
    };
    gnused = {
      description = "Edits text streams";
      homepage = "https://www.gnu.org/software/sed/";
      mainProgram = "sed";
    };
    gnutar = {
      description = "Archiver for .tar files";
      homepage = "https://www.gnu.org/software/tar/";
      mainProgram = "tar";
    };
    gzip = {
      description = "Compressor for .gz files";
      homepage = "https://www.gnu.org/software/gzip/";
    };
    jq = {
      description = "Filters and changes JSON";
      homepage = "https://jqlang.github.io/jq/";
    };
    less = {
      description = "Shows text page by page";
      homepage = "https://www.greenwoodsoftware.com/less/";
    };
    patchelf = {
      description = "Changes loader and library paths of ELF files";
      homepage = "https://github.com/NixOS/patchelf";
    };
    procps = {
      description = "Shows and signals processes";
      homepage = "https://gitlab.com/procps-ng/procps";
      mainProgram = "ps";
      priority = 10;
    };
    ripgrep = {
      description = "Searches directories for a pattern";
      homepage = "https://github.com/BurntSushi/ripgrep";
      mainProgram = "rg";
    };
    unzip = {
      description = "Unpacks .zip files";
      homepage = "http://www.info-zip.org";
    };
    which = {
      description = "Says where a command lies";
      homepage = "https://www.gnu.org/software/which/";
    };
    xz = {
      description = "Compressor for .xz files";
      homepage = "https://tukaani.org/xz/";
    };
    zstd = {
      description = "Compressor for .zst files";
      homepage = "https://facebook.github.io/zstd/";
    };
  };
in
builtins.mapAttrs copyPrograms (builtins.intersectAttrs present table)
// {
  inherit copyPrograms glibc;
  libraries-of-the-host = libraries;
  bashInteractive = pkgs.bash;
}
