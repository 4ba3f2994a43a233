# Makes $out the source tree that $origins hold. One origin is the tree itself;
# several lie below it, each under its own name. What is no archive stays a file.
#
# An archive that cannot be unpacked here is an error when $strict is set, in the
# form in which agentenv reads what is wrong with an entry; else it stays a file
# too, for one strange source of many must not fail the rest.

# fail ends the build with a finding about the entry $id, which is JSON.
fail() {
  printf 'agentenv: entry %s: %s: %s\n' "${id:-\"\"}" "$1" "$2" >&2
  exit 1
}

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

# kind_of prints what the first bytes of a file say that it is. Compressed files
# are here only where a tar of that kind could not be read for want of a tool.
kind_of() {
  case $(head -c 8 "$1" | od -An -tx1 | tr -d ' \n') in
    504b0304* | 504b0506*) echo zip ;;
    377abcaf271c*) echo 7z ;;
    526172211a07*) echo rar ;;
    213c617263683e0a*) echo ar ;;
    edabeedb*) echo rpm ;;
    78617221*) echo xar ;;
    4d534346*) echo cab ;;
    28b52ffd*) echo zst ;;
    4c5a4950*) echo lz ;;
    *) echo file ;;
  esac
}

# Owners, setuid bits and odd modes of the packer are nobody's business here.
untar() {
  tar -xf "$1" -C "$2" --no-same-owner --no-same-permissions --warning=no-timestamp
}

# A gem is a tar of two archives; data.tar.gz is what its author wrote.
ungem() {
  if [ -f "$1/data.tar.gz" ] && [ -f "$1/metadata.gz" ]; then
    untar "$1/data.tar.gz" "$1"
    rm -f "$1/data.tar.gz" "$1/metadata.gz" "$1/checksums.yaml.gz"
  fi
}

# undeb unpacks the files of a Debian package: an ar archive, whose members have
# a header of 60 bytes and start at even places (deb(5), ar(5)).
undeb() {
  local at=8 header name size member
  while header=$(dd if="$1" bs=64 iflag=skip_bytes,count_bytes skip=$at count=60 status=none | tr -d '\0') && [ -n "$header" ]; do
    name=${header:0:16} size=${header:48:10}
    name=${name%% *} size=${size%% *}
    if [[ $name == data.tar* ]]; then
      member=$(mktemp)
      dd if="$1" of="$member" bs=64k iflag=skip_bytes,count_bytes skip=$((at + 60)) count="$size" status=none
      untar "$member" "$2" || return 1
      rm "$member"
      return
    fi
    at=$((at + 60 + size + size % 2))
  done
  return 1
}

# with_tool unpacks by the first of the known tools that is there; 127 is none.
with_tool() {
  local tool
  for tool in 7zz 7z 7za bsdtar; do
    command -v $tool >/dev/null || continue
    case $tool in
      bsdtar) bsdtar -xf "$1" -C "$2" ;;
      *) $tool x -y "-o$2" "$1" >/dev/null ;;
    esac
    return
  done
  return 127
}

# extract unpacks a file that is an archive of a kind. 127 means that a tool is
# missing, other failures that the archive is broken.
extract() {
  case $1 in
    zip)
      command -v unzip >/dev/null || return 127
      unzip -q "$2" -d "$3"
      ;;
    ar) undeb "$2" "$3" ;;
    zst | lz) return 127 ;;
    *) with_tool "$2" "$3" ;;
  esac
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

# keep makes the tree of what is not unpacked: the file, under its name. Why it
# is not is empty for what is no archive.
keep() {
  local origin=$1 target=$2 why=${3:-}
  if [ -n "$why" ] && [ -n "${strict:-}" ]; then
    fail unpack "$(own_name "$origin") $why"
  fi
  echo "kept as a file: $(own_name "$origin") ${why:-is not an archive}" >&2
  chmod -R u+rwX "$target"
  rm -rf "$target"
  mkdir -p "$target"
  cp "$origin" "$target/$(own_name "$origin")"
}

# unpack makes TARGET the tree of ORIGIN, a directory or a file.
unpack() {
  local origin=$1 target=$2 kind status=0
  if [ -d "$origin" ]; then
    if [ -n "${apply:-}" ]; then
      cp -r --no-preserve=ownership "$origin" "$target"
      chmod -R u+w "$target"
    else
      ln -s "$origin" "$target"
    fi
    return
  fi
  mkdir -p "$target"
  if is_tar "$origin"; then
    { untar "$origin" "$target" && ungem "$target"; } || status=$?
    kind=tar
  else
    kind=$(kind_of "$origin")
    if [ "$kind" = ar ] && ! head -c 24 "$origin" | grep -q '^debian-binary'; then
      kind=file # a library of object files
    fi
    [ "$kind" = file ] || extract "$kind" "$origin" "$target" || status=$?
  fi
  case $kind:$status in
    file:*) keep "$origin" "$target" ;;
    *:0)
      # A directory without rights could be neither moved nor read. Builders are
      # ordinary users.
      chmod -R u+rwX "$target"
      lift "$target"
      ;;
    *:127) keep "$origin" "$target" "is a $kind archive, and the package set has no tool for it" ;;
    *) keep "$origin" "$target" "is a $kind archive that cannot be unpacked" ;;
  esac
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

# difference prints a patch, which may be compressed, as a stdenv reads it.
difference() {
  case $1 in
    *.gz) gzip -d <"$1" ;;
    *.bz2) bzip2 -d <"$1" ;;
    *.xz | *.lzma) xz -d <"$1" ;;
    *) cat "$1" ;;
  esac
}

# apply_all applies the package's patches where its build would: in the directory
# that it names, whose first part is the top directory that was lifted away.
apply_all() {
  local root=$1 patch words
  if [ "$root" = "$out" ]; then
    case ${differencesRoot:-} in
      */*) root=$out/${differencesRoot#*/} ;;
    esac
  fi
  cd "$root" 2>/dev/null || fail patch "the source has no directory ${differencesRoot#*/}"
  for patch in ${differences:-}; do
    # The flags are several words.
    # shellcheck disable=SC2086
    if ! words=$(difference "$patch" | patch ${differencesFlags:--p1} 2>&1); then
      printf '%s\n' "$words" >&2
      fail patch "the patch $(own_name "$patch") does not apply to the source as it was fetched"
    fi
  done
}

read -r -d '' -a all <<<"$origins" || true
if [ ${#all[@]} = 1 ]; then
  unpack "${all[0]}" "$out"
else
  mkdir "$out"
  for origin in "${all[@]}"; do
    unpack "$origin" "$out/$(free_name "$(stem "$(own_name "$origin")")")"
  done
fi
if [ -n "${apply:-}" ]; then
  if [ ${#all[@]} != 1 ] && [ -n "${differencesRoot:-}" ]; then
    apply_all "$out/$differencesRoot"
  else
    apply_all "$out"
  fi
fi
