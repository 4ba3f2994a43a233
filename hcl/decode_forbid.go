package hcl

// forbidConfig is what the user opens to no agent, whatever a spec says.
type forbidConfig struct{ read, write []field[string] }

func (d *decoder) decodeForbidBlock(b *block) forbidConfig {
	return forbidConfig{
		read:  deriveAll(d.strs(b, "read"), d.path),
		write: deriveAll(d.strs(b, "write"), d.path),
	}
}
