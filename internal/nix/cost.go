package nix

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/agentenv/agentenv/workspace"
)

// Cost says what it takes to have sources. What a cache does not have is fetched
// from where it was published, and nobody knows its size before.
type Cost struct {
	Trees     int
	Here      int   // of Trees, in the store already
	HereBytes int64 // of these
	Cached    int   // of Trees, to be had from a cache
	Download  string
	Unpacked  string // sizes of the cached ones in Nix's words, such as "1.20 MiB"; "" when there are none
}

// String is a line for a human, such as "12 sources: 3 here (1.4 MiB), 8 from a
// cache (2.00 MiB download, 9.10 MiB unpacked), 1 of unknown size".
func (c Cost) String() string {
	var parts []string
	if c.Here > 0 {
		parts = append(parts, fmt.Sprintf("%d here (%.1f MiB)", c.Here, float64(c.HereBytes)/(1<<20)))
	}
	if c.Cached > 0 {
		parts = append(parts, fmt.Sprintf("%d from a cache (%s download, %s unpacked)", c.Cached, c.Download, c.Unpacked))
	}
	if unknown := c.Trees - c.Here - c.Cached; unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d of unknown size", unknown))
	}
	if len(parts) == 0 {
		return "no sources"
	}
	return fmt.Sprintf("%d sources: %s", c.Trees, strings.Join(parts, ", "))
}

// fetched finds how Nix, from 2.8 on, announces what it would fetch.
var fetched = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`th(?:is|ese) (?:(\d+) )?paths? will be fetched \(([0-9.]+ [A-Za-z]+) download, ([0-9.]+ [A-Za-z]+) unpacked\)`)
})

// Cost asks the store and its caches what it takes to have trees. Nothing is
// fetched.
func (c CLI) Cost(ctx context.Context, trees []workspace.FixedTree) (Cost, error) {
	cost := Cost{Trees: len(trees)}
	var away []string
	for _, tree := range trees {
		bytes, err := sizeOf(tree.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			away = append(away, tree.Derivation)
		case err != nil:
			return Cost{}, fmt.Errorf("measure sources: %w", err)
		default:
			cost.Here++
			cost.HereBytes += bytes
		}
	}
	if len(away) == 0 {
		return cost, nil
	}
	words, err := c.dryRun(ctx, away)
	if err != nil {
		return Cost{}, fmt.Errorf("measure sources: %w", err)
	}
	if match := fetched().FindStringSubmatch(words); match != nil {
		cost.Cached, cost.Download, cost.Unpacked = 1, match[2], match[3]
		if match[1] != "" {
			if cost.Cached, err = strconv.Atoi(match[1]); err != nil {
				return Cost{}, fmt.Errorf("measure sources: %w", err)
			}
		}
	}
	return cost, nil
}

func sizeOf(path string) (int64, error) {
	var bytes int64
	err := filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if _, missing := os.Lstat(path); missing != nil {
		return 0, missing
	}
	return bytes, err
}
