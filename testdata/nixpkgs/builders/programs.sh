# Copies programs of the host to $out/bin so that they run where only the store
# is to be seen: an ELF file gets the loader and the libraries of the store, a
# shell script gets the store's bash.
export PATH=$hostPath LC_ALL=C
set -o pipefail

# adopt makes one copied file independent of the host.
adopt() {
  local first
  if patchelf --print-interpreter "$1" >/dev/null 2>&1; then
    patchelf --set-interpreter "$loader" --set-rpath "$rpath" "$1"
    return
  fi
  first=$(head -c 16 "$1" | tr -d ' \0')
  case $first in
    '#!/bin/sh'* | '#!/bin/bash'* | '#!/usr/bin/sh'* | '#!/usr/bin/bash'*)
      sed -i "1s,.*,#!$shell," "$1"
      ;;
  esac
}

mkdir -p "$out/bin"
for program in $programs; do # NAME=PATH
  install -m 755 "${program#*=}" "$out/bin/${program%%=*}"
  adopt "$out/bin/${program%%=*}"
done
eval "${postInstall:-}"
