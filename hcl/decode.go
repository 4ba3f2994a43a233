package hcl

import (
	"fmt"
	"path/filepath"

	"github.com/agentenv/agentenv/workspace"
	"github.com/hashicorp/hcl/v2"
)

// config is a spec as it was written: every value with its range, defaults
// filled in, each value right by itself.
type config struct {
	file string // absolute path of the spec
	dir  string
	home string // "" when it is not known
	top  hcl.Range

	workspace   workspaceConfig
	nixpkgs     nixpkgsConfig
	inputs      []inputConfig
	packages    []field[packageName]
	withs       []withConfig
	sources     []sourceConfig
	sourceSets  []sourceSetConfig
	checkouts   []checkoutConfig
	project     projectConfig
	agents      []agentConfig
	environment environmentConfig
	filesystem  filesystemConfig
	network     networkConfig
	git         gitConfig
	limits      limitsConfig
	sandbox     sandboxConfig
	text        map[string]any // see policyText
}

// decoder holds what decoding needs everywhere, and collects what it finds.
type decoder struct {
	src   []byte
	dir   string
	o     Options
	scope *scope
	diags hcl.Diagnostics

	written map[string]bool // blocks that stand in the file, right or wrong
}

func (d *decoder) report(r hcl.Range, summary, detail, hint string) {
	d.diags = append(d.diags, problem(r, summary, detail, hint))
}

// decode reads every block that the schema knows.
func decode(file *hcl.File, filename string, o Options) (*config, hcl.Diagnostics) {
	d := &decoder{src: file.Bytes, dir: filepath.Dir(filename), o: o, written: map[string]bool{}}
	blocks := d.blocks(file.Body)
	d.scope = newScope(d, blocks)
	cfg := &config{file: filename, dir: d.dir, home: d.scope.home, top: at(file.Bytes, filename, 0)}
	decoded := map[string]bool{}
	for _, b := range blocks {
		d.block(cfg, b)
		decoded[b.schema.Name] = true
	}
	for i := range schema {
		if s := &schema[i]; s.Single && !s.Later && !decoded[s.Name] {
			d.absent(cfg, s, blocks[0].header)
		}
	}
	if !d.diags.HasErrors() {
		cfg.text = d.policyText(blocks)
	}
	return cfg, d.diags
}

// absent fills in the defaults of a block that is not written, or in JSON is
// null. A workspace block that is there and wrong has been reported.
func (d *decoder) absent(cfg *config, s *Block, top hcl.Range) {
	if s.Name == "workspace" {
		if d.written[s.Name] && d.diags.HasErrors() {
			return
		}
		d.report(top, "Missing workspace block", "Every spec names its workspace.", "add "+s.Example)
		return
	}
	d.block(cfg, &block{schema: s})
}

func (d *decoder) block(cfg *config, b *block) {
	switch b.schema.Name {
	case "":
		cfg.packages = d.decodePackages(b)
	case "workspace":
		cfg.workspace = d.decodeWorkspaceBlock(b)
	case "nixpkgs":
		cfg.nixpkgs = d.decodeNixpkgsBlock(b)
	case "input":
		cfg.inputs = append(cfg.inputs, d.decodeInputBlock(b))
	case "package":
		cfg.withs = append(cfg.withs, d.decodePackageBlock(b))
	case "source_set":
		cfg.sourceSets = append(cfg.sourceSets, d.decodeSourceSetBlock(b))
	case "source":
		cfg.sources = append(cfg.sources, d.decodeSourceBlock(b))
	case "checkout":
		cfg.checkouts = append(cfg.checkouts, d.decodeCheckoutBlock(b))
	case "project":
		cfg.project = d.decodeProjectBlock(b)
	case "agent":
		cfg.agents = append(cfg.agents, d.decodeAgentBlock(b))
	case "environment":
		cfg.environment = d.decodeEnvironmentBlock(b)
	case "filesystem":
		cfg.filesystem = d.decodeFilesystemBlock(b)
	case "network":
		cfg.network = d.decodeNetworkBlock(b)
	case "git":
		cfg.git = d.decodeGitBlock(b)
	case "limits":
		cfg.limits = d.decodeLimitsBlock(b)
	case "sandbox":
		cfg.sandbox = d.decodeSandboxBlock(b)
	case "locals":
		d.decodeLocalsBlock(b)
	default:
		panic("hcl: nothing decodes the block " + b.schema.Name)
	}
}

// nameRE is the form of every name that a label gives. Names become attribute
// names, file names and host names.
var nameRE = lazily(`^[a-z][a-z0-9_-]*$`)

const maxName = 64

// name checks the label of a block.
func (d *decoder) name(b *block) field[string] {
	return derive(b.label, func(name string, r hcl.Range) (string, bool) {
		if nameRE().MatchString(name) && len(name) <= maxName {
			return name, true
		}
		d.report(r, "Invalid name", fmt.Sprintf("The name %s does not start with a lower-case letter, has other characters than lower-case letters, digits, - and _, or more than %d of them.", printable(name), maxName), "")
		return "", false
	})
}

// position is where a value was written; the zero position for a default.
func position(r hcl.Range) workspace.Position {
	if r.Filename == "" {
		return workspace.Position{}
	}
	return workspace.Position{File: r.Filename, Line: r.Start.Line, Column: r.Start.Column}
}
