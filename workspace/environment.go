package workspace

// Environment is what a manifest says of a built workspace: store paths, all
// absolute and all in Closure.
type Environment struct {
	Workspace   string            // name of the workspace that it was built from
	Digest      string            // of the environment side, "sha256:" and 64 hex digits
	System      string            // such as "x86_64-linux"
	Manifest    string            // store path of the manifest itself
	Path        string            // the environment: a tree with bin/
	Sources     string            // a tree NAME → source tree, with index.json
	Base        string            // "" when environment.base is false
	Loader      string            // a file for /lib64/ld-linux…, "" when there is none
	Shell       string            // a program for /bin/sh, "" when there is none
	Env         string            // a program for /usr/bin/env, "" when there is none
	Vars        map[string]string // variables that point into the store: certificates, locale, time zones
	MissingBase []string          // what the package set lacks of the base, by the names of templates/lib/base.nix
	Derivation  string            // of the environment, which the manifest keeps; "" unless a source set asks for it
	Closure     []string          // every store path that the manifest refers to, itself included, sorted
}
