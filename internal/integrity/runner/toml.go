package runner

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// parseTOML reads a TOML file. Tables of an array are numbered: test[1].
func parseTOML(src []byte) (options, error) {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	values, root := map[string]any{}, yaml.Node{}
	if err := toml.Unmarshal(src, &values); err != nil {
		return nil, fmt.Errorf("parse TOML: %w", err)
	}
	if err := root.Encode(values); err != nil {
		return nil, fmt.Errorf("parse TOML: %w", err)
	}
	if err := bounded(&root, 0, new(int)); err != nil {
		return nil, err
	}
	b := builder{tables: true}
	flattenYAML(&root, nil, 1, &b)
	b.out.locate(lines(src))
	return b.read()
}

// tomlMarks are what may stand around the parts of a key.
var tomlMarks = strings.NewReplacer("[", "", "]", "", `"`, "", "'", "", " ", "", "\t", "", ".", "/")

// maxList is in how many lines behind a key its values are looked for.
const maxList = 200

// locate says of settings of TOML on which lines they stand: in the table and after the key that
// are named as they are, values behind that. It is for people, and decides nothing.
func (o options) locate(text []string) {
	at, table := map[string]int{"": 1}, ""
	for i, l := range text {
		key, _, isKey := strings.Cut(strings.ToLower(l), "=")
		name := tomlMarks.Replace(key)
		switch {
		case isKey:
			name = table + name
		case strings.HasPrefix(key, "["):
			table = name + "/"
		}
		at[name] = cmp.Or(at[name], i+1)
	}
	for i := range o {
		name := labelled.ReplaceAllString(o[i].key, "")
		for at[name] == 0 {
			name = name[:max(0, strings.LastIndexByte(name, '/'))]
		}
		line := at[name]
		o[i].line = line
		for k, v := range o[i].values {
			behind := text[line-1 : min(len(text), line+maxList)]
			holds := func(l string) bool { return strings.Contains(l, v.text) }
			line += max(0, slices.IndexFunc(behind, holds))
			o[i].values[k].line = line
		}
	}
}
