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
		if err := g.object(); err != nil {
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

// object reads an entry, of which the scanner holds the first line.
func (g *graph) object() error {
	path := g.lines.Text()
	if err := g.enter(g.lines.Bytes(), true); err != nil {
		return err
	}
	deriver, err := g.next()
	if err != nil {
		return err
	}
	if len(deriver) != 0 {
		if _, err := ParseStorePath(string(deriver)); err != nil {
			return err
		}
	}
	count, err := g.next()
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(string(count), 10, 31)
	if err != nil {
		return fmt.Errorf("%s: number of references %q: %w", path, count, strconv.ErrSyntax)
	}
	for range number {
		reference, err := g.next()
		if err == nil {
			err = g.enter(reference, false)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// enter notes a store path. There are ten times as many references as paths, so
// one that was seen before is neither parsed nor copied again.
func (g *graph) enter(line []byte, listed bool) error {
	if before, seen := g.listed[string(line)]; seen && (before || !listed) {
		return nil
	}
	path, err := ParseStorePath(string(line))
	if err == nil {
		g.listed[path] = listed
	}
	return err
}

// next returns the next line, valid until the one after it is asked for.
func (g *graph) next() ([]byte, error) {
	if g.lines.Scan() {
		return g.lines.Bytes(), nil
	}
	if err := g.lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
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
