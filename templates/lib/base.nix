# What every environment has unless the spec says `base = false`, most important
# first: where two items have the same file, the earlier one gives it.
#
# names are tried in order, since package sets differ. vars point into the
# item's first output.
[
  {
    item = "bash";
    names = [
      "bashInteractive"
      "bash"
    ];
    vars = { };
  }
  {
    item = "coreutils";
    names = [ "coreutils" ];
    vars = { };
  }
  {
    item = "findutils";
    names = [ "findutils" ];
    vars = { };
  }
  {
    item = "gnugrep";
    names = [ "gnugrep" ];
    vars = { };
  }
  {
    item = "gnused";
    names = [ "gnused" ];
    vars = { };
  }
  {
    item = "gawk";
    names = [ "gawk" ];
    vars = { };
  }
  {
    item = "gnutar";
    names = [ "gnutar" ];
    vars = { };
  }
  {
    item = "gzip";
    names = [ "gzip" ];
    vars = { };
  }
  {
    item = "bzip2";
    names = [ "bzip2" ];
    vars = { };
  }
  {
    item = "xz";
    names = [ "xz" ];
    vars = { };
  }
  {
    item = "zstd";
    names = [ "zstd" ];
    vars = { };
  }
  {
    item = "diffutils";
    names = [ "diffutils" ];
    vars = { };
  }
  {
    item = "gnupatch";
    names = [
      "gnupatch"
      "patch"
    ];
    vars = { };
  }
  {
    item = "git";
    names = [
      "gitMinimal"
      "git"
    ];
    vars = { };
  }
  {
    item = "less";
    names = [ "less" ];
    vars = { };
  }
  {
    item = "which";
    names = [ "which" ];
    vars = { };
  }
  {
    item = "procps";
    names = [ "procps" ];
    vars = { };
  }
  {
    item = "cacert";
    names = [ "cacert" ];
    vars = {
      SSL_CERT_FILE = "etc/ssl/certs/ca-bundle.crt";
      NIX_SSL_CERT_FILE = "etc/ssl/certs/ca-bundle.crt";
    };
  }
  {
    item = "tzdata";
    names = [ "tzdata" ];
    vars = {
      TZDIR = "share/zoneinfo";
    };
  }
  {
    item = "ncurses";
    names = [ "ncurses" ];
    vars = {
      TERMINFO_DIRS = "share/terminfo";
    };
  }
  {
    item = "locale";
    names = [
      "glibcLocalesUtf8"
      "glibcLocales"
    ];
    vars = {
      LOCALE_ARCHIVE = "lib/locale/locale-archive";
    };
  }
]
