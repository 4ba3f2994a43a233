package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentenv/agentenv/internal/nix"
	"github.com/agentenv/agentenv/internal/state"
	"github.com/agentenv/agentenv/nixgen"
	"github.com/agentenv/agentenv/workspace"
)

// environment is the built environment of ws: from the cache when all that it
// is made from is unchanged, else built. It is nil when the workspace takes its
// programs from the host.
func (c *common) environment(ctx context.Context, ws *workspace.Workspace, dirs state.Dirs) (*workspace.Environment, error) {
	return c.built(ctx, ws, dirs, false)
}

// built is environment, or, with refresh, what Nix makes of ws now.
func (c *common) built(ctx context.Context, ws *workspace.Workspace, dirs state.Dirs, refresh bool) (env *workspace.Environment, err error) {
	if ws.Nix.From == workspace.FromHost {
		return nil, nil
	}
	lock, err := readLock(ws)
	if err != nil {
		return nil, coded(codeFailed, err)
	}
	link, err := linkOf(ws, dirs, lock.text)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	if env, err := cached(link); err == nil && !refresh {
		return env, nil
	}
	err = c.withNix(ctx, ws, dirs, func(ctx context.Context, w *workbench) error {
		env, err = c.make(ctx, w, ws, dirs, &lock)
		return err
	})
	if err == nil && len(env.MissingBase) > 0 {
		fmt.Fprintf(c.io.Err, "agentenv: this package set lacks parts of the base: %s\n", strings.Join(env.MissingBase, ", "))
	}
	return env, err
}

// make builds ws. The lock is kept as soon as it is complete: what is wrong with
// a package does not make it wrong.
func (c *common) make(ctx context.Context, w *workbench, ws *workspace.Workspace, dirs state.Dirs, lock *lockfile) (*workspace.Environment, error) {
	if err := w.complete(ctx, ws, lock.text); err != nil {
		return nil, c.explain(ws, err)
	}
	if err := lock.keep(w.lock); err != nil {
		return nil, coded(codeFailed, err)
	}
	link, err := linkOf(ws, dirs, lock.text)
	if err != nil {
		return nil, coded(codeUsage, err)
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return nil, coded(codeFailed, err)
	}
	env, err := c.buildAll(ctx, w, ws, link)
	if err == nil {
		env, err = c.buildDeep(ctx, w, ws, env, link)
	}
	if err != nil {
		return nil, c.explain(ws, c.survey(ctx, w, ws, err))
	}
	return env, nil
}

// buildAll builds ws without what is optional and not to be had, such as a member
// of a source set without a tree; that is named. Everything else that is wrong is
// an error.
func (c *common) buildAll(ctx context.Context, w *workbench, ws *workspace.Workspace, link string) (*workspace.Environment, error) {
	for {
		env, err := w.build(ctx, ws, link)
		missing := optional(err)
		if missing == nil {
			return env, err
		}
		for _, f := range missing {
			fmt.Fprintf(c.io.Err, "agentenv: %s is left out: %s\n", visible(f.Entry), visible(f.Message))
		}
		rest, changed := nixgen.Without(ws, entries(missing))
		if !changed {
			return nil, err
		}
		ws = rest
	}
}

// optional are the findings of an error that is about nothing else than what is
// optional.
func optional(err error) []nix.Finding {
	var e *nix.Error
	if !errors.As(err, &e) || slices.ContainsFunc(e.Findings, func(f nix.Finding) bool { return !nixgen.Optional(f.Entry) }) {
		return nil
	}
	return e.Findings
}

func entries(findings []nix.Finding) []string {
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Entry)
	}
	return ids
}

// buildDeep adds the trees of those source sets that only the derivations of the
// environment know, and builds again. What that costs is said first.
func (c *common) buildDeep(ctx context.Context, w *workbench, ws *workspace.Workspace, env *workspace.Environment, link string) (*workspace.Environment, error) {
	deep := *ws
	var taken []string
	for _, s := range ws.Nix.Sources {
		taken = append(taken, s.Name)
	}
	for _, set := range ws.Nix.SourceSets {
		if set == workspace.SourcesOfPackages {
			continue
		}
		trees, err := nix.SourcesOf(env, set, taken)
		if err != nil {
			return nil, err
		}
		for _, t := range trees {
			taken = append(taken, t.Name)
		}
		cost, err := w.cli.Cost(ctx, trees)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(c.io.Err, "agentenv: source_set %q: %s\n", set, cost)
		deep.Nix.Found.Trees = append(deep.Nix.Found.Trees, trees...)
	}
	if deep.Nix.Found.Trees == nil {
		return env, nil
	}
	slices.SortFunc(deep.Nix.Found.Trees, func(a, b workspace.FixedTree) int { return strings.Compare(a.Name, b.Name) })
	return c.buildAll(ctx, w, &deep, link)
}

// cached reads the manifest behind the link that roots it. A garbage collection
// that ignored the root leaves a dangling link, which is an error as any other.
func cached(link string) (*workspace.Environment, error) {
	path, err := filepath.EvalSymlinks(link)
	if err != nil {
		return nil, err
	}
	return nix.ReadManifest(path)
}

// linkOf is the link in the cache that roots the manifest of ws, named by all
// that decides its content. The policy side is not in it: a change of grants
// builds nothing.
func linkOf(ws *workspace.Workspace, dirs state.Dirs, lock []byte) (string, error) {
	tree, err := nixgen.Generate(ws, version)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, part := range [][]byte{[]byte(version), []byte(nixgen.Digest(ws.Nix)), tree[nixgen.FlakeFile], lock} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return dirs.Environment(hex.EncodeToString(h.Sum(nil))[:32]), nil
}
