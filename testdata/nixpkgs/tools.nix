# The packages that are more than copied programs.
{
  pkgs,
  host,
  ...
}:
let
  inherit (pkgs.stdenvNoCC) mkDerivation;
  version = name: host.versions.${name} or (throw "the host lacks ${name}");
  free = {
    free = true;
  };

  # Data of the host: a Debian package of the same content has the same version.
  data =
    pname: attrs:
    mkDerivation (
      {
        inherit pname;
        version = version pname;
      }
      // attrs
      // {
        meta = {
          license = free;
        }
        // attrs.meta;
      }
    );
in
{
  # Debian's git looks for its parts and its templates in /usr; a wrapper says
  # where they are instead. Nothing written in Perl is taken along.
  git = pkgs.copyPrograms "git" {
    description = "Distributed version control system";
    homepage = "https://git-scm.com/";
    postInstall = ''
      core=$out/libexec/git-core
      mkdir -p $core $out/share/git-core
      cp -r /usr/share/git-core/templates $out/share/git-core/
      mv $out/bin/git $core/git
      mv $out/bin/* $core/
      for file in /usr/lib/git-core/*; do
        name=''${file##*/}
        case $name in
          git-credential* | git-instaweb | git-web--browse) continue ;;
        esac
        if [ -L "$file" ]; then
          [ -e "$core/$name" ] || ln -s "$(readlink "$file")" "$core/$name"
        elif [ -d "$file" ]; then
          cp -r "$file" $core/
        elif [ ! -e "$core/$name" ] && [ "$(head -c 9 "$file" | tr '\0' .)" = '#!/bin/sh' ]; then
          install -m 755 "$file" $core/
          adopt $core/$name
          sed -i "1a PATH=\$PATH:${pkgs.coreutils}/bin:${pkgs.gnused}/bin" $core/$name
        fi
      done
      cp /usr/lib/git-core/git-{sh-setup,sh-i18n,mergetool--lib} $core/
      cat >$out/bin/git <<END
      #!$shell
      export GIT_EXEC_PATH=\''${GIT_EXEC_PATH:-$core}
      export GIT_TEMPLATE_DIR=\''${GIT_TEMPLATE_DIR:-$out/share/git-core/templates}
      export PAGER=\''${PAGER-less}
      exec -a "\''${0##*/}" $core/git "\$@"
      END
      chmod +x $out/bin/git
      for name in git-receive-pack git-upload-archive git-upload-pack; do
        ln -s git $out/bin/$name
      done
    '';
  };

  ncurses = pkgs.copyPrograms "ncurses" {
    description = "Terminal descriptions and the programs that use them";
    homepage = "https://invisible-island.net/ncurses/";
    mainProgram = "tput";
    postInstall = ''
      mkdir -p $out/share
      cp -r /lib/terminfo $out/share/terminfo
    '';
  };

  cacert = data "cacert" {
    certificates = host.certificates;
    inherit (host) fingerprint;
    buildCommand = ''
      mkdir -p $out/etc/ssl/certs
      cp -L $certificates $out/etc/ssl/certs/ca-bundle.crt
    '';
    meta = {
      description = "Certificates of the authorities that browsers trust";
      homepage = "https://tracker.debian.org/pkg/ca-certificates";
    };
  };

  tzdata = data "tzdata" {
    buildCommand = ''
      mkdir -p $out/share/zoneinfo
      tar -C /usr/share/zoneinfo --exclude=./posix --exclude=./right --exclude=./localtime -cf - . \
        | tar -C $out/share/zoneinfo -xf -
    '';
    meta = {
      description = "Time zones of the world";
      homepage = "https://www.iana.org/time-zones";
    };
  };

  # Debian's libc finds locales by LOCPATH alone: LOCALE_ARCHIVE, which Nixpkgs'
  # libc obeys, means nothing to it, and the archive is here for its place.
  glibcLocales = mkDerivation {
    pname = "glibc-locales";
    version = version "glibc";
    buildCommand = ''
      mkdir -p $out/lib/locale
      cp -r /usr/lib/locale/C.utf8 $out/lib/locale/
      mkdir -p usr/lib/locale
      localedef --prefix=$PWD --add-to-archive $out/lib/locale/C.utf8
      cp usr/lib/locale/locale-archive $out/lib/locale/
    '';
    meta = {
      description = "The C.UTF-8 locale";
      homepage = "https://www.gnu.org/software/libc/";
      license = free;
    };
  };

  # The host's Go without tests, in the place where Nixpkgs has it.
  go = mkDerivation {
    pname = "go";
    version = builtins.substring 2 (-1) host.go.GOVERSION;
    root = host.go.GOROOT;
    buildCommand = ''
      mkdir -p $out/bin $out/share/go
      tar -C $root --exclude='*_test.go' --exclude=testdata -cf - VERSION go.env bin lib pkg src \
        | tar -C $out/share/go -xf -
      ln -s ../share/go/bin/go ../share/go/bin/gofmt $out/bin/
    '';
    meta = {
      description = "Go programming language";
      homepage = "https://go.dev/";
      license = free // {
        spdxId = "BSD-3-Clause";
      };
      mainProgram = "go";
    };
  };

  # The program carries its script behind its ELF sections, where patchelf would
  # cut it off, and finds it by /proc/self/exe, which a loader called by name
  # would change. So it stays as it is, and needs a loader at the usual place.
  claude-code =
    let
      package =
        if host.claude == null then
          throw "the host has no claude-code: fixture.Claude installs it"
        else
          host.claude;
    in
    mkDerivation {
      pname = "claude-code";
      # The version is that of the set, so that a spec can name the package
      # where it is not installed.
      version = if host.claude == null then "0" else host.claude.version;
      inherit (package) program fingerprint;
      inherit (pkgs) bash glibc;
      buildCommand = ''
        mkdir -p $out/bin $out/libexec
        install -m 755 "$program" $out/libexec/claude
        cat >$out/bin/claude <<END
        #!$bash/bin/bash
        export LD_LIBRARY_PATH=$glibc/lib
        exec $out/libexec/claude "\$@"
        END
        chmod +x $out/bin/claude
      '';
      meta = {
        description = "Coding agent for the terminal";
        homepage = "https://www.anthropic.com/claude-code";
        license = {
          fullName = "Unfree";
          free = false;
        };
        mainProgram = "claude";
        sourceProvenance = [ { isSource = false; } ];
      };
    };

  # Builds with the Go and the module cache of the host, offline: vendorHash is
  # taken and not looked at. CGO is off.
  buildGoModule =
    {
      vendorHash,
      subPackages ? [ "." ],
      ldflags ? [ ],
      tags ? [ ],
      env ? { },
      passthru ? { },
      ...
    }@attrs:
    let
      offline = {
        GOCACHE = host.go.GOCACHE;
        GOMODCACHE = host.go.GOMODCACHE;
        GOFLAGS = "-trimpath -buildvcs=false";
        GOPROXY = "off";
        GOTOOLCHAIN = "local";
        CGO_ENABLED = "0";
      };
      goModules = mkDerivation {
        name = "${attrs.pname}-go-modules";
        inherit (attrs) src;
        env = offline;
        hostGo = host.go.GOROOT;
        buildPhase = "$hostGo/bin/go mod vendor";
        installPhase = "cp -r vendor $out";
      };
    in
    mkDerivation (
      {
        hostGo = host.go.GOROOT;
        ldflags = builtins.concatStringsSep " " ldflags;
        tags = builtins.concatStringsSep "," tags;
        subPackages = map (package: "./${package}") subPackages;
        buildPhase = ''
          mkdir -p $out/bin
          $hostGo/bin/go build -o $out/bin/ -tags "$tags" -ldflags "$ldflags" $subPackages
        '';
      }
      // removeAttrs attrs [
        "vendorHash"
        "subPackages"
        "ldflags"
        "tags"
      ]
      // {
        env = offline // env;
        passthru = passthru // {
          inherit vendorHash;
          goModules = if vendorHash == null then null else goModules;
        };
      }
    );
}
