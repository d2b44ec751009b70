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

// parseYAML reads the only document of a YAML file as a node with lines.
func parseYAML(src []byte) (*yaml.Node, error) {
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(src))
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("parse: %w", err)
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("it has several documents")
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Line: 1}, nil
	}
	if err := bounded(doc.Content[0], 0, new(int)); err != nil {
		return nil, err
	}
	if doc.Decode(new(any)) != nil { // of keys given twice readers take either, or none
		return nil, errors.New("a key is given twice, or a value is none of its type")
	}
	return doc.Content[0], nil
}

// bounded refuses aliases, which stand for what is written elsewhere, and what is too much.
func bounded(n *yaml.Node, depth int, count *int) error {
	switch *count++; {
	case n.Kind == yaml.AliasNode:
		return errors.New("it has aliases")
	case depth > maxDepth || *count > maxOptions:
		return errors.New("it has too many settings")
	}
	for _, c := range n.Content {
		if err := bounded(c, depth+1, count); err != nil {
			return err
		}
	}
	return nil
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
func flattenYAML(n *yaml.Node, key []string, line int, b *builder) {
	switch isMap := n.Kind == yaml.MappingNode; {
	case len(n.Content) > 0, n.Kind == yaml.ScalarNode, len(key) == 0:
	case isMap && b.tables:
		b.add(append(slices.Clone(key), ""), line)
	default:
		b.add(key, line, value{map[bool]string{true: "{}", false: "[]"}[isMap], line})
	}
	switch n.Kind {
	case yaml.MappingNode:
		for k, v := range pairs(n) {
			flattenYAML(v, append(slices.Clone(key), k.Value), k.Line, b)
		}
	case yaml.SequenceNode:
		tables := 0
		for _, e := range n.Content {
			inner := key
			if last := len(key) - 1; e.Kind == yaml.MappingNode && last >= 0 {
				tables++
				inner = append(slices.Clone(key[:last]), fmt.Sprintf("%s[%d]", key[last], tables))
			}
			flattenYAML(e, inner, e.Line, b)
		}
	case yaml.ScalarNode:
		b.add(key, line, value{n.Value, n.Line})
	}
}
