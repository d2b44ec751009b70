package literal

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// Source is one approved test file.
type Source struct {
	Path   string
	Source []byte
}

// Place is a line of a test.
type Place struct {
	Path string
	Line int
	Text string // the line
}

// Tests are the values in the approved tests, by the groups in which they
// stand together: the literals of one assertion, with those of the variables in
// it, or of one row of a table of cases.
type Tests struct {
	groups map[Key][]int   // ascending
	throws map[int]bool    // groups that expect an error
	sizes  map[int][]int   // by group, how long its strings are
	places map[Key]Place   // where a value stands first; titles of tests are left out
	Paths  map[string]bool // of the files
	Names  map[string]bool // variables and parameters
	Funcs  map[string]bool // functions: with some runners, the names of threads
	// Calls are the arguments of each call, by the last name of what is called.
	Calls map[string][][]*code.Node
	Count int // groups
}

// Read reads the approved tests. What cannot be parsed has no literals. Its
// error is the context's.
func Read(ctx context.Context, tests []Source) (*Tests, error) {
	l := &Tests{
		groups: map[Key][]int{}, throws: map[int]bool{}, sizes: map[int][]int{}, places: map[Key]Place{},
		Paths: map[string]bool{}, Names: map[string]bool{}, Funcs: map[string]bool{}, Calls: map[string][][]*code.Node{},
	}
	for _, t := range tests {
		l.Paths[path.Clean(t.Path)] = true
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
		l.file(f, t.Source)
	}
	return l, nil
}

func (l *Tests) file(f *code.File, source []byte) {
	r := reader{l, f, LinesOf(source)}
	r.visit(f.Root, false)
	for _, c := range f.Calls {
		name := code.Method(c)
		l.Calls[name] = append(l.Calls[name], c.Args())
	}
	for _, a := range f.Assigns {
		if t := a.Kid(0); t.Is(code.Name) && len(t.Text) > 2 {
			l.Names[t.Text] = true
		}
	}
	for _, fn := range f.Funcs {
		l.Funcs[fn.Text] = true
		for _, name := range fn.Def.Params {
			l.Names[name] = len(name) > 2
		}
		for _, m := range fn.Def.Marks {
			r.mark(m)
		}
	}
	for _, fn := range append([]*code.Node{f.Root}, f.Classes...) {
		r.locate(fn)
	}
}

// locate notes where the values in a node stand first.
func (r *reader) locate(n *code.Node) {
	note := func(k Key, line int) {
		if _, known := r.places[k]; !known && k != "" {
			r.places[k] = Place{r.file.Path, line, r.lines.At(line)}
		}
	}
	n.Walk(func(c *code.Node) bool {
		switch {
		case c.Is(code.Func):
			for _, m := range c.Def.Marks {
				r.locate(m)
			}
		case c.Is(code.Literal) && !isTitle(c):
			note(OfValue(c.Value), c.Line)
		case c.Is(code.List, code.Dict):
			note(Of(c), c.Line)
		}
		return true
	})
}

// isTitle reports whether a literal names a test or a row: it("does …", …),
// t.Run("…", …), {name: "…"}.
func isTitle(n *code.Node) bool {
	if n.Up.Is(code.Pair) && n.Up.Kid(0).Is(code.Name) {
		switch strings.ToLower(n.Up.Kid(0).Text) {
		case "name", "desc", "description", "title", "id", "message", "reason":
			return n.Up.Kid(1) == n
		}
	}
	if !n.Up.Is(code.Call) || n.Up.Kid(1) != n {
		return false
	}
	args := n.Up.Args()
	return len(args) > 1 && args[len(args)-1].Is(code.Func)
}

// reader collects the groups of one test file.
type reader struct {
	*Tests
	file  *code.File
	lines Lines
}

// add makes a group of the constants.
func (r *reader) add(throws bool, keys []Key) {
	if len(keys) == 0 || len(keys) > maxGroup || r.Count >= maxGroups {
		return
	}
	r.Count++
	for _, k := range keys {
		if ids := r.groups[k]; len(ids) == 0 || ids[len(ids)-1] != r.Count {
			r.groups[k] = append(ids, r.Count)
		}
		if text, ok := strings.CutPrefix(string(k), "s:"); ok {
			r.sizes[r.Count] = append(r.sizes[r.Count], utf8.RuneCountInString(text))
		}
	}
	if throws {
		r.throws[r.Count] = true
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
func (r *reader) keys(n *code.Node, hops int, out []Key) []Key {
	n.Walk(func(c *code.Node) bool {
		if len(out) > maxGroup {
			return false
		}
		switch {
		case c.Is(code.Func):
			return len(c.Kids) <= 1 // a function around the one call that is to throw
		case c.Is(code.Literal):
			if k := OfValue(c.Value); k != "" {
				out = append(out, k)
			}
		case c.Is(code.List, code.Dict), c.Is(code.Call) && c != n:
			if k := Of(c); strings.HasPrefix(string(k), "c:") {
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
		for _, line := range strings.Split(Text(c), "\n") {
			r.add(false, csvRow(line))
		}
		return true
	})
}

// csvRow are the values of a row as JUnit writes them.
func csvRow(line string) []Key {
	comma := ","
	if strings.Count(line, "|") > 0 {
		comma = "|"
	}
	var out []Key
	for _, cell := range strings.Split(line, comma) {
		cell = strings.TrimSpace(cell)
		quoted := strings.Trim(cell, "'\"")
		if v, ok := code.ParseNumber(cell); ok && quoted == cell {
			out = append(out, OfValue(v))
		}
		if quoted != "" {
			out = append(out, Key("s:"+quoted))
		}
	}
	return out
}

// Together reports whether all keys stand in one group of a test.
func (l *Tests) Together(keys ...Key) bool { return l.group(keys...) > 0 }

// group is a group that has all the keys, 0 if none has.
func (l *Tests) group(keys ...Key) int {
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

// Has reports whether a test has the literal anywhere.
func (l *Tests) Has(k Key) bool { return len(l.groups[k]) > 0 }

// Sized reports whether a string of that length stands together with a constant.
func (l *Tests) Sized(n int, k Key) bool {
	return slices.ContainsFunc(l.groups[k], func(id int) bool { return slices.Contains(l.sizes[id], n) })
}

// Raises reports whether a test expects an error for the literal.
func (l *Tests) Raises(k Key) bool {
	for _, id := range l.groups[k] {
		if l.throws[id] {
			return true
		}
	}
	return false
}

// At is where a value stands first in the tests; false if it stands nowhere but
// in the titles of tests.
func (l *Tests) At(k Key) (Place, bool) {
	p, ok := l.places[k]
	return p, ok
}
