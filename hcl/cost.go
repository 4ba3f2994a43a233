package hcl

import "github.com/hashicorp/hcl/v2"

// affordable and small bound what evaluation may cost.
func (s *scope) affordable(hcl.Expression) bool { return true }
func (s *scope) small(*local) bool              { return true }
