package workaround

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// literals are the values in the approved tests, by the groups in which they
// stand together: the literals of one assertion, with those of the variables in
// it, or of one row of a table of cases.
type literals struct {
	groups map[key][]int   // ascending
	throws map[int]bool    // groups that expect an error
	names  map[string]bool // variables and parameters
	funcs  map[string]bool // functions: with some runners, the names of threads
	sizes  map[int][]int   // by group, how long its strings are
	calls  map[string]bool // functions and methods that are called
	count  int
}

// readLiterals reads the approved tests. What cannot be parsed has no literals.
func readLiterals(ctx context.Context, tests []Source) (*literals, error) {
	l := &literals{groups: map[key][]int{}, throws: map[int]bool{}, names: map[string]bool{}, calls: map[string]bool{}, funcs: map[string]bool{}, sizes: map[int][]int{}}
	for _, t := range tests {
		lang, ok := syntax.LanguageOf(t.Path)
		if !ok {
			continue
		}
		tree, err := syntax.Parse(ctx, lang, t.Source)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		f, err := code.Read(t.Path, tree)
		if err != nil {
			continue
		}
		r := reader{l, f}
		r.visit(f.Root, false)
		for _, c := range f.Calls {
			l.calls[code.Method(c)] = true
		}
		for _, a := range f.Assigns {
			if t := a.Kid(0); t.Is(code.Name) && len(t.Text) > 2 {
				l.names[t.Text] = true
			}
		}
		for _, fn := range f.Funcs {
			l.funcs[fn.Text] = true
			for _, name := range fn.Def.Params {
				l.names[name] = len(name) > 2
			}
			for _, m := range fn.Def.Marks {
				r.mark(m)
			}
		}
	}
	return l, nil
}

// reader collects the groups of one test file.
type reader struct {
	*literals
	file *code.File
}

// add makes a group of the constants.
func (r *reader) add(throws bool, keys []key) {
	if len(keys) == 0 || len(keys) > maxGroup || r.count >= maxGroups {
		return
	}
	r.count++
	for _, k := range keys {
		if ids := r.groups[k]; len(ids) == 0 || ids[len(ids)-1] != r.count {
			r.groups[k] = append(ids, r.count)
		}
		if text, ok := strings.CutPrefix(string(k), "s:"); ok {
			r.sizes[r.count] = append(r.sizes[r.count], utf8.RuneCountInString(text))
		}
	}
	if throws {
		r.throws[r.count] = true
	}
}

// visit makes groups of the statements and rows in a node.
func (r *reader) visit(n *code.Node, throws bool) {
	if n == nil {
		return
	}
	if n.Is(code.Block) && expectsError(n.Kid(0)) {
		throws = true
	}
	switch {
	case n.Is(code.List, code.Dict):
		r.add(throws, r.keys(n, 0, nil))
	case n.Is(code.Call) && isStatement(n), n.Is(code.Other) && n.Src.Is("assert_statement"):
		r.add(throws || expectsError(n), r.keys(n, 2, nil))
	case n.Is(code.Binary) && isStatement(n): // Ruby's x.should == y
		r.add(throws, r.keys(n, 2, nil))
	case n.Is(code.If):
		r.add(throws, r.keys(n.Kid(0), 2, nil))
	case n.Is(code.Call) && n.Text == "new", n.Is(code.Call) && n.Up.Is(code.List):
		r.add(throws, r.keys(n, 0, nil))
	}
	for _, k := range n.Kids {
		r.visit(k, throws)
	}
}

func isStatement(n *code.Node) bool {
	return n.Up.Is(code.Block, code.Func, code.Handler, code.Return) || n.Up.Is(code.Other) && n.Up.Up.Is(code.Block, code.Func)
}

// expectsError reports whether a statement is about an error being raised.
func expectsError(n *code.Node) bool {
	return n.Any(func(c *code.Node) bool {
		if !c.Is(code.Member, code.Name) {
			return false
		}
		switch c.Text {
		case "raises", "assertRaises", "assertRaisesRegex", "raise_error", "toThrow", "toThrowError", "throws", "assertThrows", "Throws", "ThrowsAny", "ThrowsAsync", "assert_raises", "rejects", "is_err", "unwrap_err",
			"assertThatThrownBy", "assertThrowsExactly", "Panics", "ErrorIs", "EqualError", "should_panic", "ThrowsException":
			return true
		}
		return false
	})
}

// keys lists the constants in a node, those of variables in it too.
func (r *reader) keys(n *code.Node, hops int, out []key) []key {
	n.Walk(func(c *code.Node) bool {
		if len(out) > maxGroup {
			return false
		}
		switch {
		case c.Is(code.Func):
			return len(c.Kids) <= 1 // a function around the one call that is to throw
		case c.Is(code.Literal):
			if k := literalKey(c.Value); k != "" {
				out = append(out, k)
			}
		case c.Is(code.List, code.Dict), c.Is(code.Call) && c != n:
			if k := keyOf(c); strings.HasPrefix(string(k), "c:") {
				out = append(out, k)
				return strings.Count(string(k), ",") < maxGroup/2
			}
		case c.Is(code.Name) && hops > 0:
			for _, v := range r.values(c) {
				out = r.keys(v, hops-1, out)
			}
		}
		return true
	})
	return out
}

// values are what a variable is assigned in its function or the file.
func (r *reader) values(name *code.Node) []*code.Node {
	scope := r.file.Scope(name)
	fn := name.Outer(code.Func)
	var out []*code.Node
	for _, a := range r.file.Assigned(name.Text) {
		if r.file.Scope(name) == scope && (a.Outer(code.Func) == fn || scope == nil || a.Outer(code.Func) == scope) && a.Text != "for" && !name.Within(a) {
			out = append(out, a.Kid(1))
		}
		if len(out) > 3 {
			return nil
		}
	}
	return out
}

// mark makes groups of an annotation's rows.
func (r *reader) mark(m *code.Node) {
	r.visit(m, false)
	if !m.Is(code.Call) {
		return
	}
	r.add(false, r.keys(m, 0, nil))
	if !strings.HasPrefix(code.Dotted(m.Kid(0)), "Csv") {
		return
	}
	m.Walk(func(c *code.Node) bool {
		for _, line := range strings.Split(textOf(c), "\n") {
			r.add(false, csvRow(line))
		}
		return true
	})
}

// csvRow are the values of a row as JUnit writes them.
func csvRow(line string) []key {
	comma := ","
	if strings.Count(line, "|") > 0 {
		comma = "|"
	}
	var out []key
	for _, cell := range strings.Split(line, comma) {
		cell = strings.TrimSpace(cell)
		quoted := strings.Trim(cell, "'\"")
		if v, ok := code.ParseNumber(cell); ok && quoted == cell {
			out = append(out, literalKey(v))
		}
		if quoted != "" {
			out = append(out, key("s:"+quoted))
		}
	}
	return out
}

// together reports whether all keys stand in one group of a test.
func (l *literals) together(keys ...key) bool { return l.group(keys...) > 0 }

// group is a group that has all the keys, 0 if none has.
func (l *literals) group(keys ...key) int {
	if len(keys) == 0 {
		return 0
	}
	for _, id := range l.groups[keys[0]] {
		all := true
		for _, k := range keys[1:] {
			if _, ok := slices.BinarySearch(l.groups[k], id); !ok {
				all = false
				break
			}
		}
		if all {
			return id
		}
	}
	return 0
}

// has reports whether a test has the literal anywhere.
func (l *literals) has(k key) bool { return len(l.groups[k]) > 0 }

// sized reports whether a string of that length stands together with a constant.
func (l *literals) sized(n int, k key) bool {
	return slices.ContainsFunc(l.groups[k], func(id int) bool { return slices.Contains(l.sizes[id], n) })
}

// raises reports whether a test expects an error for the literal.
func (l *literals) raises(k key) bool {
	for _, id := range l.groups[k] {
		if l.throws[id] {
			return true
		}
	}
	return false
}
