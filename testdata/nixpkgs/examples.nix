# Packages with sources that are worth reading, one for each shape that sources
# have in Nixpkgs: a fetched archive, a fetched tree, an archive that another
# derivation makes.
{
  pkgs,
  host,
  system,
  ...
}:
let
  inherit (pkgs.stdenvNoCC) mkDerivation;

  mit = {
    spdxId = "MIT";
    fullName = "MIT License";
    free = true;
  };
  # The same bytes on every machine.
  tar = builtins.concatStringsSep " " [
    "tar --format=ustar --sort=name --mtime=@1"
    "--owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX"
  ];

  # compile needs the C compiler of the host, and the set's loader afterwards.
  compile = {
    loader = "${pkgs.glibc}/lib/${host.loader}";
    rpath = "${pkgs.glibc}/lib";
  };
in
{
  hello-c = mkDerivation (
    compile
    // rec {
      pname = "hello-c";
      version = "1.2";
      src = pkgs.fetchurl {
        url = "https://example.org/hello-c/hello-c-${version}.tar.gz";
        hash = "sha256-ZKRVtX76bB7gCQXDBsoErkyURN+m+5zyoBHifqq/7ic=";
        make = ''
          ${tar} --transform 's,^[.],hello-c-${version},' -C ${./src/hello-c} -cf - . \
            | gzip -n -9 >$out
        '';
      };
      patches = [ ./src/patches/hello-c-spanish.patch ];
      buildPhase = "make hello";
      installPhase = ''
        install -D hello $out/bin/hello
        patchelf --set-interpreter $loader --set-rpath $rpath $out/bin/hello
      '';
      meta = {
        description = "Greets in several languages";
        homepage = "https://example.org/hello-c";
        license = mit;
        mainProgram = "hello";
      };
    }
  );

  # As from fetchFromGitHub: a tree with a fixed hash.
  libgreet = mkDerivation (
    compile
    // rec {
      pname = "libgreet";
      version = "0.3.1";
      outputs = [
        "out"
        "dev"
      ];
      src = mkDerivation {
        name = "source";
        buildCommand = "cp -r ${./src/libgreet} $out";
        outputHashMode = "recursive";
        outputHash = "sha256-HPRmO5YmaR5tDsDabIaE6aBCv17bFCrjchJt30S6j7o=";
        passthru = {
          rev = "v${version}";
          gitRepoUrl = "https://example.org/libgreet.git";
        };
      };
      buildPhase = "cc -O2 -shared -fPIC -Wl,-soname,libgreet.so.0 -o libgreet.so.0 greet.c";
      installPhase = ''
        install -D libgreet.so.0 $out/lib/libgreet.so.0
        patchelf --set-rpath $rpath $out/lib/libgreet.so.0
        install -D -m 644 greet.h $dev/include/greet.h
        mkdir -p $dev/lib/pkgconfig
        ln -s $out/lib/libgreet.so.0 $dev/lib/libgreet.so
        printf '%s\n' "Name: libgreet" "Description: What to say" "Version: $version" \
          "Requires.private: libhour" "Cflags: -I$dev/include" "Libs: -L$dev/lib -lgreet" \
          >$dev/lib/pkgconfig/libgreet.pc
      '';
      propagatedBuildInputs = [ pkgs.libhour ];
      meta = {
        description = "What to say at an hour of the day";
        homepage = "https://example.org/libgreet";
        license = mit;
      };
    }
  );

  # Only headers, and what libgreet propagates to those who use it.
  libhour = mkDerivation {
    pname = "libhour";
    version = "1.0";
    buildCommand = ''
      mkdir -p $out/include $out/share/pkgconfig
      echo '#define HOURS 24' >$out/include/hour.h
      printf '%s\n' "Name: libhour" "Description: Hours of a day" "Version: 1.0" "Cflags: -I$out/include" \
        >$out/share/pkgconfig/libhour.pc
    '';
    meta.license = mit;
  };

  tinyjson = pkgs.buildGoModule rec {
    pname = "tinyjson";
    version = "0.9.0";
    src = pkgs.runCommand "tinyjson-${version}.tar.xz" { } ''
      ${tar} --transform 's,^[.],tinyjson-${version},' -C ${./src/tinyjson} -cf - . | xz -T1 >$out
    '';
    vendorHash = null;
    meta = {
      description = "Prints JSON in its shortest form";
      homepage = "https://example.org/tinyjson";
      license = mit;
      mainProgram = "tinyjson";
    };
  };
}
