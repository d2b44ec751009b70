package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
)

// statement matches the beginning of an SQL statement: in capitals, or with more
// of the language than a sentence has.
var statement = lazyregexp.New(`(?s)^\s*(?:SELECT\s.*?\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|DROP\s+TABLE\s)|` +
	`(?is)^\s*(?:select\s+\*\s+from\s|select\s.*?\sfrom\s.*\swhere\s|insert\s+into\s+\S+.*\svalues\b|update\s+\S+\s+set\s+\S+\s*=` +
	`|delete\s+from\s+\S+\s+where\s)`)

var (
	// partOf is how what a placeholder cannot stand for is called: tables, columns,
	// conditions, other parts of a statement; and the marks of placeholders.
	partOf = lazyregexp.New(`(?i)^(?:placeholders?|\w*columns?|cols?|\w*fields?|fieldnames?|\w*tables?|\w*table_?names?|\w*schemas?` +
		`|opts|options|config|cfg|meta|model|this|self|cls|quoted?\w*|where\w*|\w*clauses?|\w*conditions?|order\w*|direction|dir|sort\w*` +
		`|limit|offset|joins?|keys?|idx|index|params?|\w*placeholders?|updates?|assignments?|set\w*|\w*(?:query|sql|filters?|stmt` +
		`|statement)|base|prefix|suffix|db|database|name_?space|view|alias|marks?|expr\w*|select\w*|selectors?)$`)
	mark = lazyregexp.New(`(?i)placeholder|^marks?$|set_?clauses?$|^updates?$|^assignments?$`)
	// asValue matches a statement up to where it has a value.
	asValue = lazyregexp.New(`(?i)(?:[=<>'"]|\b(?:like|limit|offset|between|interval)|\bvalues\s*\((?:[^()]*,)?)\s*['"%(]*$`)
	// ofTable matches what a table says of itself.
	ofTable = lazyregexp.New(`(?i)^(?:\w+\.)?\w*(?:tables?|columns?)\.\w+$`)
	gap     = lazyregexp.New(`%(?:\(\w+\))?[-+ 0-9.]*[a-zA-Z]|\{[^{}\s]*\}`)
	// formats is what fills a text in, by its full name or its last.
	formats = lazyregexp.New(`^(?:fmt\.)?(?:Sprintf|Fprintf)$|^String\.(?:format|Format)$|^string\.Format$|^format$|^Kernel\.format$`)
)

// piece is a part of a text that is put together: a literal, or a value.
type piece struct {
	text  string
	value *code.Node // nil for a literal
}

// joinsSQL reports whether a node puts an SQL statement together of which a part
// comes from outside.
func (f *source) joinsSQL(n *code.Node) bool {
	if !n.Is(code.Template, code.Binary, code.Call) || n.Src.EndByte()-n.Src.StartByte() > maxLine*4 {
		return false
	}
	if n.Is(code.Template) && n.Src.Parent().Is("call_expression") && code.Dotted(n.Up.Kid(0)) != "String.raw" {
		return false // a tag gets the values apart from the text: sql`…`
	}
	pieces := f.pieces(n, 0)
	if len(pieces) < 2 || pieces[0].value != nil {
		return false
	}
	var all strings.Builder
	for _, p := range pieces {
		if all.WriteString(p.text); p.value != nil {
			all.WriteString("x")
		}
	}
	if !statement.MatchString(all.String() + " ") {
		return false
	}
	before := ""
	for _, p := range pieces {
		if p.value != nil && f.changesStatement(p.value, asValue.MatchString(before)) {
			return true
		}
		before += p.text
		if p.value != nil {
			before += "x"
		}
	}
	return false
}

// changesStatement reports whether a value from outside is pasted into a
// statement: where it has a value any, elsewhere none that is called as a part of
// one, if it was not asked for.
func (f *source) changesStatement(v *code.Node, value bool) bool {
	if !f.outside(ofStatement, false).Has(v) {
		return false
	}
	named := func(re *lazyregexp.Regexp) bool { return isCalled(v, re) }
	switch {
	case named(mark):
		return false
	case value:
		return true
	default:
		return !named(partOf) || f.outside(ofStatement, true).Has(v)
	}
}

// isCalled reports whether all names in a value are such, but for those of
// functions.
func isCalled(v *code.Node, re *lazyregexp.Regexp) bool {
	named, other := false, false
	v.Walk(func(n *code.Node) bool {
		called := n.Up.Is(code.Call) && n.Up.Kids[0] == n
		if !n.Is(code.Name, code.Member) || called {
			return !n.Is(code.Func)
		}
		part := re.MatchString(n.Text) || n.Is(code.Member) && ofTable.MatchString(code.Dotted(n))
		base := n.Is(code.Member) && n.Kid(0).Is(code.Name)
		named, other = named || part, other || !part && !base
		return !part
	})
	return named && !other
}

// maxPieces is how deep a text is put together of others.
const maxPieces = 200

// pieces are the parts of a text in their order, nil if it is none.
func (f *source) pieces(n *code.Node, depth int) []piece {
	switch {
	case depth > maxPieces:
	case n.Is(code.Literal) && n.Value.Type == code.String:
		return []piece{{text: n.Value.Text}}
	case n.Is(code.Template):
		var out []piece
		for _, k := range n.Kids {
			out = append(out, f.orValue(k, depth)...)
		}
		return out
	case n.Is(code.Binary) && n.Text == "+":
		return append(f.orValue(n.Kid(0), depth), f.orValue(n.Kid(1), depth)...)
	case n.Is(code.Binary) && n.Text == "%":
		args := []*code.Node{n.Kid(1)}
		if args[0].Is(code.List, code.Dict) {
			args = args[0].Kids
		}
		return fill(n.Kid(0), args)
	case n.Is(code.Call):
		callee, args := n.Kid(0), n.Args()
		switch {
		case callee.Is(code.Member) && (callee.Text == "format" || callee.Text == "formatted") && callee.Kid(0).Is(code.Literal):
			return fill(callee.Kid(0), args)
		case formats.MatchString(code.Dotted(callee)) && len(args) > 0:
			for i, a := range args[:len(args)-1] { // what it is written to stands before
				if !a.Is(code.Literal) && args[i+1].Is(code.Literal) && i == 0 {
					args = args[1:]
					break
				}
			}
			return fill(args[0], args[1:])
		}
	}
	return nil
}

// orValue is what a part of a text is made of, or its value.
func (f *source) orValue(n *code.Node, depth int) []piece {
	if out := f.pieces(n, depth+1); out != nil {
		return out
	}
	return []piece{{value: n}}
}

// fill puts arguments into the holes of a text; numbers fill theirs with nothing
// that could do harm.
func fill(format *code.Node, args []*code.Node) []piece {
	if !format.Is(code.Literal) {
		return nil
	}
	text, at := format.Value.Text, 0
	var out []piece
	for next := 0; ; {
		found := gap.FindStringIndex(text[at:])
		if found == nil {
			return append(out, piece{text: text[at:]})
		}
		out = append(out, piece{text: text[at : at+found[0]]})
		what := text[at+found[0] : at+found[1]]
		at += found[1]
		arg := &code.Node{Kind: code.Other}
		name := strings.Trim(strings.TrimSuffix(what, "s"), "{}%()")
		name, _, _ = strings.Cut(strings.SplitN(name, ":", 2)[0], ".")
		keyed := slices.IndexFunc(args, func(a *code.Node) bool {
			k := a.Kid(0)
			return a.Is(code.Pair) && name != "" && (k.Text == name || k.Is(code.Literal) && k.Value.Text == name)
		})
		switch {
		case strings.HasSuffix(what, "d") && what[0] == '%':
			next++
		case keyed >= 0:
			arg = args[keyed].Kid(1)
		case what[0] == '{' && len(name) == 1 && name[0] >= '0' && name[0] <= '9' && int(name[0]-'0') < len(args):
			arg = args[name[0]-'0']
		case what[0] == '{' && name != "" && format.Up != nil && format.Up.Text == "!": // Rust: "{name}"
			arg = &code.Node{Kind: code.Name, Text: name, Up: format.Up, Line: format.Line}
		case next < len(args):
			arg = args[next]
			next++
		}
		out = append(out, piece{value: arg})
	}
}
