package hcl

import (
	"io/fs"

	"github.com/hashicorp/hcl/v2"
)

type disk struct {
	stat func(string) (fs.FileInfo, error)
	home string
}

func newDisk(o Options) *disk { return &disk{stat: o.Stat, home: o.Home} }

func (c *checker) grants() { _ = hcl.Range{} }
