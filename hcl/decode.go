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
	file  string   // absolute path of the spec
	files []string // and of all files that were read
	dir   string
	home  string // "" when it is not known
	top   hcl.Range

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
	forbid      forbidConfig
	text        map[string]any // see policyText
}

// decoder holds what decoding needs everywhere, and collects what it finds.
type decoder struct {
	sources map[string][]byte // the texts of all files, by file
	roles   map[string]Role   // by file
	given   []Source          // the spec, and then the other files as they were read
	dir     string            // of the spec
	top     hcl.Range         // the start of the spec
	o       Options
	scope   *scope // of the spec and its includes
	diags   hcl.Diagnostics

	written  map[string]bool // blocks that stand in the spec, right or wrong
	defaults map[*Attribute]located
}

func newDecoder(src []byte, filename string, o Options) *decoder {
	return &decoder{
		sources: map[string][]byte{}, roles: map[string]Role{}, written: map[string]bool{}, defaults: map[*Attribute]located{},
		given: []Source{{Name: filename, Src: src, Role: RoleSpec}},
		dir:   filepath.Dir(filename), top: at(normalise(src), filename, 0), o: o,
	}
}

func (d *decoder) report(r hcl.Range, summary, detail, hint string) {
	d.diags = append(d.diags, problem(r, summary, detail, hint))
}

// decode reads every block that the schema knows.
func (d *decoder) decode(units []*sourceFile) *config {
	blocks := d.merge(units)
	d.scopes(units, blocks)
	cfg := &config{file: d.given[0].Name, dir: d.dir, home: d.scope.home, top: d.top}
	for _, s := range d.given {
		cfg.files = append(cfg.files, s.Name)
	}
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
		cfg.text = d.policyText(d.sharedBlocks(units, blocks))
	}
	return cfg
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
	if _, ok := b.schema.attribute("override"); ok {
		d.boolean(b, "override") // merging has used it
	}
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
		a := d.decodeAgentBlock(b)
		a.private = !b.shared()
		cfg.agents = append(cfg.agents, a)
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
	case "forbid":
		cfg.forbid = d.decodeForbidBlock(b)
	case "force", "include", "locals", "remove", "variable", "variables": // were read before the others
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
