# The host's C compiler, as Nixpkgs has it: gcc-unwrapped knows no libc, and gcc
# wraps it so that it compiles and links for the set's libc. Their parts are
# found relative to the program (gcc, GCC_EXEC_PREFIX).
{ pkgs, host, ... }:
let
  inherit (pkgs.stdenvNoCC) mkDerivation;
  gpl = {
    spdxId = "GPL-3.0-or-later";
    free = true;
  };
  compiler = if host.gcc == null then throw "the host has no gcc" else host.gcc;
  loader = "${pkgs.glibc}/lib/${host.loader}";
in
{
  binutils = pkgs.copyPrograms "binutils" {
    description = "Assembler, linker and archiver of the GNU system";
    homepage = "https://www.gnu.org/software/binutils/";
    mainProgram = "ld";
  };

  pkg-config = pkgs.copyPrograms "pkg-config" {
    description = "Finds the flags of libraries";
    homepage = "http://pkgconf.org/";
  };

  gcc-unwrapped = pkgs.copyPrograms "gcc-unwrapped" {
    from = "gcc";
    description = "C compiler of the GNU system";
    homepage = "https://gcc.gnu.org/";
    mainProgram = "gcc";
    postInstall = ''
      ln -s gcc $out/bin/cc
      parts=$out/lib/gcc/${compiler.target}/$(basename ${compiler.dir})
      mkdir -p $parts
      cp -r ${compiler.dir}/{include,cc1,collect2,liblto_plugin.so} ${compiler.dir}/crt*.o ${compiler.dir}/libgcc*.a $parts/
      cp -L /lib/${compiler.target}/libgcc_s.so.1 $parts/
      ln -s libgcc_s.so.1 $parts/libgcc_s.so
      chmod -R u+w $parts
      adopt $parts/cc1
      adopt $parts/collect2
      ln -s ${pkgs.binutils}/bin/{as,ld} $parts/
    '';
  };

  # The headers and object files of the libc, for who compiles.
  glibc-dev = mkDerivation {
    name = "glibc-dev";
    inherit (pkgs) glibc;
    inherit (host) fingerprint;
    buildCommand = ''
      mkdir -p $out/include $out/lib
      dpkg-query -L libc6-dev linux-libc-dev | while read -r file; do
        [ -f "$file" ] || continue
        case $file in
          /usr/include/*) name=include/''${file#/usr/include/} ;;
          /usr/lib/*/*.o | /usr/lib/*/*.a | /usr/lib/*/*.so) name=lib/''${file##*/} ;;
          *) continue ;;
        esac
        name=''${name/${compiler.target}\//}
        mkdir -p "$out/$(dirname "$name")"
        cp -L "$file" "$out/$name"
      done
      for script in $out/lib/libc.so $out/lib/libm.so $out/lib/libm.a; do
        [ ! -e $script ] || sed -i "s,/lib/${compiler.target}/,$glibc/lib/,g; s,/usr$glibc/lib/,$out/lib/,g" $script
      done
    '';
  };

  gcc = mkDerivation {
    pname = "gcc-wrapper";
    inherit (pkgs.gcc-unwrapped) version;
    buildCommand = ''
      mkdir -p $out/bin
      cat >$out/bin/gcc <<'END'
      #!${pkgs.bash}/bin/bash
      flags=(-B${pkgs.glibc-dev}/lib -idirafter ${pkgs.glibc-dev}/include)
      case " $* " in
        *" -c "* | *" -E "* | *" -S "*) ;;
        *) flags+=(-L${pkgs.glibc-dev}/lib -Wl,-dynamic-linker,${loader} -Wl,-rpath,${pkgs.glibc}/lib)
          IFS=: read -r -a directories <<<"''${LIBRARY_PATH:-}"
          for directory in "''${directories[@]}"; do flags+=("-Wl,-rpath,$directory"); done ;;
      esac
      exec ${pkgs.gcc-unwrapped}/bin/gcc "''${flags[@]}" "$@"
      END
      chmod +x $out/bin/gcc
      ln -s gcc $out/bin/cc
    '';
    passthru.cc = pkgs.gcc-unwrapped;
    meta = {
      description = "C compiler of the GNU system, for the set's libc";
      license = gpl;
      mainProgram = "gcc";
    };
  };
}
