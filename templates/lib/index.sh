# Links every tree of $rowsPath into $out, and writes index.json: what the
# evaluation knew of each, and what is seen only now, its size and the links in it
# that lead out of it, which a sandbox does not follow.

# leaves tells whether a link in directory DIR to TARGET leads out of ROOT.
leaves() {
  local root=$1 dir=$2 target=$3 part
  case $target in
    "$root" | "$root"/*) dir="" ;;
    /*) return 0 ;;
    ..* | */..*) dir=${dir#"$root"} ;;
    *) return 1 ;;
  esac
  target=$dir/${target#"$root"}
  local depth=0 parts
  IFS=/ read -r -d '' -a parts < <(printf '%s\0' "$target") || true
  for part in "${parts[@]}"; do
    case $part in
      '' | .) ;;
      ..) depth=$((depth - 1)) && [ $depth -ge 0 ] || return 0 ;;
      *) depth=$((depth + 1)) ;;
    esac
  done
  return 1
}

# outward prints how many links of a tree lead out of it.
outward() {
  local root=$1 dir target count=0
  while IFS= read -r -d '' dir && IFS= read -r -d '' target; do
    if leaves "$root" "$dir" "$target"; then
      count=$((count + 1))
    fi
  done < <(find "$root" -type l -printf '%h\0%l\0')
  printf '%s\n' "$count"
}

mkdir "$out"
{
  printf '{"version":1,"missing":%s,"sources":[' "$(cat "$missingPath")"
  comma=
  while read -r name tree row; do
    ln -s "$tree" "$out/$name"
    root=$(readlink -f "$tree")
    bytes=$(du -s --apparent-size --block-size=1 "$root" | cut -f 1)
    files=$(find "$root" -type f -printf x | wc -c)
    printf '%s%s,"bytes":%s,"files":%s,"outward_links":%s}' \
      "$comma" "${row%\}}" "$bytes" "$files" "$(outward "$root")"
    comma=,
  done <"$rowsPath"
  printf ']}\n'
} >"$out/index.json"
