package workspace

import "slices"

// RunPlaces are the files and directories that the human's programs run, load or
// build from outside of the sandbox without asking: what an agent writes there
// runs as the human, later. No grant to write may be one, lie in one or hold one.
// Paths have the form of those of SecretPlaces, which are not repeated: no grant
// opens one of those anyway.
func RunPlaces() []string { return slices.Clone(runPlaces) }

// Each group names why it runs.
var runPlaces = []string{
	// Read by a shell when it starts or ends: bash(1) INVOCATION, zsh(1)
	// STARTUP/SHUTDOWN FILES, fish(1), ksh(1), tcsh(1), and their frameworks.
	".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".bash_completion", ".inputrc", ".blerc", ".config/bash", ".local/share/bash-completion",
	".zshenv", ".zshrc", ".zprofile", ".zlogin", ".zlogout", ".zsh", ".config/zsh", ".oh-my-zsh", ".antigen", ".zinit", ".zplug", ".p10k.zsh", ".config/fish", ".kshrc", ".mkshrc",
	".cshrc", ".tcshrc", ".login", ".logout", ".config/nushell", ".config/elvish", ".xonshrc", ".config/xonsh", ".config/powershell", ".config/starship.toml", ".oh-my-bash",
	// Started or set at login: xinit(1), Xsession(5), pam_env(8),
	// environment.d(5), systemd.unit(5), the autostart and desktop entry
	// specifications, D-Bus activation.
	".xprofile", ".xinitrc", ".xserverrc", ".xsession", ".xsessionrc", ".Xresources", ".Xdefaults", ".pam_environment", ".config/environment.d", ".config/systemd", ".local/share/systemd",
	".config/autostart", ".config/autostart-scripts", ".config/plasma-workspace", ".local/share/applications", ".config/mimeapps.list", ".mailcap", ".local/share/dbus-1",
	".local/share/gnome-shell", ".local/share/plasma", ".local/share/kwin", ".local/share/kio", ".local/share/nautilus", ".local/share/nemo",
	// Window managers and bars, whose configuration names commands.
	".config/i3", ".i3", ".config/sway", ".config/hypr", ".config/niri", ".config/river", ".config/awesome", ".config/bspwm", ".config/sxhkd", ".config/qtile", ".config/herbstluftwm",
	".xmonad", ".config/xmonad", ".config/openbox", ".fluxbox", ".config/waybar", ".config/polybar", ".config/eww", ".config/rofi", ".config/dunst",
	// Terminals and multiplexers: the shell, key bindings and plugins that they run.
	".config/kitty", ".config/wezterm", ".wezterm.lua", ".config/alacritty", ".config/ghostty", ".config/foot", ".tmux.conf", ".tmux", ".config/tmux", ".screenrc", ".config/zellij",
	// Programs in a directory that is on PATH by habit, and the version managers
	// that choose them.
	"bin", ".bin", ".local/bin", ".local/sbin", ".cargo/bin", "go/bin", ".go/bin", ".npm-global", ".npm-packages", ".local/share/npm", ".local/share/pnpm", ".yarn", ".bun", ".deno",
	".rbenv", ".rvm", ".pyenv", ".nvm", ".nodenv", ".goenv", ".jenv", ".asdf", ".local/share/mise", ".config/mise", ".sdkman", ".volta", ".fnm", ".local/share/fnm", ".rustup",
	".cabal/bin", ".ghcup", ".stack", ".opam", ".nimble", ".luarocks", ".dotnet", ".krew", ".juliaup", ".pixi", ".local/share/coursier", ".local/share/uv", ".local/share/pipx",
	".local/pipx", ".local/lib", ".conda", "miniconda3", "anaconda3", "miniforge3", ".local/share/flatpak", ".nix-profile", ".nix-defexpr", ".local/state/nix", ".local/state/home-manager", ".linuxbrew",
	// Evaluated or switched to by Nix and home-manager, and by other managers of
	// dot files.
	".config/nixpkgs", ".nixpkgs", ".config/home-manager", ".local/share/chezmoi", ".config/chezmoi", ".config/yadm", ".local/share/yadm",
	// Version control: hooks, aliases, filters, pagers and helpers
	// (git-config(1), githooks(5), gitattributes(5)), and its front ends.
	".gitconfig", ".config/git", ".git-templates", ".git-template", ".githooks", ".git-hooks", ".config/jj", ".config/hg", ".jjconfig.toml", ".config/lazygit", ".tigrc", ".config/tig",
	// Loaded by editors and debuggers.
	".vimrc", ".vim", ".gvimrc", ".config/vim", ".config/nvim", ".local/share/nvim", ".exrc", ".emacs", ".emacs.el", ".emacs.d", ".config/emacs", ".doom.d", ".config/doom", ".spacemacs",
	".spacemacs.d", ".vscode", ".vscode-oss", ".config/helix", ".config/kak", ".config/micro", ".config/sublime-text", ".config/lite-xl", ".ideavimrc", ".gdbinit", ".config/gdb", ".lldbinit",
	// direnv(1) and its standard library; its allow list is a place of secrets.
	".direnvrc",
	// Read by an interpreter, a client or a file manager when it starts.
	".pythonrc", ".pythonrc.py", ".pythonstartup", ".pystartup", ".ipython", ".jupyter", ".local/share/jupyter", ".irbrc", ".pryrc", ".railsrc", ".Rprofile", ".Renviron", ".julia/config",
	".ghci", ".ghc", ".guile", ".sbclrc", ".psqlrc", ".sqliterc", ".perldb", ".octaverc", ".erlang", ".iex.exs", ".config/k9s", ".config/ranger", ".config/lf", ".config/nnn", ".config/yazi",
	".config/mpv", ".lessfilter", ".config/just", ".config/makepkg", ".makepkg.conf", ".rpmmacros", ".quiltrc", ".sbuildrc", ".pbuilderrc", ".task", ".taskrc",
	// Configuration of build tools that names programs to run: cargo's
	// rustc-wrapper, runner and linker, Gradle's and Maven's extensions, sbt,
	// bazelrc(5), ccache's compiler.
	".cargo/config", ".cargo/config.toml", ".cargo/env", ".gradle/init.d", ".gradle/init.gradle", ".gradle/init.gradle.kts", ".m2/extensions.xml", ".mavenrc", ".sbt", ".bazelrc", ".config/go",
	".config/ccache", ".mill", ".lein", ".clojure", ".config/yarn", ".config/pnpm", ".gemrc", ".bundle", ".rspec",
	// Caches of code that a build outside takes as it is: what was unpacked or
	// compiled is not held against a checksum again.
	".cargo/registry", ".cargo/git", "go/pkg", ".cache/go-build", ".gradle/caches", ".gradle/wrapper", ".m2/repository", ".m2/wrapper", ".ivy2", ".cache/coursier", ".npm", ".cache/yarn",
	".cache/pip", ".cache/pypoetry", ".cache/uv", ".cache/pre-commit", ".cache/sccache", ".cache/ccache", ".ccache", ".cache/bazel", ".cache/bazelisk", ".cache/zig", ".cache/typescript",
	".cache/ms-playwright", ".cache/puppeteer", ".cache/electron", ".cache/node", ".cache/deno", ".cache/composer", ".cache/nix", ".cache/direnv", ".cache/dune", ".cache/cabal", ".cabal/packages", ".cabal/store",
	".gem", ".local/share/gem", ".mix", ".cache/rebar3", ".julia", ".pub-cache", ".conan", ".conan2", ".vcpkg", ".cache/vim", ".cache/nvim", ".cache/starship", ".cache/zsh", ".cache/p10k",
	// Of the machine: what boots, logs in, is scheduled and is on everybody's PATH.
	"/etc", "/boot", "/bin", "/sbin", "/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib",
	"/usr/local/etc", "/usr/local/share", "/var/spool/at", "/var/spool/anacron", "/var/lib/systemd", "/var/lib/dpkg", "/opt/bin",
}
