# The generic builder: buildCommand alone, or the phases unpack, patch, build
# and install, each of which a package may replace. It has the host's tools in
# PATH and nothing of the caller's environment. HOME is not Nix's
# /homeless-shelter, because Go would make that and Nix then refuses to build.
export PATH=$hostPath LC_ALL=C HOME=$NIX_BUILD_TOP/home SOURCE_DATE_EPOCH=1
for input in ${nativeBuildInputs:-}; do
  PATH=$input/bin:$PATH
done
set -o pipefail

# unpackFile puts a source into the working directory: a directory as a copy, an
# archive unpacked.
unpackFile() {
  local name
  name=$(stripHash "$1")
  if [ -d "$1" ]; then
    cp -r --no-preserve=ownership "$1" "$name"
    chmod -R u+w "$name"
    return
  fi
  case $name in
    *.tar | *.tar.* | *.tgz | *.tbz2 | *.txz) tar xf "$1" --no-same-owner ;;
    *.zip) unzip -qq "$1" ;;
    *) echo "do not know how to unpack $1" >&2; return 1 ;;
  esac
}

# stripHash prints the name of a store path without its hash.
stripHash() {
  local name=${1##*/}
  if [[ $name =~ ^[a-z0-9]{32}- ]]; then
    name=${name:33}
  fi
  printf '%s\n' "$name"
}

unpackDefault() {
  local source directories
  mkdir unpacked
  cd unpacked
  for source in ${srcs:-${src:-}}; do
    unpackFile "$source"
  done
  if [ -z "${sourceRoot:-}" ]; then
    directories=(*/)
    if [ "${#directories[@]}" -ne 1 ] || [ ! -d "${directories[0]}" ]; then
      echo "unpacker did not produce one directory, but: $(ls)" >&2
      return 1
    fi
    sourceRoot=${directories[0]}
  fi
  cd "$sourceRoot"
}

patchDefault() {
  local file
  for file in ${patches:-}; do
    patch -p1 <"$file"
  done
}

if [ -n "${buildCommand:-}" ]; then
  eval "$buildCommand"
  exit
fi
if [ -n "${unpackPhase:-}" ]; then eval "$unpackPhase"; else unpackDefault; fi
patchDefault
eval "${buildPhase:-}"
eval "${installPhase:-}"
