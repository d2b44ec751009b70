package literal

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/conventions"
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

// Tests are the values in the approved tests, by the groups in which they stand together: the literals of one
// assertion, with those of the variables in it, or of one row of a table of cases.
type Tests struct {
	groups map[Key][]int    // ascending
	texts  map[int][]string // by group, its strings
	places map[Key]Place    // where a value stands first; titles of tests are left out
	Paths  map[string]bool  // of the files
	// Calls are the arguments of each call, by the last name of what is called.
	Calls map[string][][]*code.Node
	// Imports are the last names of what the tests import, or hand to a call first.
	Imports map[string]bool
	// Packages are those of which a type takes the place of one of the language of its
	// name; true where it does of imported ones as well.
	Packages map[string]bool
	count    int // groups
}

// Read reads the approved tests. What cannot be parsed has no literals. Its error is the context's.
func Read(ctx context.Context, tests []Source) (*Tests, error) {
	l := &Tests{
		groups: map[Key][]int{}, texts: map[int][]string{}, places: map[Key]Place{},
		Paths: map[string]bool{}, Calls: map[string][][]*code.Node{}, Packages: map[string]bool{}, Imports: map[string]bool{},
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
		if f, err := code.Read(t.Path, tree); err == nil {
			l.file(f, t.Source)
		}
	}
	return l, nil
}

func (l *Tests) file(f *code.File, source []byte) {
	r := reader{l, f, LinesOf(source)}
	for _, m := range f.Modules {
		for _, name := range strings.Fields(m.Text) {
			l.Imports[Stem(name)] = true
		}
	}
	var tests []*code.Node // beside code, which is no case
	if !conventions.IsTest(f.Path) {
		tests = f.TestsOfRust()
	}
	for _, c := range f.Calls {
		l.Imports[Stem(Text(c.Kid(1)))] = true // require, import, a mock, a command
		if name := code.Method(c); len(tests) == 0 || slices.ContainsFunc(tests, c.Within) {
			l.Calls[name] = append(l.Calls[name], c.Args())
		}
	}
	for _, n := range tests {
		r.visit(n)
		r.locate(n)
	}
	if len(tests) > 0 {
		return
	}
	r.visit(f.Root)
	l.packages(f)
	for _, fn := range f.Funcs {
		for _, m := range fn.Def.Marks {
			r.mark(m)
		}
	}
	for _, fn := range append([]*code.Node{f.Root}, f.Classes...) {
		r.locate(fn)
	}
}

// Stem is the last name of a path, without what follows a dot in it.
func Stem(p string) string {
	stem, _, _ := strings.Cut(path.Base(p), ".")
	return stem
}

// packages notes the packages that a test looks its names up in before imports:
// its namespace and those around it; its package, if it imports all of another.
func (l *Tests) packages(f *code.File) {
	all := func(m *code.Node) bool {
		return strings.HasSuffix(m.Text, ".*") && !strings.Contains(m.Src.Text(), " static ")
	}
	for _, name := range f.Packages() {
		l.Packages[name] = l.Packages[name] || f.Lang == syntax.CSharp || f.Lang == syntax.Java && slices.ContainsFunc(f.Modules, all)
		for f.Lang == syntax.CSharp && name != "" {
			name = name[:max(0, strings.LastIndexByte(name, '.'))]
			l.Packages[name] = true
		}
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

// isTitle reports whether a literal names a test or a row: it("does …", …), t.Run("…", …), {name: "…"}.
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
func (r *reader) add(keys []Key) {
	if len(keys) == 0 || len(keys) > maxGroup || r.count >= maxGroups {
		return
	}
	r.count++
	for _, k := range keys {
		if ids := r.groups[k]; len(ids) == 0 || ids[len(ids)-1] != r.count {
			r.groups[k] = append(ids, r.count)
		}
		if text, ok := strings.CutPrefix(string(k), "s:"); ok {
			r.texts[r.count] = append(r.texts[r.count], text)
		}
	}
}

// visit makes groups of the statements and rows in a node.
func (r *reader) visit(n *code.Node) {
	if n == nil {
		return
	}
	switch {
	case n.Is(code.Call, code.Binary) && isStatement(n), n.Is(code.Other) && n.Src.Is("assert_statement"): // Binary: Ruby's x.should == y
		r.add(r.keys(n, 2, nil))
	case n.Is(code.If):
		r.add(r.keys(n.Kid(0), 2, nil))
	case n.Is(code.List, code.Dict), n.Is(code.Call) && (n.Text == "new" || n.Up.Is(code.List)):
		r.add(r.keys(n, 0, nil))
	}
	for _, k := range n.Kids {
		r.visit(k)
	}
}

func isStatement(n *code.Node) bool {
	return n.Up.Is(code.Block, code.Func, code.Handler, code.Return) || n.Up.Is(code.Other) && n.Up.Up.Is(code.Block, code.Func)
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
		if by := a.Outer(code.Func); (by == fn || scope == nil || by == scope) && a.Text != "for" && !name.Within(a) {
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
	r.visit(m)
	if !m.Is(code.Call) {
		return
	}
	r.add(r.keys(m, 0, nil))
	if !strings.HasPrefix(code.Dotted(m.Kid(0)), "Csv") {
		return
	}
	m.Walk(func(c *code.Node) bool {
		for _, line := range strings.Split(Text(c), "\n") {
			r.add(csvRow(line))
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
func (l *Tests) Together(keys ...Key) bool {
	return len(keys) > 0 && slices.ContainsFunc(l.groups[keys[0]], func(id int) bool {
		return !slices.ContainsFunc(keys[1:], func(k Key) bool {
			_, found := slices.BinarySearch(l.groups[k], id)
			return !found
		})
	})
}

// Sized reports whether a string of that length stands together with a constant.
func (l *Tests) Sized(n int, k Key) bool {
	return l.beside(k, func(text string) bool { return utf8.RuneCountInString(text) == n })
}

// Part reports whether a string stands together with an answer, and with another string that it is a part of: what
// the code is given is longer. One that only names rows is given to nobody.
func (l *Tests) Part(k, answer Key) bool {
	part, ok := strings.CutPrefix(strings.ToLower(string(k)), "s:")
	_, given := l.At(k)
	return ok && (!given || l.beside(answer, func(text string) bool {
		return len(text) > len(part) && Key("s:"+text) != answer && strings.Contains(strings.ToLower(text), part)
	}))
}

func (l *Tests) beside(k Key, is func(string) bool) bool {
	return slices.ContainsFunc(l.groups[k], func(id int) bool { return slices.ContainsFunc(l.texts[id], is) })
}

// At is where a value stands first in the tests; false if it stands nowhere but in the titles of tests.
func (l *Tests) At(k Key) (Place, bool) {
	p, ok := l.places[k]
	return p, ok
}
