package runner

import (
	"bytes"

	"workflow-reviewer/internal/config"
)

// parseJSON reads JSON, with comments and trailing commas as the tools allow them. What is left of
// it is YAML.
func parseJSON(src []byte) (options, error) {
	root, err := parseYAML(config.WithoutComments(bytes.TrimPrefix(src, []byte("\uFEFF"))))
	if err != nil {
		return nil, err
	}
	var b builder
	flattenYAML(root, nil, 1, &b)
	return b.read()
}
