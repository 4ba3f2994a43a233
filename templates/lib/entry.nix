# How an entry of the spec is named in what Nix prints, in a form that agentenv
# reads back. tryEval catches neither abort nor a missing argument and drops the
# message of a throw, so a name in the error trace is all that survives.
rec {
  # line is one finding about one entry. The code is a word of the table in
  # agentenv's internal/nix.
  line =
    {
      id,
      code,
      message,
    }:
    "agentenv: entry ${builtins.toJSON id}: ${code}: ${message}";

  # fail ends the evaluation with every finding of a list. A message may quote a
  # package, whose name may die as well.
  fail =
    findings:
    throw (builtins.concatStringsSep "\n" (map (finding: within finding.id (line finding)) findings));

  # within evaluates value, and names the entry in the trace if that dies.
  within = id: value: builtins.addErrorContext "agentenv: within entry ${builtins.toJSON id}" value;
}
