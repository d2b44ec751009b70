package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads the first document of a YAML file as a node with lines. A
// second document, or one whose aliases expand beyond bounds, is an error.
func parseYAML(src []byte) (*yaml.Node, error) {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(src))
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("parse YAML: %w", err)
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has several documents")
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

// mergeInto adds the pairs of a mapping, or of the mappings of a list, that c does not have.
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
	for k, v := range pairs(n) {
		if k.Value == key {
			return v
		}
	}
	return nil
}

// pairs are a mapping's keys and values.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(k, v *yaml.Node) bool) {
		for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// list is a scalar or a sequence of them as texts.
func list(n *yaml.Node) []string {
	if scalar(n) != "" {
		return []string{n.Value}
	}
	var out []string
	for i := 0; n != nil && n.Kind == yaml.SequenceNode && i < len(n.Content); i++ {
		out = append(out, n.Content[i].Value)
	}
	return out
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
		for k, v := range pairs(n) {
			flattenYAML(v, append(slices.Clone(key), k.Value), k.Line, b, depth+1)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			inner := key
			if e.Kind == yaml.MappingNode && len(key) > 0 {
				inner = append(slices.Clone(key[:len(key)-1]), fmt.Sprintf("%s[%d]", key[len(key)-1], i+1))
			}
			flattenYAML(e, inner, line, b, depth+1)
		}
		if len(n.Content) == 0 {
			b.add(key, line, value{text: "[]", line: line})
		}
	case yaml.ScalarNode:
		b.add(key, line, value{text: n.Value, line: n.Line})
	}
}
