package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// statement matches the beginning of an SQL statement: in capitals, or with more of the language than a sentence has.
var statement = lazyregexp.New(`(?s)^\s*(?:SELECT\s.*?\sFROM\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s` +
	`|DROP\s+TABLE\s)|(?is)^\s*(?:select\s+\*\s+from\s|select\s.*?\sfrom\s.*\swhere\s|insert\s+into\s+\S+.*\svalues\b` +
	`|update\s+\S+\s+set\s+\S+\s*=|delete\s+from\s+\S+\s+where\s)`)

var (
	// mark is how what is made of placeholders is called.
	mark = lazyregexp.New(`(?i)placeholder|^_?param(?:eter)?_?prefix$|^marks?$|set_?clauses?$|^updates?$|^assignments?$`)
	// asValue matches a statement up to where it has a value.
	asValue = lazyregexp.New(`(?i)(?:[=<>'"]|\b(?:like|limit|offset|between|interval|in|values)|\bvalues\s*\((?:[^()]*,)?)\s*['"%(]*$`)
	// clause takes a part of a statement as Rails has them.
	clause = lazyregexp.New(`^(?:where|having|order|reorder|group|joins|find_by_sql|exists\?|pluck|delete_all|update_all)$`)
	// builder takes the condition of a statement in other languages.
	builder = lazyregexp.New(`^(?i:(?:and|or)?where(?:raw)?|having(?:raw)?|orderbyraw|extra)$`)
	// interpolates makes parameters of the values of an interpolated string of C#.
	interpolates = lazyregexp.New(`Interpolated(?:Async)?$|^(?:FromSql|ExecuteSql(?:Async)?|SqlQuery)$`)
	gap          = lazyregexp.New(`%(?:\(\w+\))?[-+ 0-9.]*[a-zA-Z]|\{[^{}\s]*\}`)
	// formats is what fills a text in, by its full name or its last.
	formats = lazyregexp.New(`^(?:fmt\.)?(?:Sprintf|Fprintf)$|^String\.(?:format|Format)$|^string\.Format$|^format$|^Kernel\.format$`)
)

// piece is a part of a text that is put together: a literal, or a value.
type piece struct {
	text  string
	value *code.Node // nil for a literal
}

// joinsSQL reports whether a node puts an SQL statement together of which a part comes from outside.
func (f *source) joinsSQL(n *code.Node) bool {
	if !n.Is(code.Template, code.Binary, code.Call) || n.Src.EndByte()-n.Src.StartByte() > maxLine*4 {
		return false
	}
	if n.Is(code.Template) && (n.Src.Parent().Is("call_expression") && code.Dotted(n.Up.Kid(0)) != "String.raw" ||
		strings.Contains(f.lines[n.Line-1], ">"+firstLine(n.Src.Text()))) { // sql<Row>`…`, which is no call to the grammar
		return false // a tag gets the values apart from the text: sql`…`
	}
	if n.Up.Is(code.Call) && interpolates.MatchString(code.Method(n.Up)) {
		return false
	}
	pieces := f.pieces(n, 0)
	if len(pieces) < 2 || pieces[0].value != nil {
		return false
	}
	if up := n.Up; up.Is(code.Assign) && up.Text == "+=" {
		return slices.ContainsFunc(f.terms.Assigned(up.Kid(0).Text), func(a *code.Node) bool {
			return isStatement(f.orValue(a.Kid(1), 0))
		}) && f.pastes(pieces, true)
	}
	takes := map[bool]*lazyregexp.Regexp{true: clause, false: builder}[f.is(syntax.Ruby)]
	fragment := n.Up.Is(code.Call) && takes.MatchString(code.Method(n.Up)) && n.Up.Kid(1) == n
	return (fragment || isStatement(pieces)) && f.pastes(pieces, false)
}

func isStatement(pieces []piece) bool {
	var all strings.Builder
	for _, p := range pieces {
		if all.WriteString(p.text); p.value != nil {
			all.WriteString("x")
		}
	}
	return statement.MatchString(all.String() + " ")
}

// changesStatement reports whether a value from outside is pasted into a statement: where it has a value any;
// elsewhere, where no placeholder can stand, one that was asked for, or a part to which the file adds values.
func (f *source) changesStatement(v *code.Node, value bool) bool {
	isMark := func(n *code.Node) bool { return n.Is(code.Name, code.Member) && mark.MatchString(n.Text) }
	if !f.outside(ofStatement, false).Has(v) || v.Any(isMark) || f.joinsMarks(v) {
		return false
	}
	return value || f.outside(ofStatement, true).Has(v) || v.Any(f.addsValue)
}

// holdsMark matches a text with a placeholder for a value.
var holdsMark = lazyregexp.New(`[?@:]|\$\d|\$x`)

// joinsMarks reports whether a value is a list that is joined, to which the file adds nothing but placeholders.
func (f *source) joinsMarks(v *code.Node) bool {
	if !v.Is(code.Call) || code.Method(v) != "Join" || !v.Kid(1).Is(code.Name) {
		return false
	}
	found, ok := false, true
	for _, a := range f.terms.Assigned(v.Kid(1).Text) {
		for _, call := range a.Kids[1:] {
			if !call.Is(code.Call) || code.Method(call) != "append" {
				continue // an empty list, or what another function made
			}
			for _, text := range call.Args()[1:] {
				all := ""
				for _, p := range f.pieces(text, 0) {
					ok = ok && (p.value == nil || p.value.Up == nil) // a number's hole
					all += p.text + "x"
				}
				found, ok = true, ok && holdsMark.MatchString(all)
			}
		}
	}
	return found && ok
}

// addsValue reports whether a value from outside is pasted into a part of a
// statement, there or where the file makes what a name stands for.
func (f *source) addsValue(n *code.Node) bool {
	if !n.Is(code.Name) {
		return f.pastes(f.pieces(n, 0), true)
	}
	known, ok := f.adding[n.Text]
	if ok {
		return known
	}
	if f.adding == nil {
		f.adding = map[string]bool{}
	}
	added := func(texts []*code.Node) bool {
		return slices.ContainsFunc(texts, func(t *code.Node) bool { return f.pastes(f.pieces(t, 0), true) })
	}
	f.adding[n.Text] = slices.ContainsFunc(f.terms.Assigned(n.Text), func(a *code.Node) bool { return added(a.Kids[1:]) }) ||
		slices.ContainsFunc(f.terms.Calls, func(c *code.Node) bool {
			return c.Kid(0).Is(code.Member) && c.Kid(0).Kid(0).Is(code.Name) && c.Kid(0).Kid(0).Text == n.Text && added(c.Args())
		})
	return f.adding[n.Text]
}

// pastes reports whether a value from outside is among the pieces of a statement,
// or of a part of one, of which only what stands for a value counts.
func (f *source) pastes(pieces []piece, part bool) bool {
	before := ""
	for _, p := range pieces {
		value := p.value != nil && asValue.MatchString(before)
		if p.value != nil && (value || !part) && f.changesStatement(p.value, value) {
			return true
		}
		if before += p.text; p.value != nil {
			before += "x"
		}
	}
	return false
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

// fill puts arguments into the holes of a text; numbers fill theirs with nothing that could do harm.
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
