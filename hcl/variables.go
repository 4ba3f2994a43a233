package hcl

import (
	"strings"
)

var variableRE = lazily(`^[A-Za-z_][A-Za-z0-9_]*$`)

// decided says why a variable can be neither set nor passed; "" if it can.
func decided(name string) string {
	for _, row := range decidedVariables {
		for _, n := range row.names {
			prefix, isPrefix := strings.CutSuffix(n, "*")
			if name == n || isPrefix && strings.HasPrefix(name, prefix) {
				return row.why
			}
		}
	}
	return ""
}

// decidedVariables are those of which a wrong value would lead out of the
// sandbox, or make the programs in it not find what was put there for them.
var decidedVariables = []struct {
	why   string
	names []string
}{
	{"programs are looked up in the environment", []string{"PATH"}},
	{"the sandbox has a home, a user and directories of its own", []string{"HOME", "USER", "LOGNAME", "SHELL", "PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP", "HOSTNAME"}},
	{"directories of the caller do not exist inside", []string{"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"}},
	// ld.so(8) and the C library: code or tables that every program would load.
	{"it makes every program load something else", []string{"LD_*", "DYLD_*", "GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "RES_OPTIONS", "HOSTALIASES", "LOCALDOMAIN", "RESOLV_*", "MALLOC_*", "NIX_LD", "NIX_LD_LIBRARY_PATH"}},
	{"it leads to an agent that holds keys, which is not reachable from inside", []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SUDO_ASKPASS", "GIT_ASKPASS", "GPG_AGENT_INFO", "GNUPGHOME", "GNOME_KEYRING_CONTROL", "KRB5CCNAME"}},
	{"it leads to the session of the desktop, which is not reachable from inside", []string{"DBUS_*", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "SESSION_MANAGER", "ICEAUTHORITY", "PULSE_SERVER", "PIPEWIRE_*", "AT_SPI_BUS_ADDRESS", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"}},
	{"it leads to a daemon that runs programs outside", []string{"DOCKER_HOST", "CONTAINER_HOST", "NIX_REMOTE", "TMUX", "TMUX_PANE", "STY", "VSCODE_IPC_HOOK", "VSCODE_IPC_HOOK_CLI", "VSCODE_GIT_*", "EMACS_SERVER_FILE", "NVIM", "NVIM_LISTEN_ADDRESS", "KITTY_LISTEN_ON", "WEZTERM_UNIX_SOCKET", "ALACRITTY_SOCKET"}},
	{"the network gate decides how the network is reached", []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy"}},
	{"it names files of the environment", []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "LOCALE_ARCHIVE", "LOCALE_ARCHIVE_*", "TZDIR", "TERMINFO", "TERMINFO_DIRS"}},
	{"it is how agentenv speaks to what it starts", []string{"AGENTENV", "AGENTENV_*"}},
}
