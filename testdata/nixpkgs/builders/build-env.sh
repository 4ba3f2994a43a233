# One tree of links. A directory that only one path has becomes one link; one
# that several have becomes a directory whose entries are merged in the same
# way. Two files of one name: the lower priority number wins, the same number
# is an error.
export PATH=$hostPath LC_ALL=C
shopt -s nullglob dotglob
declare -A owner # path below $out → priority of what lies there

# wanted prints whether a path is below pathsToLink, above it, or neither.
wanted() {
  local want
  for want in $pathsToLink; do
    want=${want%/}
    if [ -z "$want" ] || [ "$1" = "$want" ] || [[ $1 == "$want"/* ]]; then
      verdict=below
      return
    elif [ -z "$1" ] || [[ $want == "$1"/* ]]; then
      verdict=above
      return
    fi
  done
  verdict=none
}

# expand turns a link to a directory into a directory of links.
expand() {
  local at=$1 target
  target=$(readlink "$out$at")
  rm "$out$at"
  mkdir "$out$at"
  link "${owner[$at]}" "$target" "$at"
}

# link links the entries of directory $2 into directory $3 of the result.
link() {
  local priority=$1 from=$2 to=$3 entry at
  for entry in "$from"/*; do
    at=$to/${entry##*/}
    wanted "$at"
    [ "$verdict" != none ] || continue
    if [ "$verdict" = above ] && [ -d "$entry" ]; then
      mkdir -p "$out$at"
      link "$priority" "$entry" "$at"
    elif [ ! -e "$out$at" ] && [ ! -L "$out$at" ]; then
      ln -s "$entry" "$out$at"
      owner[$at]=$priority
    elif [ -d "$out$at" ] && [ -d "$entry" ]; then
      [ ! -L "$out$at" ] || expand "$at"
      link "$priority" "$entry" "$at"
    else
      collide "$priority" "$entry" "$at"
    fi
  done
}

# The sources come best priority first, so what is there is kept or an equal.
collide() {
  if [ "${owner[$3]:-}" != "$1" ] || [ -n "${ignoreCollisions:-}" ] || [ "$(realpath "$2")" = "$(realpath "$out$3")" ]; then
    return
  fi
  echo "error: collision between \`$(realpath "$2")' and \`$(realpath "$out$3")'" >&2
  exit 1
}

mkdir -p "$out"
while read -r priority path; do
  if [ -n "$path" ]; then
    link "$priority" "$path" ""
  fi
done < <(sort -s -n -k1,1 <<<"$sources")
eval "${postBuild:-}"
