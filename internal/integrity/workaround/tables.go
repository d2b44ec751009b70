package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/workflow"
)

// entry is one input that code recognises and what it answers.
type entry struct {
	inputs []*code.Node // constants, all of which must be met
	output *code.Node   // a constant; nil if an error is raised
	line   int
}

// table is a lookup table of constants.
type table struct {
	path    string
	name    string // "" if it stands where it is used
	node    *code.Node
	entries []entry
	pending []workflow.Violation // if another file returns what it looks up
}

// maxEntries bounds the tables that are looked at: longer ones are data.
const maxEntries = 200

// tables lists the file's tables that are constants throughout.
func (p *pass) lookupTables() []table {
	var out []table
	byName := map[string]int{}
	p.Root.Walk(func(n *code.Node) bool {
		if n.Is(code.Call) && putsInto(n) != "" {
			name := putsInto(n)
			if e, ok := constantEntry(n.Kid(1), n.Kid(2), n.Line); ok {
				if _, known := byName[name]; !known {
					byName[name] = len(out)
					out = append(out, table{path: p.Path, name: name, node: n})
				}
				out[byName[name]].entries = append(out[byName[name]].entries, e)
			}
			return false
		}
		entries := entriesOf(n)
		if len(entries) == 0 || len(entries) > maxEntries {
			return true
		}
		name, at := tableName(n)
		out = append(out, table{path: p.Path, name: name, node: at, entries: entries})
		if name != "" {
			byName[name] = len(out) - 1
		}
		return false
	})
	return out
}

// putsInto is the name of the map that a call fills with a pair.
func putsInto(n *code.Node) string {
	callee := n.Kid(0)
	if !callee.Is(code.Member) || len(n.Kids) != 3 || !callee.Kid(0).Is(code.Name, code.Member) {
		return ""
	}
	switch callee.Text {
	case "put", "set", "insert", "Add", "store", "setdefault":
		return callee.Kid(0).Text
	}
	return ""
}

// entriesOf reads the entries of a table: a dictionary, a list of pairs, or a
// call that is given keys and values in turn.
func entriesOf(n *code.Node) []entry {
	var out []entry
	switch {
	case n.Is(code.Dict):
		for _, k := range n.Kids {
			if !k.Is(code.Pair) {
				return nil
			}
			e, ok := constantEntry(k.Kid(0), k.Kid(1), k.Line)
			if !ok {
				return nil
			}
			out = append(out, e)
		}
	case n.Is(code.List) && len(n.Kids) > 0:
		for _, k := range n.Kids {
			key, value := pairOf(k)
			e, ok := constantEntry(key, value, k.Line)
			if !ok {
				return nil
			}
			out = append(out, e)
		}
	case n.Is(code.Call):
		switch code.Dotted(n.Kid(0)) {
		case "Map.of", "ImmutableMap.of", "Map.ofEntries":
		default:
			return nil
		}
		args := n.Args()
		if len(args) > 0 && args[0].Is(code.Call) { // Map.entry(…)
			for _, a := range args {
				e, ok := constantEntry(a.Kid(1), a.Kid(2), a.Line)
				if !ok {
					return nil
				}
				out = append(out, e)
			}
			return out
		}
		for i := 0; i+1 < len(args); i += 2 {
			e, ok := constantEntry(args[i], args[i+1], args[i].Line)
			if !ok {
				return nil
			}
			out = append(out, e)
		}
	}
	return out
}

// pairOf splits an element of a list of pairs.
func pairOf(n *code.Node) (key, value *code.Node) {
	switch {
	case n.Is(code.List) && len(n.Kids) == 2:
		return n.Kids[0], n.Kids[1]
	case n.Is(code.Dict) && len(n.Kids) == 2 && n.Kids[0].Is(code.Pair) && n.Kids[1].Is(code.Pair):
		return n.Kids[0].Kid(1), n.Kids[1].Kid(1)
	case n.Is(code.Call) && len(n.Kids) == 3:
		return n.Kids[1], n.Kids[2]
	}
	return nil, nil
}

// constantEntry makes an entry of a key and a value that are constants. The key
// of a dictionary may be a name: {TEN: 10}.
func constantEntry(k, v *code.Node, line int) (entry, bool) {
	if k == nil || v == nil || literal.Of(v) == "" {
		return entry{}, false
	}
	var inputs []*code.Node
	switch k := literal.Bare(k); {
	case k.Is(code.List):
		for _, part := range k.Kids {
			if !part.Is(code.Literal) {
				return entry{}, false
			}
			inputs = append(inputs, part)
		}
	case k.Is(code.Literal):
		inputs = []*code.Node{k}
	case k.Is(code.Name) && k.Up.Is(code.Pair):
		inputs = []*code.Node{{Kind: code.Literal, Value: code.Value{Type: code.String, Text: k.Text}, Line: k.Line, Up: k.Up}}
	default:
		return entry{}, false
	}
	return entry{inputs, v, line}, len(inputs) > 0
}

// tableName is the variable that holds a table, and the outermost node of the
// table itself, after the calls that only wrap it.
func tableName(n *code.Node) (string, *code.Node) {
	at := n
	for {
		up := at.Up
		switch {
		case up.Is(code.Call) && (up.Text == "new" || wrapsTable(code.Method(up))):
			at = up
			continue
		case up.Is(code.Member) && up.Up.Is(code.Call) && up.Up.Kids[0] == up && wrapsTable(up.Text):
			at = up.Up
			continue
		case up.Is(code.Assign) && up.Kid(1) == at:
			switch t := up.Kid(0); {
			case t.Is(code.Name):
				return t.Text, at
			case t.Is(code.Member):
				return t.Text, at
			}
		case up.Is(code.Pair) && up.Kid(1) == at && up.Kid(0).Is(code.Name):
			return up.Kid(0).Text, at
		}
		return "", at
	}
}

func wrapsTable(name string) bool {
	switch name {
	case "freeze", "from", "dict", "Map", "fromEntries", "MappingProxyType", "from_iter", "into_iter", "collect", "new", "OrderedDict", "unmodifiableMap", "HashMap", "TreeMap", "Dictionary", "ToDictionary", "copyOf", "phf_map",
		"into", "ToFrozenDictionary", "LazyLock", "Lazy", "iter", "entries", "items", "seal", "as_ref", "unwrap", "to_h":
		return true
	}
	return false
}

// literalsOf lists the literals of a node, for messages.
func literalsOf(ns []*code.Node) string {
	var out []string
	for _, n := range ns {
		t := n.Value.Text
		if n.Value.Type == code.String {
			t = "“" + cut(t, 40) + "”"
		}
		out = append(out, t)
	}
	return strings.Join(out, ", ")
}

// cut shortens a text, with a mark.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
