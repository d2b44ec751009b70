package runner

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads a TOML file. Tables of an array are numbered: test[1].
func parseTOML(src []byte) (options, error) {
	src = bytes.TrimPrefix(src, []byte("\uFEFF"))
	if err := toml.Unmarshal(src, new(map[string]any)); err != nil {
		return nil, fmt.Errorf("parse TOML: %w", err)
	}
	t := tomlReader{src: src}
	t.parser.Reset(src)
	var table []string
	tables := map[string]int{} // how many of an array there were
	for t.parser.NextExpression() {
		e := t.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, _ = t.key(e)
			if name := keyOf(table); e.Kind == unstable.ArrayTable {
				tables[name]++
				table[len(table)-1] += fmt.Sprintf("[%d]", tables[name])
			}
			t.out.add(table, t.lineOfKey(e))
		case unstable.KeyValue:
			t.pair(table, e, 0)
		}
	}
	if err := t.parser.Error(); err != nil {
		return nil, fmt.Errorf("parse TOML: %w", err)
	}
	return t.out.read()
}

// tomlReader reads TOML into keys with values and lines.
type tomlReader struct {
	parser unstable.Parser
	src    []byte
	out    builder
}

// key is a key's parts and its line.
func (t *tomlReader) key(n *unstable.Node) (parts []string, line int) {
	for it := n.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
	}
	return parts, t.lineOfKey(n)
}

// lineOfKey is the line of a key's first part.
func (t *tomlReader) lineOfKey(n *unstable.Node) int {
	it := n.Key()
	if it.Next() {
		return t.line(it.Node(), 1)
	}
	return 1
}

// line is where a node begins, or what else is given if the parser kept no place for it.
func (t *tomlReader) line(n *unstable.Node, or int) int {
	if n.Raw.Length == 0 || int(n.Raw.Offset) > len(t.src) {
		return or
	}
	return 1 + bytes.Count(t.src[:n.Raw.Offset], []byte("\n"))
}

// pair adds a key below a table with its value.
func (t *tomlReader) pair(table []string, n *unstable.Node, depth int) {
	key, line := t.key(n)
	full := append(append([]string{}, table...), key...)
	t.out.add(full, line)
	t.value(full, line, n.Value(), depth)
}

// value adds what a value holds, at most maxDepth levels of it.
func (t *tomlReader) value(key []string, line int, n *unstable.Node, depth int) {
	if depth > maxDepth {
		return
	}
	switch n.Kind {
	case unstable.InlineTable:
		if it := n.Children(); !it.Next() {
			t.out.add(key, line, value{text: "{}", line: line})
		}
		for it := n.Children(); it.Next(); {
			t.pair(key, it.Node(), depth+1)
		}
	case unstable.Array:
		if it := n.Children(); !it.Next() {
			t.out.add(key, line, value{text: "[]", line: line})
		}
		for it := n.Children(); it.Next(); {
			t.value(key, t.line(it.Node(), line), it.Node(), depth+1)
		}
	default:
		t.out.add(key, line, value{text: string(n.Data), line: line})
	}
}
