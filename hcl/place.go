package hcl

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
)

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
	var all []place
	for _, p := range workspace.SecretPlaces() {
		shown := p
		if !filepath.IsAbs(p) {
			if home == "" {
				continue
			}
			p, shown = filepath.Join(home, p), "~/"+p
		}
		all = append(all, place{path: p, what: shown + ", a place of secrets that no spec opens", inside: true, class: secret})
	}
	return all
}

// ownPlaces are what an agent could widen its own rules with. They are refused
// to write grants alone.
func ownPlaces(cfg *config) []place {
	return []place{
		{path: cfg.file, class: own, what: "this spec"},
		{path: cfg.dir, class: own, what: "the directory of this spec"},
		{path: filepath.Join(cfg.dir, filepath.FromSlash(cfg.workspace.out.Value)), class: own, what: "the directory of the generated files"},
		{path: filepath.Join(cfg.dir, ".git"), class: own, what: "the repository of this spec", inside: true},
	}
}

// guarded is a list of places, prepared for comparing many grants with it.
type guarded struct {
	disk    *disk
	places  []place
	present []known // what the places that exist are
	above   []known // the directories above the places, each once
}

// known is what a place, or a directory above it, is on the disk.
type known struct {
	place *place
	info  fs.FileInfo
}

func (d *disk) guard(places []place) *guarded {
	g := &guarded{disk: d, places: places}
	for i := range g.places {
		p := &g.places[i]
		chain := d.chain(p.path)
		if chain != nil {
			g.present = append(g.present, known{p, chain[0]})
			chain = chain[1:]
		} else {
			chain = d.above(p.path)
		}
		for _, info := range chain {
			g.aboveOnce(p, info)
		}
	}
	return g
}

func (g *guarded) aboveOnce(p *place, info fs.FileInfo) {
	for _, k := range g.above {
		if os.SameFile(k.info, info) {
			return
		}
	}
	g.above = append(g.above, known{p, info})
}

// find says which place stands in the way of a grant, and how: by name, and by
// what is on the disk, since a link, a bind mount or another spelling leads to
// a place as well as its name. skip leaves out places that the grant hides.
func (g *guarded) find(path string, skip func(place) bool) (place, relation) {
	for _, p := range g.places {
		if r := p.byName(path); r != apart && !(r == holding && skip(p)) {
			return p, r
		}
	}
	chain := g.disk.chain(path)
	if chain == nil {
		return place{}, apart
	}
	for _, k := range g.present {
		switch {
		case os.SameFile(chain[0], k.info):
			return *k.place, equal
		case k.place.inside && !k.place.excepted(path) && contains(chain, k.info):
			return *k.place, inside
		}
	}
	for _, k := range g.above {
		if os.SameFile(chain[0], k.info) && !(within(k.place.path, path) && skip(*k.place)) {
			return *k.place, holding
		}
	}
	return place{}, apart
}

func (p place) byName(path string) relation {
	switch {
	case path == p.path:
		return equal
	case p.inside && within(path, p.path) && !p.excepted(path):
		return inside
	case within(p.path, path):
		return holding
	}
	return apart
}

func (p place) excepted(path string) bool {
	for _, e := range p.except {
		if path != e && within(path, e) {
			return true
		}
	}
	return false
}

func (r relation) sentence(kind, path string, p place) string {
	return fmt.Sprintf("The %s %s %s %s.", kind, path, r, p.what)
}
