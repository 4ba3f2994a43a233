package hcl

// policyText is the launch side as it was written.
func (d *decoder) policyText(blocks []*block) map[string]any { return map[string]any{} }
