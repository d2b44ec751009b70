package runner

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// parseTOML reads a TOML file. Tables of an array are numbered: test[1].
func parseTOML(src []byte) (options, error) {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	values := map[string]any{}
	if err := toml.Unmarshal(src, &values); err != nil {
		return nil, fmt.Errorf("parse TOML: %w", err)
	}
	root := nodeOf(values)
	if err := bounded(root, 0, new(int)); err != nil {
		return nil, err
	}
	b := builder{tables: true}
	flattenYAML(root, nil, 1, &b)
	out, err := b.read()
	out.locate(string(src))
	return out, err
}

// nodeOf is a value of TOML as a node of YAML.
func nodeOf(v any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch v := v.(type) {
	case map[string]any:
		n.Kind = yaml.MappingNode
		for _, k := range slices.Sorted(maps.Keys(v)) {
			n.Content = append(n.Content, nodeOf(k), nodeOf(v[k]))
		}
	case []any:
		n.Kind = yaml.SequenceNode
		for _, e := range v {
			n.Content = append(n.Content, nodeOf(e))
		}
	default:
		n.Value = fmt.Sprint(v)
	}
	return n
}

// tomlMarks are what may stand around the parts of a key.
var tomlMarks = strings.NewReplacer("[", "", "]", "", `"`, "", "'", "", " ", "", "\t", "", ".", "/")

// maxAhead is in how many bytes behind a key or value the next value is looked for.
const maxAhead = 10_000

// place is one in a text.
type place struct{ line, offset int }

// locate says of settings of TOML on which lines they stand: in the table and after the key that
// are named as they are, values behind that. It is for people, and decides nothing.
func (o options) locate(text string) {
	at, table, here := map[string]place{"": {line: 1}}, "", place{line: 1}
	for l := range strings.Lines(text) {
		key, _, isKey := strings.Cut(strings.ToLower(l), "=")
		name := tomlMarks.Replace(strings.TrimSpace(key))
		switch {
		case isKey:
			name = table + name
		case strings.HasPrefix(key, "["):
			table = name + "/"
		}
		at[name] = cmp.Or(at[name], here)
		here = place{here.line + 1, here.offset + len(l)}
	}
	for i := range o {
		name := labelled.ReplaceAllString(o[i].key, "")
		for at[name].line == 0 {
			name = name[:max(0, strings.LastIndexByte(name, '/'))]
		}
		p := at[name]
		o[i].line = p.line
		for k, v := range o[i].values {
			ahead := text[p.offset:min(len(text), p.offset+maxAhead)]
			if n := strings.Index(ahead, v.text); n > 0 {
				p = place{p.line + strings.Count(ahead[:n], "\n"), p.offset + n}
			}
			o[i].values[k].line = p.line
		}
	}
}
