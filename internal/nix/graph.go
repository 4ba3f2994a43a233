package nix

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// ParseGraph reads an export graph, or several one after another, in the form in
// which Nix writes exportReferencesGraph: for each store path a line with the
// path, a line with its deriver or nothing, a line with the number of its
// references, and a line for each of these. It returns the paths sorted, each
// once.
//
// Anything else is an error, and so is a reference to a path that the graph does
// not have: a closure that is not complete would be a wrong sandbox.
func ParseGraph(r io.Reader) ([]string, error) {
	g := graph{lines: bufio.NewScanner(r), listed: map[string]bool{}}
	g.lines.Buffer(make([]byte, 0, 1024), 1024)
	for g.lines.Scan() {
		if err := g.object(g.lines.Text()); err != nil {
			return nil, fmt.Errorf("parse export graph: %w", err)
		}
	}
	if err := g.lines.Err(); err != nil {
		return nil, fmt.Errorf("parse export graph: %w", err)
	}
	return g.closure()
}

// graph holds the store paths seen so far: true when the path has an entry,
// false when it was only referred to.
type graph struct {
	lines  *bufio.Scanner
	listed map[string]bool
}

func (g *graph) object(path string) error {
	if _, err := ParseStorePath(path); err != nil {
		return err
	}
	g.listed[path] = true
	deriver, err := g.next()
	if err != nil {
		return err
	}
	if deriver != "" {
		if _, err := ParseStorePath(deriver); err != nil {
			return err
		}
	}
	count, err := g.next()
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(count, 10, 31)
	if err != nil {
		return fmt.Errorf("%s: number of references %q: %w", path, count, strconv.ErrSyntax)
	}
	for range number {
		if err := g.reference(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func (g *graph) reference() error {
	path, err := g.next()
	if err != nil {
		return err
	}
	if _, err := ParseStorePath(path); err != nil {
		return err
	}
	g.listed[path] = g.listed[path]
	return nil
}

func (g *graph) next() (string, error) {
	if g.lines.Scan() {
		return g.lines.Text(), nil
	}
	if err := g.lines.Err(); err != nil {
		return "", err
	}
	return "", io.ErrUnexpectedEOF
}

func (g *graph) closure() ([]string, error) {
	paths := make([]string, 0, len(g.listed))
	for path, listed := range g.listed {
		if !listed {
			return nil, fmt.Errorf("parse export graph: it refers to %s and does not have it", path)
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths, nil
}
