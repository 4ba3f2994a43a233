# A pinned repository as a source tree: the input's own store path, unchanged.
{ inputs }:
source:
let
  input = inputs.${source.input};
in
if !(inputs ? ${source.input}) then
  {
    finding = {
      inherit (source) id;
      code = "missing";
      message = "the flake has no input ${builtins.toJSON source.input}";
    };
  }
else
  {
    tree = input.outPath;
    record = {
      package = null;
      version = null;
      urls = [ ];
      revision = input.rev or null;
      hash = input.narHash or null;
      homepage = null;
      licences = [ ];
      patches = [ ];
      patched = false;
      via = null;
      source = true;
      notes = [ ];
    };
  }
