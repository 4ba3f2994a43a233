package starter

import "slices"

// Kinds is the table of kinds of project. A project may be of several.
func Kinds() []Kind { return slices.Clone(kinds) }

var kinds = []Kind{
	{Name: "Go", Files: []string{"go.mod", "go.work"}, Packages: []string{"go", "gopls"}, Source: "go",
		Hosts: []string{"proxy.golang.org:443", "sum.golang.org:443"}},

	{Name: "Node.js", Files: []string{"package.json"}, Packages: []string{"nodejs"}, Source: "nodejs", Hosts: npm},
	{Name: "pnpm", Files: []string{"pnpm-lock.yaml", "pnpm-workspace.yaml"}, Packages: []string{"pnpm"}, Hosts: npm},
	{Name: "Yarn", Files: []string{"yarn.lock"}, Packages: []string{"yarn"}, Hosts: []string{"registry.yarnpkg.com:443"}},
	{Name: "Bun", Files: []string{"bun.lock", "bun.lockb", "bunfig.toml"}, Packages: []string{"bun"}, Hosts: npm},
	{Name: "Deno", Files: []string{"deno.json", "deno.jsonc", "deno.lock"}, Packages: []string{"deno"},
		Hosts: []string{"deno.land:443", "jsr.io:443", "registry.npmjs.org:443"}},

	{Name: "Python", Files: []string{"pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "Pipfile"}, Packages: []string{"python3"}, Source: "python3",
		Hosts: []string{"pypi.org:443", "files.pythonhosted.org:443"}},
	{Name: "uv", Files: []string{"uv.lock"}, Packages: []string{"uv"}},
	{Name: "Poetry", Files: []string{"poetry.lock"}, Packages: []string{"poetry"}},

	{Name: "Rust", Files: []string{"Cargo.toml"}, Packages: []string{"cargo", "rustc", "clippy", "rustfmt", "rust-analyzer", "gcc"}, Source: "rustc",
		Hosts: []string{"index.crates.io:443", "static.crates.io:443"}},

	{Name: "Maven", Files: []string{"pom.xml"}, Packages: []string{"jdk", "maven"}, Hosts: maven},
	{Name: "Gradle", Files: []string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}, Packages: []string{"jdk", "gradle"},
		Hosts: []string{"repo.maven.apache.org:443", "plugins.gradle.org:443", "services.gradle.org:443"}},
	{Name: "Scala", Files: []string{"build.sbt"}, Packages: []string{"jdk", "sbt"}, Hosts: maven},
	{Name: "Clojure", Files: []string{"deps.edn", "project.clj"}, Packages: []string{"jdk", "clojure", "leiningen"},
		Hosts: []string{"repo.clojars.org:443", "repo.maven.apache.org:443"}},
	{Name: ".NET", Files: []string{"*.sln", "*.slnx", "*.csproj", "*.fsproj", "global.json"}, Packages: []string{"dotnet-sdk"},
		Hosts: []string{"api.nuget.org:443"}},

	{Name: "CMake", Files: []string{"CMakeLists.txt"}, Packages: []string{"cmake", "ninja", "gcc", "pkg-config"}},
	{Name: "Meson", Files: []string{"meson.build"}, Packages: []string{"meson", "ninja", "gcc", "pkg-config"}},
	{Name: "Autotools", Files: []string{"configure.ac", "configure.in"}, Packages: []string{"autoconf", "automake", "libtool", "gnumake", "gcc", "pkg-config"}},
	{Name: "C", Files: []string{"*.c", "*.cc", "*.cpp", "*.cxx"}, Packages: []string{"gcc"}},
	{Name: "Make", Files: []string{"Makefile", "GNUmakefile", "makefile"}, Packages: []string{"gnumake"}},
	{Name: "just", Files: []string{"justfile", "Justfile", ".justfile"}, Packages: []string{"just"}},
	{Name: "Zig", Files: []string{"build.zig"}, Packages: []string{"zig"}},

	{Name: "Ruby", Files: []string{"Gemfile", "*.gemspec"}, Packages: []string{"ruby", "bundler"}, Source: "ruby",
		Hosts: []string{"rubygems.org:443", "index.rubygems.org:443"}},
	{Name: "PHP", Files: []string{"composer.json"}, Packages: []string{"php", "phpPackages.composer"},
		Hosts: []string{"repo.packagist.org:443", "api.github.com:443", "codeload.github.com:443"}},
	{Name: "Elixir", Files: []string{"mix.exs"}, Packages: []string{"elixir", "erlang"}, Source: "elixir", Hosts: hex},
	{Name: "Erlang", Files: []string{"rebar.config"}, Packages: []string{"erlang", "rebar3"}, Source: "erlang", Hosts: hex},
	{Name: "Gleam", Files: []string{"gleam.toml"}, Packages: []string{"gleam", "erlang"}, Hosts: hex},
	{Name: "OCaml", Files: []string{"dune-project", "*.opam"}, Packages: []string{"ocaml", "dune_3", "ocamlPackages.findlib"}, Source: "ocaml",
		Hosts: []string{"opam.ocaml.org:443"}},
	{Name: "Haskell", Files: []string{"*.cabal", "cabal.project", "stack.yaml"}, Packages: []string{"ghc", "cabal-install"},
		Hosts: []string{"hackage.haskell.org:443"}},
	{Name: "Dart", Files: []string{"pubspec.yaml"}, Packages: []string{"dart"}, Hosts: []string{"pub.dev:443"}},
	{Name: "Julia", Files: []string{"Project.toml", "Manifest.toml"}, Packages: []string{"julia"}, Hosts: []string{"pkg.julialang.org:443"}},
	{Name: "R", Files: []string{"DESCRIPTION", "renv.lock"}, Packages: []string{"R"}, Hosts: []string{"cloud.r-project.org:443"}},
	{Name: "Terraform", Files: []string{"*.tf"}, Packages: []string{"opentofu"}, Hosts: []string{"registry.opentofu.org:443"}},
}

// Hosts of registries that several kinds use.
var (
	npm   = []string{"registry.npmjs.org:443"}
	maven = []string{"repo.maven.apache.org:443"}
	hex   = []string{"repo.hex.pm:443", "builds.hex.pm:443"}
)
