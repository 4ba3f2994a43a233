# The names of a set that someone who wrote this name may have meant, nearest
# first, at most three. Only names are looked at: no value is evaluated.
{ lib }:
name: candidates:
let
  length = builtins.stringLength name;
  first = builtins.substring 0 1 name;
  # A package set has tens of thousands of names, and the distance is costly.
  plausible =
    candidate:
    let
      difference = builtins.stringLength candidate - length;
    in
    difference <= 2 && difference >= -2 && builtins.substring 0 1 candidate == first;
  measured = map (candidate: {
    inherit candidate;
    distance = lib.strings.levenshtein name candidate;
  }) (builtins.filter plausible candidates);
  limit = if length < 6 then 1 else 2;
  close = builtins.filter (m: m.distance <= limit) measured;
  nearest = builtins.sort (a: b: a.distance < b.distance) close;
in
map (m: m.candidate) (lib.take 3 nearest)
