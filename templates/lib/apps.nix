# What `nix run` starts: a script that hands the manifest to the launcher. Its
# only variable parts are store paths and the name of an agent.
{
  pkgs,
  launcher,
  manifest,
  agents,
}:
let
  inherit (pkgs) lib;

  script =
    arguments:
    pkgs.stdenvNoCC.mkDerivation {
      name = "agentenv-app";
      __structuredAttrs = false;
      text = ''
        #!${pkgs.stdenvNoCC.shell or "${pkgs.bash}/bin/bash"}
        exec ${launcher}/bin/agentenv launch ${manifest} ${arguments}-- "$@"
      '';
      passAsFile = [ "text" ];
      buildCommand = ''
        mkdir -p "$out/bin"
        cp "$textPath" "$out/bin/agentenv-app"
        chmod +x "$out/bin/agentenv-app"
      '';
      preferLocalBuild = true;
      allowSubstitutes = false;
    };

  app = description: arguments: {
    type = "app";
    program = "${script arguments}/bin/agentenv-app";
    meta = { inherit description; };
  };

  shell = app "A shell in the sandbox" "--shell ";
  # Without a name the launcher starts the agent that the spec has first.
  first = app "The agent in its sandbox" "";
  named = builtins.listToAttrs (
    map (name: {
      inherit name;
      value = app "The agent ${name} in its sandbox" "--agent ${lib.escapeShellArg name} ";
    }) agents
  );
in
named
// {
  inherit shell;
  default = if agents == [ ] then shell else first;
}
// (if agents == [ ] then { } else { agent = first; })
