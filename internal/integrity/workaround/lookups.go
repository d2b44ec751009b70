package workaround

import (
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

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
	v = literal.Bare(v)
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
