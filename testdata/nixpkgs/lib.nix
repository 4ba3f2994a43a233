# The functions of Nixpkgs' lib that agentenv's Nix library calls, written anew
# for the fixture. Real package sets bring their own.
let
  inherit (builtins)
    elemAt
    genList
    head
    length
    stringLength
    substring
    tail
    ;

  characters = text: genList (position: substring position 1 text) (stringLength text);

  # The edit distance, row by row of the usual table.
  levenshtein =
    a: b:
    let
      bs = characters b;
      smallest = x: y: if x < y then x else y;
      nextRow =
        row: character:
        builtins.foldl' (
          next: column:
          let
            change = if elemAt bs column == character then 0 else 1;
            here = smallest (elemAt row column + change) (
              smallest (elemAt row (column + 1) + 1) (elemAt next column + 1)
            );
          in
          next ++ [ here ]
        ) [ (head row + 1) ] (genList (column: column) (length bs));
      last = builtins.foldl' nextRow (genList (column: column) (length bs + 1)) (characters a);
    in
    elemAt last (length bs);

  findFirst =
    accepts: default: list:
    if list == [ ] then
      default
    else if accepts (head list) then
      head list
    else
      findFirst accepts default (tail list);
in
{
  strings = { inherit levenshtein; };

  isDerivation = value: (value.type or null) == "derivation";

  optional = condition: value: if condition then [ value ] else [ ];

  toList = value: if builtins.isList value then value else [ value ];

  take = count: list: genList (elemAt list) (if count < length list then count else length list);

  imap0 =
    function: list:
    genList (position: function position (elemAt list position)) (length list);

  inherit findFirst;

  escapeShellArg = argument: "'${builtins.replaceStrings [ "'" ] [ "'\\''" ] (toString argument)}'";
}
