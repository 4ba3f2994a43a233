# What Nixpkgs calls stdenv, in the shape that its users rely on: extra
# attributes become environment variables, `passthru` and `meta` lie on the
# result, and a package that may not be used throws at its drvPath and outPath
# only, so that its `src` can be had.
{
  pkgs,
  lib,
  host,
  config,
  system,
}:
let
  inherit (builtins)
    concatMap
    concatStringsSep
    elem
    head
    isFunction
    isList
    listToAttrs
    ;

  reserved = [
    "env"
    "meta"
    "passthru"
  ];

  licences = meta: if isList (meta.license or [ ]) then meta.license or [ ] else [ meta.license ];
  isUnfree = meta: builtins.any (licence: !(licence.free or true)) (licences meta);

  allowsUnfree = config.allowUnfreePredicate or (_: config.allowUnfree or false);
  allowsInsecure = name: elem name (config.permittedInsecurePackages or [ ]);

  refusal =
    name: attrs: meta:
    if isUnfree meta && !(allowsUnfree attrs) then
      "Package ‘${name}’ has an unfree license, refusing to evaluate."
    else if meta.knownVulnerabilities or [ ] != [ ] && !(allowsInsecure name) then
      "Package ‘${name}’ is marked as insecure, refusing to evaluate."
    else
      null;

  # extend adds what Nix itself does not know to a derivation and to each of
  # its outputs, and makes them throw where `problem` is not null.
  extend =
    problem: extra: outputs: drv:
    let
      checked = value: if problem == null then value else throw problem;
      guard = o: {
        drvPath = checked o.drvPath;
        outPath = checked o.outPath;
      };
      common =
        drv
        // listToAttrs (
          map (name: {
            inherit name;
            value = common // guard drv.${name} // {
              inherit (drv.${name}) type outputName;
              outputSpecified = true;
            };
          }) outputs
        )
        // extra;
    in
    common // guard drv;

  mkDerivation =
    argument:
    let
      attrs = if isFunction argument then argument (attrs // { finalPackage = result; }) else argument;
      name = attrs.name or "${attrs.pname}-${attrs.version}";
      outputs = attrs.outputs or [ "out" ];
      at = builtins.unsafeGetAttrPos (if attrs ? pname then "pname" else "name") attrs;
      given = attrs.meta or { };
      problem = refusal name attrs given;
      meta = {
        inherit name;
        available = problem == null;
        unfree = isUnfree given;
        outputsToInstall =
          if elem "bin" outputs then
            [ "bin" ]
          else if elem "out" outputs then
            [ "out" ]
          else
            [ (head outputs) ];
      }
      // (if at == null then { } else { position = "${at.file}:${toString at.line}"; })
      // given;
      drv = derivation (
        {
          builder = host.bash;
          args = [
            "-e"
            ./builders/setup.sh
          ];
          hostPath = host.path;
          __ignoreNulls = true;
        }
        // removeAttrs attrs reserved
        // attrs.env or { }
        // {
          inherit name system outputs;
        }
      );
      override =
        f:
        mkDerivation (
          attrs // (if isFunction (f attrs) then f attrs attrs else f attrs)
        );
      extra =
        attrs.passthru or { }
        // {
          inherit meta;
          passthru = attrs.passthru or { };
          overrideAttrs = override;
        };
      result = extend problem extra outputs drv;
    in
    result;

  # Every chosen output of every path, best priority first.
  installed =
    extraOutputs: path:
    if path.outputSpecified or false then
      [ path ]
    else
      map (o: path.${o} or path) (
        (path.meta.outputsToInstall or [ (path.outputName or "out") ])
        ++ builtins.filter (o: path ? ${o}) extraOutputs
      );
  priority = path: path.meta.priority or 5;

  buildEnv =
    {
      name,
      paths,
      pathsToLink ? [ "/" ],
      ignoreCollisions ? false,
      extraOutputsToInstall ? [ ],
      postBuild ? "",
      meta ? { },
      passthru ? { },
    }:
    mkDerivation {
      inherit
        name
        pathsToLink
        ignoreCollisions
        postBuild
        meta
        ;
      passthru = passthru // {
        inherit paths;
      };
      args = [
        "-e"
        ./builders/build-env.sh
      ];
      preferLocalBuild = true;
      sources = concatStringsSep "\n" (
        concatMap (
          path: map (output: "${toString (priority path)} ${output}") (installed extraOutputsToInstall path)
        ) paths
      );
    };

  runCommand =
    name: attrs: buildCommand:
    mkDerivation (attrs // { inherit name buildCommand; });

  # As Nixpkgs' fetchurl, for a file that the fixture makes itself: a flat file
  # whose hash is fixed, so its store path says nothing of how it came.
  fetchurl =
    {
      url,
      hash,
      make,
    }:
    mkDerivation {
      name = baseNameOf url;
      buildCommand = make;
      outputHash = hash;
      outputHashMode = "flat";
      urls = [ url ];
      passthru = {
        inherit url;
      };
    };

  platform = {
    inherit system;
    isLinux = true;
    isx86_64 = system == "x86_64-linux";
    isAarch64 = system == "aarch64-linux";
  };
  stdenvNoCC = {
    inherit mkDerivation system;
    cc = null;
    hostPlatform = platform;
    buildPlatform = platform;
    targetPlatform = platform;
    isLinux = true;
    shell = "${pkgs.bash}/bin/bash";
  };
in
{
  inherit
    buildEnv
    fetchurl
    runCommand
    stdenvNoCC
    ;
  stdenv = stdenvNoCC // {
    cc = {
      name = "cc-of-the-host";
      bintools.dynamicLinker = "${pkgs.glibc}/lib/${host.loader}";
    };
  };
}
