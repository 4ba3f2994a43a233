package hcl

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentenv/agentenv/workspace"
)

// place is a path that no grant may be or hold.
type place struct {
	path   string
	what   string   // how it is named to the user
	inside bool     // nor may a grant lie in it
	except []string // but in these it may
	class  class
}

// class is the summary of the diagnostic about a place.
type class string

const (
	reserved class = "Path not grantable"
	secret   class = "Secret in reach"
	own      class = "Rules in reach"
	runs     class = "Runs outside"

	forbidden class = "Forbidden path" // by the user
)

// hideable tells whether a checkout may hold such a place that it hides.
func (c class) hideable() bool { return c == secret || c == forbidden }

// relation is how a grant and a place stand to each other.
type relation string

const (
	apart   relation = ""
	equal   relation = "is"
	inside  relation = "lies in"
	holding relation = "holds"
)

// reservedPlaces are those that the sandbox makes itself or that hold sockets
// of programs outside: connecting to one works on a read-only mount too.
func reservedPlaces(home string) []place {
	all := []place{
		{path: "/", what: "the whole machine"},
		{path: "/proc", what: "/proc, which the sandbox makes itself", inside: true},
		{path: "/sys", what: "/sys, which the sandbox makes itself", inside: true},
		{path: "/dev", what: "/dev, which the sandbox makes itself", inside: true},
		{path: "/nix", what: "/nix, of which the sandbox shows what the environment refers to", inside: true},
		{path: "/run", what: "/run, where daemons listen", inside: true, except: []string{"/run/media"}},
		{path: "/var/run", what: "/var/run, where daemons listen", inside: true},
		{path: "/tmp", what: "/tmp, where other programs listen"},
		{path: "/tmp/.X11-unix", what: "/tmp/.X11-unix, where the display listens", inside: true},
	}
	if home != "" {
		all = append(all, place{path: home, what: "your home directory"})
	}
	for i := range all {
		all[i].class = reserved
	}
	return all
}

// secretPlaces are the places of the table, for this home.
func secretPlaces(home string) []place {
	return tabled(workspace.SecretPlaces(), home, place{what: ", a place of secrets that no spec opens", inside: true, class: secret})
}

// runPlaces are those whose files run outside. They are refused to what the agent
// can write on the spot: in clone mode the human sees it first.
func runPlaces(home string) []place {
	return tabled(workspace.RunPlaces(), home, place{what: ", which your own programs run, load or build from", inside: true, class: runs})
}

// tabled are the places of a table like each, for this home.
func tabled(table []string, home string, each place) []place {
	all := make([]place, 0, len(table))
	for _, p := range table {
		shown := p
		if !filepath.IsAbs(p) {
			if home == "" {
				continue
			}
			p, shown = filepath.Join(home, p), "~/"+p
		}
		one := each
		one.path, one.what = p, shown+each.what
		all = append(all, one)
	}
	return all
}

// forbiddenPlaces are those that the user opens to no agent.
func forbiddenPlaces(paths []field[string]) []place {
	var all []place
	for _, p := range paths {
		if p.OK {
			what := fmt.Sprintf("%s, which %s:%d forbids", p.Value, p.Range.Filename, p.Range.Start.Line)
			all = append(all, place{path: p.Value, what: what, inside: true, class: forbidden})
		}
	}
	return all
}

// ownPlaces are what an agent could widen its own rules with. They are refused
// to write grants alone.
func ownPlaces(cfg *config) []place {
	all := []place{
		{path: cfg.file, class: own, what: "this spec"},
		{path: cfg.dir, class: own, what: "the directory of this spec"},
		{path: filepath.Join(cfg.dir, filepath.FromSlash(cfg.workspace.out.Value)), class: own, what: "the directory of the generated files"},
		{path: filepath.Join(cfg.dir, ".git"), class: own, what: "the repository of this spec", inside: true},
	}
	for _, file := range cfg.files[1:] {
		all = append(all, place{path: file, class: own, what: file + ", a file of this spec"})
	}
	return all
}

// guarded is a list of places, prepared for comparing many grants with it.
type guarded struct {
	disk    *disk
	byPath  map[string]*place
	below   map[string][]*place // the places below each directory, by name
	present []known             // what the places that exist are, each with one place
	above   []known             // the directories above the places, with all below them
}

// known is what places, or a directory above them, are on the disk.
type known struct {
	info   fs.FileInfo
	places []*place
}

func (d *disk) guard(places []place) *guarded {
	g := &guarded{disk: d, byPath: map[string]*place{}, below: map[string][]*place{}}
	for i := range places {
		p := &places[i]
		if g.byPath[p.path] == nil {
			g.byPath[p.path] = p
		}
		for dir := p.path; dir != "/"; {
			dir = filepath.Dir(dir)
			g.below[dir] = append(g.below[dir], p)
		}
		chain := d.chain(p.path)
		if chain != nil {
			g.present = append(g.present, known{chain[0], []*place{p}})
			chain = chain[1:]
		} else {
			chain = d.above(p.path)
		}
		for _, info := range chain {
			g.addAbove(info, p)
		}
	}
	return g
}

func (g *guarded) addAbove(info fs.FileInfo, p *place) {
	for i := range g.above {
		if k := &g.above[i]; os.SameFile(k.info, info) {
			k.places = append(k.places, p)
			return
		}
	}
	g.above = append(g.above, known{info, []*place{p}})
}

// find says which place stands in the way of a grant, and how: by name, and by
// what is on the disk, since a link, a bind mount or another spelling leads to
// a place as well as its name. skip leaves out places that the grant hides.
func (g *guarded) find(path string, skip func(place) bool) (place, relation) {
	if p, r := g.byName(path, skip); r != apart {
		return p, r
	}
	return g.byIdentity(path, skip)
}

func (g *guarded) byName(path string, skip func(place) bool) (place, relation) {
	if p := g.byPath[path]; p != nil {
		return *p, equal
	}
	for dir := path; dir != "/"; {
		dir = filepath.Dir(dir)
		if p := g.byPath[dir]; p != nil && p.inside && !p.excepted(path) {
			return *p, inside
		}
	}
	for _, p := range g.below[path] {
		if !skip(*p) {
			return *p, holding
		}
	}
	return place{}, apart
}

func (g *guarded) byIdentity(path string, skip func(place) bool) (place, relation) {
	chain := g.disk.chain(path)
	if chain == nil {
		return place{}, apart
	}
	for _, k := range g.present {
		p := *k.places[0]
		switch {
		case os.SameFile(chain[0], k.info):
			return p, equal
		case p.inside && !p.excepted(path) && contains(chain, k.info):
			return p, inside
		}
	}
	for _, k := range g.above {
		if !os.SameFile(chain[0], k.info) {
			continue
		}
		for _, p := range k.places {
			if !strings.HasPrefix(p.path, path+"/") || !skip(*p) {
				return *p, holding
			}
		}
	}
	return place{}, apart
}

func (p place) excepted(path string) bool {
	for _, e := range p.except {
		if strings.HasPrefix(path, e+"/") {
			return true
		}
	}
	return false
}

func (r relation) sentence(kind, path string, p place) string {
	return fmt.Sprintf("The %s %s %s %s.", kind, path, r, p.what)
}
