package workspace

import "slices"

// SecretPlaces are the files and directories that hold a human's credentials
// and what could be used to act as them. No spec opens one: a grant must not be
// one, lie in one or hold one. A relative path is below the home directory, an
// absolute one is what it is; all are clean, and none ends in a slash. Places
// that do not exist on a machine are in the list all the same.
//
// XDG_CONFIG_HOME and its like may move some of them; whoever knows the
// environment adds those places.
func SecretPlaces() []string { return slices.Clone(secretPlaces) }

// Each group names where its paths come from.
var secretPlaces = []string{
	// Remote shells: ssh(1) FILES, putty's storage, mosh has none.
	".ssh", ".putty", ".config/putty",
	// Keys to sign and decrypt: gpg(1) FILES, age's usual places (age and sops
	// documentation), minisign(1), signify's habit, sigstore's cache of tokens.
	".gnupg", ".config/age", ".age", ".config/sops", ".minisign", ".signify", ".sigstore", ".config/gitsign",
	// Passwords: pass(1), gopass, KeePassXC, Bitwarden's, 1Password's and
	// ProtonPass's command lines and applications, LastPass's cache.
	".password-store", ".local/share/gopass", ".config/gopass", ".config/keepassxc", ".cache/keepassxc", ".config/Bitwarden", ".config/Bitwarden CLI",
	".config/op", ".op", ".config/1Password", ".config/Proton Pass", ".local/share/proton-pass-cli", ".lpass", ".local/share/lpass",
	// Keyrings of the desktop: gnome-keyring and KWallet, and the older places.
	".local/share/keyrings", ".gnome2/keyrings", ".local/share/kwalletd", ".kde/share/apps/kwallet", ".pki",
	// Kerberos: credential caches and keytabs of krb5.conf(5), by habit.
	".krb5", ".k5login", ".k5identity",
	// Clouds: the places named in the documentation of each command line tool.
	".aws", ".azure", ".config/gcloud", ".boto", ".gsutil", ".oci", ".aliyun", ".bluemix", ".config/doctl", ".config/scw", ".config/hcloud",
	".config/linode-cli", ".config/exoscale", ".config/flyctl", ".fly", ".config/heroku", ".local/share/heroku", ".config/configstore", ".config/netlify", ".config/.wrangler",
	".wrangler", ".local/share/com.vercel.cli", ".vercel", ".railway", ".config/rclone", ".s3cfg", ".mc", ".config/openstack", ".config/gdrive3",
	// Clusters and infrastructure: kubectl, talosctl, terraform and tofu, pulumi,
	// vault, consul and nomad, ansible, chef, boundary, teleport.
	".kube", ".talos", ".terraform.d", ".terraformrc", ".tofurc", ".config/opentofu", ".pulumi", ".vault-token", ".consul-token", ".ansible", ".vault_pass", ".chef", ".tsh",
	".config/helm", ".config/argocd", ".argocd",
	// Containers: docker login and contexts, podman's auth.json, buildx keys.
	".docker", ".config/containers", ".local/share/docker", ".local/share/containers",
	// Forges and their tools: gh, glab, hub, tea, jj and git credentials
	// (gitcredentials(7), git-credential-store(1)), git-credential-manager.
	".config/gh", ".config/hub", ".config/glab-cli", ".config/tea", ".git-credentials", ".config/git/credentials", ".gcm", ".local/share/gcm-core", ".cache/git",
	".config/gitlab-runner", ".gitlab-runner", ".config/act", ".circleci", ".travis",
	// Logins by file: netrc(5), curl, wget, authinfo of Emacs, subversion, CVS,
	// Mercurial, postgres(pgpass), mysql, mongodb, redis, psql's service file.
	".netrc", "_netrc", ".curlrc", ".wgetrc", ".wget-hsts", ".authinfo", ".authinfo.gpg", ".subversion/auth", ".cvspass", ".hgrc", ".pgpass", ".pg_service.conf",
	".my.cnf", ".mylogin.cnf", ".mongorc.js", ".dbshell", ".rediscli_auth", ".config/pgcli", ".config/mycli",
	// Registries of packages: npm, yarn, pip, poetry, twine, cargo, gem and
	// bundler, composer, maven, gradle, nuget, hex, cabal, conda, docker above,
	// hugging face, kaggle, cachix, attic, Nix's access tokens.
	".npmrc", ".yarnrc", ".yarnrc.yml", ".config/pip", ".pip", ".config/pypoetry", ".pypirc", ".cargo/credentials", ".cargo/credentials.toml",
	".gem/credentials", ".local/share/gem/credentials", ".bundle/config", ".config/composer/auth.json", ".composer/auth.json", ".m2/settings.xml", ".m2/settings-security.xml",
	".gradle/gradle.properties", ".nuget", ".config/NuGet", ".hex", ".cabal/config", ".condarc", ".continuum", ".huggingface", ".cache/huggingface/token",
	".cache/huggingface/stored_tokens", ".kaggle", ".config/cachix", ".config/attic", ".config/nix", ".config/netrc",
	// Browsers: profiles hold cookies and saved passwords.
	".mozilla", ".config/mozilla", ".librewolf", ".waterfox", ".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/chromium",
	".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".cache/mozilla", ".cache/google-chrome", ".cache/chromium",
	".local/share/qutebrowser", ".config/qutebrowser", ".local/share/torbrowser", ".tor", ".local/share/epiphany", ".zen", ".config/zen",
	// The same as sandboxed applications: flatpak(1) and snap keep every
	// application's data there.
	".var/app", "snap",
	// Mail and messages: mailbox, sessions and tokens of the usual programs.
	".thunderbird", ".config/evolution", ".local/share/evolution", ".mutt", ".muttrc", ".config/mutt", ".config/neomutt", ".config/aerc", ".msmtprc", ".config/msmtp",
	".mbsyncrc", ".config/isync", ".offlineimaprc", ".fetchmailrc", ".config/himalaya", ".mail", "Maildir", ".config/Signal", ".config/Slack", ".config/discord",
	".config/Element", ".local/share/TelegramDesktop", ".config/weechat", ".local/share/weechat", ".weechat", ".irssi",
	// Coins: the default wallets of the usual clients.
	".bitcoin", ".electrum", ".ethereum", ".config/solana", ".monero", ".litecoin",
	// Virtual networks: wireguard and openvpn by user, NetworkManager's user
	// certificates, tailscale.
	".config/wireguard", ".openvpn", ".config/openvpn", ".cert", ".local/share/tailscale", ".cloudflared",
	// Histories: bash(1) HISTFILE, zsh, fish, and the REPLs and pagers that keep
	// what was typed, tokens included.
	".bash_history", ".zsh_history", ".zhistory", ".histfile", ".history", ".local/share/fish", ".local/state/bash", ".local/state/zsh", ".local/share/zsh", ".local/share/atuin",
	".local/share/mcfly", ".sh_history", ".ksh_history", ".python_history", ".node_repl_history", ".irb_history", ".psql_history", ".mysql_history", ".sqlite_history",
	".rediscli_history", ".lesshst", ".viminfo", ".local/state/nvim", ".local/share/nvim/shada", ".emacs.d/auto-save-list",
	// Clipboards and screens that were recorded.
	".cache/clipboard", ".local/share/klipper", ".cache/cliphist", ".xsession-errors", ".Xauthority", ".ICEauthority",
	// The agents' own directories, with their logins and every conversation
	// (each agent's documentation; CLAUDE_CONFIG_DIR, CODEX_HOME and
	// GEMINI_CLI_HOME default to these).
	".claude", ".claude.json", ".config/claude", ".local/share/claude", ".config/Claude", ".codex", ".config/codex", ".gemini", ".config/opencode", ".local/share/opencode", ".local/state/opencode",
	".opencode", ".aider", ".aider.conf.yml", ".aider.chat.history.md", ".config/goose", ".local/share/goose", ".continue", ".cursor", ".config/Cursor", ".copilot", ".config/github-copilot",
	".config/amp", ".local/share/amp", ".qwen", ".crush", ".config/crush", ".local/share/crush", ".codeium", ".windsurf", ".tabnine", ".config/openai", ".config/llm", ".config/io.datasette.llm",
	// Editors' state: saved tokens of extensions, and unsaved buffers.
	".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".vscode-server", ".vscode-remote", ".config/JetBrains", ".local/share/JetBrains", ".config/zed", ".local/share/zed",
	// What may run without asking: direnv's allow list, and agentenv's own
	// approvals, drafts and caches.
	".local/share/direnv", ".config/direnv", ".config/agentenv", ".local/state/agentenv", ".cache/agentenv",
	// Of the machine: passwords, host keys, Nix's tokens, units' credentials,
	// secrets decrypted at boot, network keys, and every user's service data.
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/nix", "/etc/krb5.keytab",
	"/etc/credstore", "/etc/credstore.encrypted", "/etc/wireguard", "/etc/openvpn", "/etc/NetworkManager/system-connections", "/etc/wpa_supplicant", "/etc/docker", "/etc/rancher", "/etc/kubernetes",
	"/etc/letsencrypt", "/etc/polkit-1", "/var/lib/sops-nix", "/var/lib/docker", "/var/lib/containers", "/var/lib/kubelet", "/var/lib/systemd/credential.secret", "/var/lib/NetworkManager",
	"/var/lib/tailscale", "/var/lib/private", "/var/spool/cron", "/var/spool/mail", "/var/mail",
}

// Hides says which names are left out of a tree. Both are globs of doublestar,
// slash-separated and relative to the tree. What matches one of Hide is hidden,
// unless it matches one of Except; a hidden directory is hidden whole, whatever
// Except says of names in it.
type Hides struct {
	Hide   []string
	Except []string
	Keyed  []string // hidden only when the file holds a private key or a password
}

// DefaultHides are the names that are hidden in every checkout and in the
// project, whatever the spec says: files that by their name hold a credential.
// Names that only often do, such as config.json, are left alone: a hidden file
// that a build needs costs the human more than it protects.
func DefaultHides() Hides {
	return Hides{Hide: slices.Clone(defaultHides), Except: slices.Clone(exceptHides), Keyed: slices.Clone(keyedHides)}
}

var defaultHides = []string{
	// Environment files by the habit of dotenv, and direnv's, which often export
	// tokens. The name with something in front is a habit too (prod.env).
	"**/.env", "**/.env.*", "**/.env-*", "**/.env_*", "**/.env~", "**/#.env#", "**/.ENV", "**/*.env", "**/*.env.*", "**/.envrc", "**/.envrc.*", "**/.direnv", "**/.flaskenv",
	// Private keys: the names of ssh-keygen(1), and the extensions of PEM, PKCS#8,
	// PKCS#12, Java key stores, putty and age.
	"**/id_rsa", "**/id_dsa", "**/id_ecdsa", "**/id_ecdsa_sk", "**/id_ed25519", "**/id_ed25519_sk", "**/ssh_host_*_key",
	"**/*.p8", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.ppk", "**/*.kdbx", "**/*.agekey", "**/*.ovpn", "**/*.keytab",
	"**/secring.*", "**/.gnupg", "**/.ssh",
	// Logins by file, as in SecretPlaces, which tools also read from a project.
	"**/.netrc", "**/_netrc", "**/.pypirc", "**/.git-credentials", "**/.pgpass", "**/.my.cnf", "**/.htpasswd",
	"**/.vault_pass", "**/.vault-token", "**/.aws", "**/.azure", "**/.kube", "**/.docker/config.json", "**/.dockercfg", "**/.terraformrc", "**/.s3cfg", "**/.boto",
	// Credentials of clouds and OAuth clients, as downloaded. A bare credentials is
	// left alone: it is a package's directory as often as a file.
	"**/credentials.json", "**/credentials.yaml", "**/credentials.yml", "**/client_secret*.json", "**/service-account*.json", "**/service_account*.json",
	"**/gha-creds-*.json", "**/application_default_credentials.json", "**/*.kubeconfig",
	// Repositories of other systems, whose stored blobs would undo every hide, as
	// git's would.
	"**/.hg", "**/.jj", "**/.sl", "**/.bare",
	// Secrets by name. secrets.yaml is left alone: it is Helm's name for a
	// template, and what sops encrypts.
	"**/.secrets", "**/.streamlit/secrets.toml", "**/master.key",
	// State of Terraform holds every value in the clear.
	"**/*.tfstate", "**/*.tfstate.*",
	// The agents' and editors' settings for one machine, which hold tokens by
	// habit.
	"**/.claude/settings.local.json", "**/.aider.chat.history.md", "**/.aider.input.history",
}

// PEM holds certificates as often as keys, and a tree without its certificates
// does not build or pass its tests; .npmrc names registries as often as it holds
// their tokens.
var keyedHides = []string{"**/*.pem", "**/*.key", "**/.npmrc"}

// Templates to copy and public halves: their names match, their content is
// meant to be read.
var exceptHides = []string{
	"**/.env.example", "**/.env.*.example", "**/.env.sample", "**/.env.*.sample", "**/.env.template", "**/.env.*.template", "**/.env.dist", "**/.env.defaults",
	"**/example.env", "**/sample.env", "**/template.env", "**/.envrc.example", "**/.envrc.sample", "**/.envrc.template",
	"**/*.pub.pem", "**/*.crt.pem", "**/cacert.pem", "**/ca-bundle.pem", "**/public.pem", "**/public_key.pem",
}
