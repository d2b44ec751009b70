package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
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
	if k == nil || v == nil || keyOf(v) == "" {
		return entry{}, false
	}
	var inputs []*code.Node
	switch k := bare(k); {
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

// answeredBy reports whether a function returns what it looks up in a table as
// it is.
func (p *pass) answeredBy(t table) bool {
	if t.name == "" {
		return p.lookedUp(t.node)
	}
	direct := false
	p.Root.Walk(func(n *code.Node) bool {
		if direct {
			return false
		}
		if n.Is(code.Name, code.Member) && n.Text == t.name && n != t.node && !(n.Up.Is(code.Assign) && n.Up.Kids[0] == n) {
			direct = p.lookedUp(n)
		}
		return !direct
	})
	return direct
}

// lookedUp reports whether a use of a table is a lookup whose value is returned.
func (p *pass) lookedUp(use *code.Node) bool {
	at := use
	for at.Up.Is(code.Member) && at.Up.Up.Is(code.Call) && at.Up.Up.Kids[0] == at.Up && wrapsTable(at.Up.Text) {
		at = at.Up.Up
	}
	switch up := at.Up; {
	case up.Is(code.Index) && up.Kids[0] == at:
		if up.Up.Is(code.Assign) && up.Up.Kids[0] == up {
			return false
		}
		return p.returnedAsIs(up)
	case up.Is(code.Member) && up.Up.Is(code.Call) && up.Up.Kids[0] == up:
		return p.calledOn(up.Text, up.Up)
	case up.Is(code.Assign) && up.Text == "for" && up.Up.Is(code.Loop):
		return returnsVariable(up.Up, up.Kid(0))
	case up.Is(code.Assign) && up.Text == "for": // a comprehension or generator
		return equalityWith(up.Up, up.Kid(0)) && p.returnedAsIs(up.Up)
	}
	return false
}

func (p *pass) calledOn(method string, call *code.Node) bool {
	switch method {
	case "get", "fetch", "at", "getOrDefault", "GetValueOrDefault", "dig", "lookup", "get_or_default", "pop", "key", "getProperty":
		return p.returnedAsIs(call)
	case "find", "detect", "filter", "findIndex", "first", "First", "FirstOrDefault", "find_map", "assoc":
		return len(call.Kids) > 1 && p.returnedAsIs(call)
	case "TryGetValue":
		for _, a := range call.Args()[1:] {
			found := false
			a.Walk(func(n *code.Node) bool {
				found = found || n.Is(code.Name) && returnsName(call.Outer(code.Func), n.Text)
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}

// returnedAsIs reports whether a value is returned without being computed with.
func (p *pass) returnedAsIs(n *code.Node) bool {
	for at := n; at.Up != nil; at = at.Up {
		switch up := at.Up; {
		case up.Is(code.Return):
			return true
		case up.Is(code.Ternary) && up.Kids[0] != at, up.Is(code.Binary) && (up.Text == "??" || up.Text == "||"), up.Is(code.Index) && up.Kids[0] == at, up.Is(code.Unary) && up.Text == "!":
		case up.Is(code.Member) && up.Up.Is(code.Call) && up.Up.Kids[0] == up && passes(up.Text):
		case up.Is(code.Member) && !up.Up.Is(code.Call):
		case up.Is(code.Call) && (at == up.Kids[0] || copies(code.Dotted(up.Kids[0]))):
		case up.Is(code.Case, code.Block, code.Switch, code.If):
			if at == up.Kids[0] && !up.Is(code.Block) {
				return false
			}
		case up.Is(code.Assign) && up.Kid(1) == at:
			fn := up.Outer(code.Func)
			for _, t := range code.Targets(up.Kid(0)) {
				if t.Is(code.Name) && returnsName(fn, t.Text) {
					return true
				}
			}
			if t := up.Kid(0); t.Is(code.Other) { // if let Some(v) = …
				found := false
				t.Walk(func(c *code.Node) bool {
					found = found || c.Is(code.Name) && returnsName(fn, c.Text)
					return !found
				})
				return found
			}
			return false
		case up.Is(code.Pair, code.Other):
			return false
		default:
			return false
		}
	}
	return false
}

func passes(method string) bool {
	switch method {
	case "unwrap_or", "unwrap_or_else", "unwrap_or_default", "unwrap", "expect", "copied", "cloned", "to_string", "to_owned", "clone", "dup", "copy", "orElse", "orElseGet", "orElseThrow", "ok_or", "ok_or_else", "into", "toString",
		"map", "slice", "to_vec", "or_else", "Value", "get":
		return true
	}
	return false
}

func copies(name string) bool {
	switch last(name) {
	case "list", "dict", "tuple", "copy", "deepcopy", "Some", "Ok", "String.from", "from", "next", "str", "clone", "structuredClone", "Optional.of", "of", "ofNullable", "resolve", "FromResult", "Money", "Decimal":
		return true
	}
	return false
}

// returnsName reports whether a function returns a variable as it is.
func returnsName(fn *code.Node, name string) bool {
	found := false
	fn.Walk(func(n *code.Node) bool {
		if n.Is(code.Return) {
			for _, v := range n.Kids {
				found = found || returnsIt(v, name)
			}
		}
		return !found
	})
	return found
}

func returnsIt(v *code.Node, name string) bool {
	v = bare(v)
	switch {
	case v.Is(code.Name):
		return v.Text == name
	case v.Is(code.Member), v.Is(code.Index):
		return returnsIt(v.Kid(0), name)
	case v.Is(code.Ternary):
		return returnsIt(v.Kid(1), name) || returnsIt(v.Kid(2), name)
	case v.Is(code.Binary) && (v.Text == "??" || v.Text == "||"):
		return returnsIt(v.Kid(0), name) || returnsIt(v.Kid(1), name)
	case v.Is(code.Call) && len(v.Kids) == 2:
		return copies(code.Dotted(v.Kid(0))) && returnsIt(v.Kid(1), name)
	case v.Is(code.Call) && len(v.Kids) == 1 && v.Kid(0).Is(code.Member):
		return passes(v.Kid(0).Text) && returnsIt(v.Kid(0).Kid(0), name)
	}
	return false
}

// returnsVariable: a loop over a table that compares one of its variables for
// equality and returns another.
func returnsVariable(loop, variables *code.Node) bool {
	if !equalityWith(loop, variables) {
		return false
	}
	found := false
	loop.Walk(func(n *code.Node) bool {
		if n.Is(code.Return) && len(n.Kids) > 0 {
			for _, t := range code.Targets(variables) {
				found = found || returnsIt(n.Kids[0], t.Text)
			}
		}
		return !found
	})
	return found
}

// equalityWith reports whether code compares a variable, or a member of it,
// for equality.
func equalityWith(n, variables *code.Node) bool {
	names := map[string]bool{}
	for _, t := range code.Targets(variables) {
		names[t.Text] = true
	}
	is := func(k *code.Node) bool {
		for k.Is(code.Member, code.Index) {
			k = k.Kid(0)
		}
		return k.Is(code.Name) && names[k.Text]
	}
	return n.Any(func(c *code.Node) bool {
		if c.Is(code.Call) {
			name := code.Method(c)
			return (name == "equals" || name == "Equals" || name == "eq") && (is(c.Kid(1)) || c.Kid(0).Is(code.Member) && is(c.Kid(0).Kid(0)))
		}
		return c.Is(code.Binary) && c.Text == "==" && (is(c.Kid(0)) || is(c.Kid(1)))
	})
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
