package nix

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	gonix "github.com/nix-community/go-nix/pkg/derivation"
)

// derivation is what is used of a .drv file.
type derivation struct {
	path    string
	name    string
	outputs map[string]string // name → store path
	inputs  []string          // store paths of derivations, sorted
	hash    string            // SRI, of a derivation with a fixed output; else ""
	urls    []string
	sources []string // store paths that src and srcs name
}

// fixed tells whether the output is known by its hash: what was downloaded.
func (d *derivation) fixed() bool { return d.hash != "" }

// maxDerivation bounds what is read of a .drv, in bytes. Package sets have some
// of a megabyte, which carry lists of sources.
const maxDerivation = 1 << 26

// readDerivation reads the .drv at a store path, from dir.
//
// go-nix's parser knows plain derivations only, and does not undo the escapes of
// builder, arguments and system, which are therefore not used. A derivation whose
// outputs have no path yet (content-addressed, dynamic or impure, all experimental
// in Nix) is an error that says so.
func readDerivation(dir, path string) (*derivation, error) {
	if _, err := parseDerivationPath(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
	if err != nil {
		return nil, err
	}
	if len(text) > maxDerivation {
		return nil, fmt.Errorf("read %s: it is larger than %d bytes", path, maxDerivation)
	}
	d, err := parseDerivation(path, text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return d, nil
}

var errUnknownOutputs = errors.New("its outputs are not known before it is built (a content-addressed, dynamic or impure derivation), which agentenv does not read")

func parseDerivation(path string, text []byte) (*derivation, error) {
	if bytes.HasPrefix(text, []byte("DrvWithVersion(")) || bytes.HasPrefix(text, []byte(`Derive([("out","",`)) {
		return nil, errUnknownOutputs
	}
	drv, err := gonix.ReadDerivation(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	d := &derivation{path: path, outputs: map[string]string{}}
	if err := d.setOutputs(drv.Outputs); err != nil {
		return nil, err
	}
	for input := range drv.InputDerivations {
		if _, err := parseDerivationPath(input); err != nil {
			return nil, err
		}
		d.inputs = append(d.inputs, input)
	}
	slices.Sort(d.inputs)
	return d, d.setAttributes(drv.Env)
}

func (d *derivation) setOutputs(outputs map[string]*gonix.Output) error {
	for name, output := range outputs {
		if output.Path == "" {
			return errUnknownOutputs
		}
		if _, err := ParseStorePath(output.Path); err != nil {
			return err
		}
		d.outputs[name] = output.Path
		if output.Hash == "" {
			continue
		}
		sum, err := hex.DecodeString(output.Hash)
		if err != nil {
			return fmt.Errorf("hash of output %s: %w", name, err)
		}
		algorithm := strings.TrimPrefix(output.HashAlgorithm, "r:")
		d.hash = algorithm + "-" + base64.StdEncoding.EncodeToString(sum)
	}
	return nil
}

// setAttributes reads the attributes that say where sources come from. With
// __structuredAttrs they are in one JSON text; without, lists are words.
func (d *derivation) setAttributes(env map[string]string) error {
	words := func(name string) []string { return strings.Fields(env[name]) }
	if text, structured := env["__json"]; structured {
		var attributes map[string]any
		if err := json.Unmarshal([]byte(text), &attributes); err != nil {
			return fmt.Errorf("parse its structured attributes: %w", err)
		}
		words = func(name string) []string { return flatten(attributes[name]) }
	}
	if name := words("name"); len(name) == 1 {
		d.name = name[0]
	} else {
		d.name = strings.TrimSuffix(d.path[len(StoreDir)+1+hashLength+1:], ".drv")
	}
	for _, url := range slices.Concat(words("urls"), words("url")) {
		if !slices.Contains(d.urls, url) {
			d.urls = append(d.urls, url)
		}
	}
	d.sources = slices.Concat(words("src"), words("srcs"))
	return nil
}

// flatten returns the strings of a JSON value and of lists in it.
func flatten(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			all = append(all, flatten(element)...)
		}
		return all
	}
	return nil
}
