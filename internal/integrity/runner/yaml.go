package runner

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads the first document of a YAML file as a node with lines. A
// second document, or one whose aliases expand beyond bounds, is an error.
func parseYAML(src []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		return nil, fmt.Errorf("parse YAML: %w", err)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1}, nil
	}
	n := 0
	root := unalias(doc.Content[0], 0, &n)
	if n > maxOptions {
		return nil, errors.New("it has too many settings")
	}
	return root, nil
}

// unalias copies a tree with the aliases resolved and merge keys merged.
func unalias(n *yaml.Node, depth int, count *int) *yaml.Node {
	*count++
	if n == nil || depth > maxDepth || *count > maxOptions {
		return &yaml.Node{Kind: yaml.ScalarNode}
	}
	if n.Kind == yaml.AliasNode {
		return unalias(n.Alias, depth+1, count)
	}
	c := *n
	c.Content = nil
	var merged []*yaml.Node
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Tag == "!!merge" && i+1 < len(n.Content) {
			merged = append(merged, unalias(n.Content[i+1], depth+1, count))
			continue
		}
		if n.Kind == yaml.MappingNode && i%2 == 1 && n.Content[i-1].Tag == "!!merge" {
			continue
		}
		c.Content = append(c.Content, unalias(child, depth+1, count))
	}
	for _, m := range merged {
		mergeInto(&c, m)
	}
	return &c
}

// mergeInto adds the pairs of a mapping, or of the mappings of a list, that c
// does not have.
func mergeInto(c, m *yaml.Node) {
	if m.Kind == yaml.SequenceNode {
		for _, e := range m.Content {
			mergeInto(c, e)
		}
		return
	}
	for i := 0; m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if child(c, m.Content[i].Value) == nil {
			c.Content = append(c.Content, m.Content[i], m.Content[i+1])
		}
	}
}

// child is the value of a mapping's key, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	_, v := pair(n, key)
	return v
}

// pair is a mapping's key and value, nil if there are none.
func pair(n *yaml.Node, key string) (k, v *yaml.Node) {
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// scalar is the text of a scalar, "" for anything else.
func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// flattenYAML makes options of a node.
func flattenYAML(n *yaml.Node, key []string, line int, b *builder, depth int) {
	if n == nil || depth > maxDepth {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := append(append([]string{}, key...), n.Content[i].Value)
			b.add(k, n.Content[i].Line)
			flattenYAML(n.Content[i+1], k, n.Content[i].Line, b, depth+1)
		}
	case yaml.SequenceNode:
		for _, e := range n.Content {
			flattenYAML(e, key, e.Line, b, depth+1)
		}
	case yaml.ScalarNode:
		b.add(key, line, value{text: n.Value, line: n.Line})
	}
}
