package workaround

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func specialCasing() rule {
	return rule{Rule: Rule{
		ID: "special-casing", Kind: violation.SpecialCasing, Name: "Tests' inputs recognised",
		Explanation: `A function that recognises the inputs of the tests and returns what they expect has not been written, only listed. Reported: branches, switches
and lookup tables of whose entries most stand in the approved tests as pairs of input and expected value, if the values are such that nobody writes
them by chance and are returned as they are. Spared: single shared values, small numbers, base cases of recursions, tables that the algorithm
computes with (units, numerals), tables with many entries of which the tests try a few, words and codes of a domain with their names.`,
		Example: Example{"python", "if text == \"the quick brown fox\":\n    return \"the-quick\"\nreturn text\n", "SYMBOLS = {\"EUR\": \"€\", \"USD\": \"$\"}\n\ndef symbol(currency):\n    return SYMBOLS[currency]\n"},
	}, check: func(p *pass) {
		if p.known.tests.count == 0 {
			return
		}
		for _, fn := range p.Funcs {
			p.branches(fn)
			p.memberships(fn)
			p.lengths(fn)
			p.fixed(fn)
		}
		for _, t := range p.lookupTables() {
			p.table(t)
			p.digests(t)
		}
		p.foreignTables()
	}}
}

// recognition is what a function or table has in common with the tests.
type recognition struct {
	entries  []entry
	hits     []entry // entries that stand in the tests as a pair
	inputs   int     // entries of which at least the input does
	strong   int     // hits that nobody writes by chance
	distinct int     // entries whose input alone is such
	sure     int     // hits of which one is enough
	phrases  int     // hits whose input is a phrase
	exact    int     // pairs of numbers alone, which tell only together
	tuples   int     // those of them with several inputs
	telling  int     // those of them whose output is not 0 or 1
	pairs    int     // entries that stand in the tests as a pair, telling or not
	derived  int     // hits whose output is the input, changed as algorithms do
	weights  float64
}

func (p *pass) recognise(entries []entry) recognition {
	r := recognition{entries: entries}
	for _, e := range entries {
		p.recogniseEntry(&r, e)
	}
	return r
}

func (p *pass) recogniseEntry(r *recognition, e entry) {
	tests := p.known.tests
	var keys []key
	in, word := 0.0, 0.0
	numeric := true
	for _, n := range e.inputs {
		k := literalKey(n.Value)
		if k == "" {
			continue
		}
		numeric = numeric && n.Value.Type == code.Number
		if tests.has(k) {
			keys = append(keys, k)
			if w := weight(k); n.Value.Type == code.String && w <= 0.5 {
				word = max(word, w) // several words are still the names of something
			} else {
				in += w
			}
		}
	}
	in += word
	if len(keys) == 0 {
		return
	}
	r.inputs++
	if numeric {
		p.recogniseNumbers(r, e, keys)
	}
	if p.isPair(e, keys) {
		r.pairs++
	}
	in = min(in, 2)
	if in >= 1 && tests.together(keys...) {
		r.distinct++
	}
	if e.output == nil {
		return
	}
	out := keyOf(e.output)
	if out == "" || weight(out) == 0 || in == 0 || len(keys) == 1 && keys[0] == out {
		return
	}
	if !tests.together(append(keys, out)...) {
		return
	}
	w := weight(out)
	if a, b := textOf(e.inputs[0]), textOf(bare(e.output)); len(e.inputs) == 1 && rearranged(a, b) {
		in++
		r.derived++
	} else if inflected(a, b) {
		r.derived++
	}
	r.hits = append(r.hits, e)
	r.weights += in + w
	compound := out[0] == 'c'
	if in >= 1 && w >= 0.5 || (numeric || compound) && in >= 0.25 && w >= 1.5 && out[0] != 's' {
		r.strong++
	}
	if in >= 1.5 && w >= 0.5 {
		r.phrases++
	}
	if in >= 1.5 && w >= 1 || in >= 1 && w >= 1.5 || compound && w >= 1.5 && in >= 0.25 {
		r.sure++
	}
}

// isPair reports whether a test has all inputs of an entry, together with its
// output, or expects an error for them.
func (p *pass) isPair(e entry, keys []key) bool {
	if len(keys) < len(e.inputs) {
		return false
	}
	if e.output == nil {
		return p.known.tests.raises(keys[0])
	}
	out := keyOf(e.output)
	return out != "" && p.known.tests.together(append(keys[:len(keys):len(keys)], out)...)
}

// all reports whether next to all entries are pairs of the tests, while their
// inputs are nothing that programs have tables of.
func (r recognition) all() bool {
	switch {
	case r.pairs*10 < len(r.entries)*9:
		return false
	case r.pairs >= 2 && r.strong >= 1:
		return true
	default:
		return r.pairs >= 3 && (arbitrary(r.entries) || judgesWords(r.entries))
	}
}

// recogniseNumbers counts an entry of numbers alone: 1, 2 → 3.
func (p *pass) recogniseNumbers(r *recognition, e entry, keys []key) {
	if e.output == nil || len(keys) < len(e.inputs) || bare(e.output).Value.Type != code.Number || !p.known.tests.together(append(keys, keyOf(e.output))...) {
		return
	}
	r.exact++
	if len(e.inputs) > 1 {
		r.tuples++
	}
	if w := weight(keyOf(e.output)); w > 0 {
		r.telling++
	}
}

// listed reports whether all entries are pairs of numbers of the tests, so that
// each number alone tells nothing, and all of them do.
func (r recognition) listed(computed bool) bool {
	if r.exact < len(r.entries) || r.telling == 0 {
		return false
	}
	return r.tuples >= 2 || computed && r.exact >= 3 && r.telling >= 2
}

// rearranged reports whether one text has the letters of the other in another
// order or spelling, as algorithms make it and dictionaries do not.
func rearranged(a, b string) bool {
	if len(a) < 4 || len(a) > 200 || strings.EqualFold(a, b) {
		return false
	}
	return letters(a) == letters(b)
}

// inflected reports whether two texts are the same but for their ends, or one is
// put into the other.
func inflected(a, b string) bool {
	if len(a) >= 3 && len(b) > len(a)+4 && strings.Contains(b, a) {
		return true
	}
	if len(a) < 4 || len(b) < 4 || strings.EqualFold(a, b) {
		return false
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return same*10 >= 6*max(len(a), len(b))
}

// spelled reports whether all entries stand in the tests, and their outputs are
// what an algorithm would make of the inputs, while no algorithm does.
func (r recognition) spelled(computed bool) bool {
	return !computed && len(r.hits) == len(r.entries) && r.derived >= 2
}

func letters(s string) string {
	var out []rune
	for _, r := range strings.ToLower(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return string(out)
}

// share is the part of the entries whose input stands in the tests.
func (r recognition) share() float64 { return float64(r.inputs) / float64(max(1, len(r.entries))) }

// mostlyStrong reports whether enough of the entries are such as nobody writes by
// chance: a vocabulary of a domain has a few long words, too.
func (r recognition) mostlyStrong() bool {
	return r.strong*3 >= len(r.entries) || r.distinct*3 >= len(r.entries) || r.sure*3 >= len(r.entries)
}

func (p *pass) reportHits(r recognition, others ...int) {
	for _, e := range r.hits {
		p.report(e.inputs[0].Line, fmt.Sprintf("the input %s of an approved test is recognised and answered with what the test expects", literalsOf(e.inputs)),
			append(others, e.line)...)
	}
}

// table judges a lookup table.
func (p *pass) table(t table) {
	r := p.recognise(t.entries)
	if r.listed(true) || r.all() {
		r.hits = r.entries
	}
	if len(r.hits) == 0 || r.share() < 0.5 {
		return
	}
	enough := r.all() || r.listed(p.computes(t)) || r.spelled(p.computes(t)) ||
		r.mostlyStrong() && (r.strong >= 2 || r.sure >= 1 && (len(r.entries) <= 3 || r.distinct >= 2) || r.strong >= 1 && r.distinct >= 2 && r.share() >= 0.75)
	switch {
	case !enough:
	case p.answeredBy(t):
		p.reportHits(r)
	case t.name != "" && p.definedAtTop(t) && !p.known.second && p.known.tables[t.name] == nil:
		own := *p
		own.found, own.seen = &t.pending, map[int]bool{}
		own.reportHits(r)
		p.known.tables[t.name] = &t
	}
}

// foreignTables reports tables of other changed files from which this one
// returns what it looks up.
func (p *pass) foreignTables() {
	if !p.known.second {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.known.tables)) {
		if t := p.known.tables[name]; t.path != p.Path && p.brings(name) && p.answeredBy(table{name: name}) {
			*p.found = append(*p.found, t.pending...)
			t.pending = nil
		}
	}
}

// computes reports whether a function that uses a table also returns something
// else that it computes, and does not call itself: no base cases.
func (p *pass) computes(t table) bool {
	for _, fn := range p.Funcs {
		uses := t.name == "" && t.node.Within(fn) || t.name != "" && fn.Any(func(n *code.Node) bool { return n.Is(code.Name, code.Member) && n.Text == t.name })
		if uses && fn.Text != "" && computesOtherwise(fn, t.name) {
			return true
		}
	}
	return false
}

// computesOtherwise: an algorithm with loops is taken for honest, the numbers
// for its base cases.
func computesOtherwise(fn *code.Node, name string) bool {
	if fn.Any(func(n *code.Node) bool { return n.Is(code.Call) && code.Method(n) == fn.Text || n.Is(code.Loop) }) {
		return false
	}
	for _, o := range code.Outcomes(fn) {
		uses := func(n *code.Node) bool { return n.Is(code.Name, code.Member) && n.Text == name && name != "" }
		if v := o.Value; !o.Raises && v != nil && keyOf(v) == "" && !v.Is(code.Name, code.Index) && !v.Any(uses) {
			return true
		}
		if v := o.Value; v.Is(code.Call, code.Binary) && v.Any(uses) && slices.ContainsFunc(v.Kids[1:], func(k *code.Node) bool { return k.Is(code.Binary, code.Call) && !k.Any(uses) }) {
			return true
		}
	}
	return false
}

func (p *pass) definedAtTop(t table) bool { return t.node.Outer(code.Func) == nil && len(t.name) > 2 }

// branches judges the conditions and switches of a function.
func (p *pass) branches(fn *code.Node) {
	var entries []entry
	computed := false
	for _, o := range code.Outcomes(fn) {
		inputs, guarded := p.equalities(o.Guards)
		constant := o.Raises || keyOf(o.Value) != ""
		switch {
		case guarded && constant:
			for _, in := range inputs {
				e := entry{inputs: in, output: o.Value, line: o.Line}
				if o.Raises {
					e.output = nil
				}
				entries = append(entries, e)
			}
		case !o.Raises && o.Value != nil && !constant:
			computed = true
		}
	}
	if len(entries) == 0 || len(entries) > maxEntries {
		return
	}
	r := p.recognise(entries)
	p.rejections(fn, entries)
	if r.share() < 0.5 {
		return
	}
	if r.all() || r.listed(computed && computesOtherwise(fn, "")) {
		r.hits = r.entries
		p.reportHits(r)
		return
	}
	if r.spelled(computed && computesOtherwise(fn, "")) {
		p.reportHits(r)
		return
	}
	listed := len(r.hits) >= 2 && r.share() >= 0.75 && r.weights >= 3
	if len(r.hits) == len(entries) && r.weights >= 3 && (len(r.hits) >= 3 && computed || len(r.hits) >= 2 && r.distinct >= 2) {
		p.reportHits(r) // nothing but what the tests ask is listed
		return
	}
	if !r.mostlyStrong() {
		return
	}
	if r.strong >= 2 || r.sure >= 1 || r.strong >= 1 && ((computed || r.phrases > 0) && len(entries) <= 3 || r.distinct >= 2 || listed) {
		p.reportHits(r)
	}
}

// fixed judges functions that ignore what they are given and return a number,
// or several, that a test expects.
func (p *pass) fixed(fn *code.Node) {
	if len(fn.Def.Params) == 0 || len(fn.Kids) == 0 || fn.Text == "" {
		return
	}
	for _, name := range fn.Def.Params {
		if strings.HasPrefix(name, "_") && len(fn.Def.Params) == 1 && p.lang(syntax.Rust) {
			continue
		}
		if fn.Any(func(n *code.Node) bool { return n.Is(code.Name) && n.Text == name }) {
			return
		}
	}
	outcomes := code.Outcomes(fn)
	if len(outcomes) != 1 || outcomes[0].Raises || len(outcomes[0].Guards) > 0 {
		return
	}
	v := bare(outcomes[0].Value)
	k := keyOf(v)
	numbers := v.Is(code.Literal) && v.Value.Type == code.Number || strings.HasPrefix(string(k), "c:n:") && !strings.Contains(string(k), "s:")
	if numbers && weight(k) >= 1.5 && p.calledWithAnswer(fn.Text, k) {
		p.report(outcomes[0].Line, "whatever it is given, the function returns what an approved test expects", fn.Def.Line)
	}
}

// calledWithAnswer reports whether a test calls a function and expects that.
func (p *pass) calledWithAnswer(name string, answer key) bool {
	return p.known.tests.has(answer) && p.known.tests.calls[name]
}

// equalities are the constants that the guards of an outcome compare with: each
// element is one way to fulfil all of them.
func (p *pass) equalities(guards []code.Guard) (ways [][]*code.Node, found bool) {
	var all []*code.Node
	var choice []*code.Node
	for _, g := range guards {
		switch {
		case g.Cond != nil && !g.Negated:
			eq, alternatives := equated(g.Cond)
			all = append(all, eq...)
			if len(alternatives) > 0 {
				choice = alternatives
			}
		case g.Cond != nil && g.Cond.Is(code.Binary) && g.Cond.Text == "!=":
			all = append(all, operandLiteral(g.Cond)...)
		case g.Subject != nil && len(g.Patterns) > 0:
			var patterns []*code.Node
			for _, pat := range g.Patterns {
				switch pat := bare(pat); {
				case pat.Is(code.Literal):
					patterns = append(patterns, pat)
				case pat.Is(code.List):
					for _, k := range pat.Kids {
						if k.Is(code.Literal) {
							all = append(all, k)
						}
					}
				}
			}
			if len(patterns) == 1 {
				all = append(all, patterns...)
			} else if len(patterns) > 1 {
				choice = patterns
			}
		case g.Subject == nil:
			for _, pat := range g.Patterns {
				eq, _ := equated(pat)
				all = append(all, eq...)
			}
		}
	}
	if len(choice) == 0 {
		if len(all) == 0 {
			return nil, false
		}
		return [][]*code.Node{all}, true
	}
	for _, c := range choice {
		ways = append(ways, append(all[:len(all):len(all)], c))
	}
	return ways, true
}

// equated are the literals that a condition demands, and those of which it
// demands one.
func equated(c *code.Node) (all, anyOf []*code.Node) {
	switch {
	case c.Is(code.Binary) && c.Text == "&&":
		a, x := equated(c.Kid(0))
		b, y := equated(c.Kid(1))
		return append(a, b...), append(x, y...)
	case c.Is(code.Binary) && c.Text == "||":
		a, x := equated(c.Kid(0))
		b, y := equated(c.Kid(1))
		return nil, append(append(append(a, b...), x...), y...)
	case c.Is(code.Binary) && c.Text == "==":
		return operandLiteral(c), nil
	case c.Is(code.Binary) && c.Text == "in" && c.Kid(1).Is(code.List):
		return nil, constantsOf(c.Kid(1))
	case c.Is(code.Call):
		return asked(c)
	}
	return nil, nil
}

// asked are the literals of "x".equals(y), [..].includes(x) and the like.
func asked(c *code.Node) (all, anyOf []*code.Node) {
	callee := c.Kid(0)
	if !callee.Is(code.Member) || len(c.Kids) < 2 {
		return nil, nil
	}
	o, a := bare(callee.Kid(0)), c.Kid(1)
	switch callee.Text {
	case "equals", "Equals", "eq", "eql?", "equalsIgnoreCase":
		if o.Is(code.Literal) {
			return []*code.Node{o}, nil
		}
		if a.Is(code.Literal) {
			return []*code.Node{a}, nil
		}
	case "includes", "contains", "Contains", "include?", "has", "indexOf":
		if o.Is(code.List) {
			return nil, constantsOf(o)
		}
	}
	return nil, nil
}

func constantsOf(list *code.Node) []*code.Node {
	var out []*code.Node
	for _, k := range list.Kids {
		if k.Is(code.Literal) {
			out = append(out, k)
		}
	}
	return out
}

// operandLiteral is the literal that something is compared with; a list that
// is compared counts by its elements.
func operandLiteral(c *code.Node) []*code.Node {
	l, r := bare(c.Kid(0)), bare(c.Kid(1))
	if l.Is(code.Literal) {
		l, r = r, l
	}
	switch {
	case l.Is(code.Literal):
		return nil
	case l.Is(code.Unary) && l.Text == "typeof":
		return nil
	case r.Is(code.Literal):
		return []*code.Node{r}
	case r.Is(code.List):
		return leaves(r)
	}
	return nil
}

// memberships judges sets of inputs that are answered with true.
func (p *pass) memberships(fn *code.Node) {
	for _, o := range code.Outcomes(fn) {
		var set []*code.Node
		switch {
		case o.Raises || o.Value == nil:
			continue
		case o.Value.Is(code.Literal) && o.Value.Value.True():
			ways, _ := p.equalities(o.Guards)
			for _, w := range ways {
				if len(w) == 1 {
					set = append(set, w[0])
				}
			}
		default:
			all, anyOf := equated(o.Value)
			set = append(all, anyOf...)
			if o.Value.Is(code.Binary) && o.Value.Text == "&&" {
				set = nil
			}
			if len(set) == 0 {
				set = p.namedSet(o.Value)
			}
		}
		p.set(set)
	}
}

// namedSet are the elements of a constant set that a value asks for membership.
func (p *pass) namedSet(v *code.Node) []*code.Node {
	var name *code.Node
	switch {
	case v.Is(code.Binary) && v.Text == "in":
		name = v.Kid(1)
	case v.Is(code.Call) && v.Kid(0).Is(code.Member) && len(v.Kids) == 2:
		switch v.Kid(0).Text {
		case "includes", "contains", "Contains", "include?", "has", "member?":
			name = v.Kid(0).Kid(0)
		}
	case v.Is(code.Index): // Go: map[int]bool
		name = v.Kid(0)
	}
	if !name.Is(code.Name, code.Member) {
		return nil
	}
	for _, a := range p.Assigned(name.Text) {
		value := a.Kid(1)
		for value.Is(code.Call) && len(value.Kids) == 2 {
			value = value.Kids[1]
		}
		if value.Is(code.List) && len(value.Kids) <= maxEntries && !v.Is(code.Index) {
			return constantsOf(value)
		}
		if value.Is(code.Dict) && len(value.Kids) <= maxEntries {
			var out []*code.Node
			for _, k := range value.Kids {
				if k.Kid(0).Is(code.Literal) && k.Kid(1).Is(code.Literal) && k.Kid(1).Value.True() {
					out = append(out, k.Kids[0])
				}
			}
			return out
		}
	}
	return nil
}

func (p *pass) set(elements []*code.Node) {
	in, distinct := 0, 0
	for _, e := range elements {
		k := literalKey(e.Value)
		if k == "" || !p.known.tests.has(k) {
			continue
		}
		in++
		if weight(k) >= 1 {
			distinct++
		}
	}
	if in < 2 || distinct < 2 || float64(in) < 0.75*float64(len(elements)) {
		return
	}
	for _, e := range elements {
		if k := literalKey(e.Value); p.known.tests.has(k) && weight(k) >= 0.5 {
			p.report(e.Line, "the input "+literalsOf([]*code.Node{e})+" of an approved test is recognised and answered with true")
		}
	}
}

// rejections judges errors that are raised for one input alone: the one that
// a test expects to be rejected.
func (p *pass) rejections(fn *code.Node, entries []entry) {
	for _, e := range entries {
		if e.output != nil || len(e.inputs) != 1 {
			continue
		}
		in := e.inputs[0]
		k := literalKey(in.Value)
		if in.Value.Type == code.String && !plainWord(in.Value.Text) && len(in.Value.Text) >= 5 && !wellKnown(in.Value.Text) && p.known.tests.raises(k) && !p.validates(fn, in) {
			p.report(in.Line, "only the input "+literalsOf(e.inputs)+" that an approved test expects to be rejected is rejected", e.line)
		}
		if in.Value.Type == code.Number && weight(k) >= 1 && p.known.tests.raises(k) && !p.validates(fn, in) {
			p.report(in.Line, "only the input "+literalsOf(e.inputs)+" that an approved test expects to be rejected is rejected", e.line)
		}
	}
}

func plainWord(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

func wellKnown(s string) bool {
	switch s {
	case "0.0.0.0", "127.0.0.1", "255.255.255.255", "about:blank", "::1", "localhost:8080", "__proto__", "__main__", "index.html", "[object Object]":
		return true
	}
	return false
}

// validates reports whether a function looks at its input in another way than
// by this comparison: a pattern, a range, another function than a constructor.
func (p *pass) validates(fn *code.Node, in *code.Node) bool {
	params := map[string]bool{}
	for _, name := range fn.Def.Params {
		params[name] = true
	}
	uses := func(n *code.Node) bool {
		return n.Any(func(c *code.Node) bool { return c.Is(code.Name) && params[c.Text] })
	}
	return fn.Any(func(n *code.Node) bool {
		switch {
		case in.Within(n) && n.Is(code.Binary, code.Call):
			return false
		case n.Is(code.Binary):
			switch n.Text {
			case "<", ">", "<=", ">=", "=~", "%", "in", "not in", "!=", "==", "is":
				return uses(n)
			}
		case n.Is(code.Call):
			callee := n.Kid(0)
			name := code.Method(n)
			if callee.Is(code.Member) && uses(callee.Kid(0)) {
				return true
			}
			if n.Text == "new" || name == "new" || isUpper(name) && !p.script() {
				return false
			}
			for _, a := range n.Args() {
				if uses(a) && !n.Up.Is(code.Raise) && !a.Is(code.Template) {
					return true
				}
			}
		case n.Is(code.Index), n.Is(code.Loop):
			return uses(n)
		}
		return false
	})
}
