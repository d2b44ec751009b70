package runner

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON, with comments and trailing commas as the tools allow them. What is left of
// it is YAML.
func parseJSON(src []byte) (options, error) {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	if plain, err := hujson.Standardize(append(bytes.Clone(src), '\n')); err == nil {
		src = plain
	}
	root, err := parseYAML(src)
	if err != nil {
		return nil, err
	}
	var b builder
	flattenYAML(root, nil, 1, &b)
	return b.read()
}
