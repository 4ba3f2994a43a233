# Makes $out the source tree that $origins hold. One origin is the tree itself;
# several lie below it, each under its own name. What is not an archive that the
# tools at hand can read stays a file: a strange source never fails a build.

# own_name prints what a store path is called without its hash.
own_name() {
  local base=${1##*/}
  if [[ $base =~ ^[0-9a-z]{32}-. ]]; then
    base=${base:33}
  fi
  printf '%s\n' "$base"
}

# is_tar tells whether tar, with the decompressors at hand, lists a first entry.
is_tar() {
  [ -n "$(tar -tf "$1" 2>/dev/null | head -n 1)" ]
}

is_zip() {
  [ "$(head -c 4 "$1" | od -An -tx1 | tr -d ' \n')" = 504b0304 ]
}

# Owners, setuid bits and odd modes of the packer are nobody's business here. A
# directory without rights could be neither lifted nor read.
untar() {
  tar -xf "$1" -C "$2" --no-same-owner --no-same-permissions --warning=no-timestamp
  chmod -R u+rwX "$2"
}

# A gem is a tar of two archives; data.tar.gz is what its author wrote.
ungem() {
  if [ -f "$1/data.tar.gz" ] && [ -f "$1/metadata.gz" ]; then
    untar "$1/data.tar.gz" "$1"
    rm -f "$1/data.tar.gz" "$1/metadata.gz" "$1/checksums.yaml.gz"
  fi
}

# lift moves up what a single top directory holds, in place: a copy of a large
# tree across file systems would take as long as unpacking it.
lift() (
  shopt -s nullglob dotglob
  cd "$1"
  local entries=(*)
  if [ ${#entries[@]} != 1 ] || [ -L "${entries[0]}" ] || [ ! -d "${entries[0]}" ]; then
    return
  fi
  local aside
  aside=$(mktemp -du "$PWD/.lift.XXXXXXXX")
  mv -- "${entries[0]}" "$aside"
  entries=("$aside"/*)
  if [ ${#entries[@]} != 0 ]; then
    mv -- "${entries[@]}" .
  fi
  rmdir "$aside"
)

# unpack makes TARGET the tree of ORIGIN, a directory or a file.
unpack() {
  local origin=$1 target=$2
  if [ -d "$origin" ]; then
    ln -s "$origin" "$target"
    return
  fi
  mkdir -p "$target"
  if is_tar "$origin"; then
    untar "$origin" "$target"
    ungem "$target"
    lift "$target"
  elif is_zip "$origin" && command -v unzip >/dev/null; then
    unzip -q "$origin" -d "$target"
    chmod -R u+rwX "$target"
    lift "$target"
  else
    echo "not an archive that can be unpacked here, kept as a file: $(own_name "$origin")" >&2
    cp "$origin" "$target/$(own_name "$origin")"
  fi
}

# stem prints the name of an archive without its ending.
stem() {
  local name=$1 ending
  for ending in .gz .xz .bz2 .lz .zst .tar .tgz .tbz2 .txz .zip; do
    name=${name%"$ending"}
  done
  printf '%s\n' "$name"
}

# free_name prints NAME, or NAME-2 and so on where that is taken.
free_name() {
  local name=$1 number=1
  while [ -e "$out/$name" ] || [ -L "$out/$name" ]; do
    number=$((number + 1))
    name=$1-$number
  done
  printf '%s\n' "$name"
}

read -r -a all <<<"$origins"
if [ ${#all[@]} = 1 ]; then
  unpack "${all[0]}" "$out"
else
  mkdir "$out"
  for origin in "${all[@]}"; do
    unpack "$origin" "$out/$(free_name "$(stem "$(own_name "$origin")")")"
  done
fi
