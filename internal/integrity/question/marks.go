package question

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/syntax"
)

// hit is a line of a file with a mark.
type hit struct {
	line int
	what string
}

// marks asks about new code of the kinds in the table: one question a kind and
// file.
func (a *Asker) marks(s source) {
	found := map[string][]hit{}
	add := func(topic string, line int, what string) {
		same := func(h hit) bool { return h.line == line }
		if s.isNew(line) && !slices.ContainsFunc(found[topic], same) {
			found[topic] = append(found[topic], hit{line, what})
		}
	}
	s.Root.Walk(func(n *code.Node) bool {
		a.named(s, n, add)
		return true
	})
	for _, h := range s.handlers() {
		add("handler", h.line, h.what)
	}
	for _, fn := range s.Funcs {
		counts := slices.ContainsFunc(s.Steps(), func(step code.Step) bool { return step.Fn == fn })
		if isEquality(fn) && (counts || !ordinary(fn)) {
			add("equality", fn.Def.Line, fn.Text)
		}
	}
	for attribute := range s.Root.Src.All("attribute") { // C# hands the caller's name to a parameter
		if name := attribute.Field("name").Text(); name == "CallerFilePath" && s.Lang == syntax.CSharp {
			add("stack", attribute.StartLine(), name)
		}
	}
	for _, h := range s.replaced() {
		add("replaced", h.line, h.what)
	}
	for _, h := range s.counters() {
		add("state", h.line, h.what)
	}
	for _, t := range a.topics {
		a.askMarks(s, t, found[t.id])
	}
}

func (a *Asker) askMarks(s source, t topic, hits []hit) {
	if len(hits) == 0 {
		return
	}
	slices.SortFunc(hits, func(x, y hit) int { return x.line - y.line })
	var evidence []string
	for _, h := range hits[:min(4, len(hits))] {
		evidence = append(evidence, fmt.Sprintf("+ %s:%d: %s", s.File.Path, h.line, literal.Shorten(s.lines.At(h.line), 160)))
	}
	first := hits[0]
	a.ask(Marks, t.id, s.File.Path, first.line, s.lines.At(first.line),
		fmt.Sprintf("%s (%s). %s", t.says, literal.Shorten(first.what, 60), t.asks), strings.Join(evidence, "\n"))
}

// named finds marks by names and texts.
func (a *Asker) named(s source, n *code.Node, add func(topic string, line int, what string)) {
	if text := literal.Text(n); text != "" && !n.Up.Is(code.Import) {
		for _, t := range a.topics {
			if t.texts != nil && t.texts.MatchString(text) {
				add(t.id, n.Line, text)
			}
		}
		return
	}
	if !n.Is(code.Name, code.Member, code.Index, code.Import) || n.Up.Is(code.Member) && n.Up.Kid(0) == n {
		return
	}
	full := strings.ReplaceAll(s.FullName(n), "()", "")
	if n.Is(code.Import) {
		full = n.Text
	}
	if full == "" {
		return
	}
	called := n.Up.Is(code.Call) && n.Up.Kid(0) == n
	for _, t := range a.topics {
		for _, pattern := range t.names[s.Lang] {
			if matches(full, pattern, called) && !(t.id == "exit" && workaround.AsProgram(s.File, n)) && !(t.id == "digest" && hashes(n)) {
				add(t.id, n.Line, full)
			}
		}
	}
}

// hashes: the language asks for a digest here.
func hashes(n *code.Node) bool {
	fn := n.Outer(code.Func)
	return fn != nil && slices.Contains([]string{"__hash__", "hash", "hashCode", "GetHashCode"}, fn.Text)
}

// matches reports whether a full name is what a pattern says: "a.b" is the name
// or its end, "a.*" its beginning, "a()" only where it is called.
func matches(full, pattern string, called bool) bool {
	if name, ok := strings.CutSuffix(pattern, "()"); ok {
		return called && (full == name || strings.HasPrefix(name, ".") && strings.HasSuffix(full, name))
	}
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(full, prefix)
	}
	return full == strings.TrimPrefix(pattern, ".") || strings.HasSuffix(full, "."+strings.TrimPrefix(pattern, "."))
}

// broad are what handlers of all errors catch, by language; "" is a handler
// without a type.
var broad = regexp.MustCompile(`^(?:|\(?\s*(?:BaseException|Exception|StandardError|Throwable|Error|System\.Exception|AssertionError|RuntimeException)\b[^,]*\)?)$`)

// handlers are those that catch everything and go on with a value that has
// nothing to do with the error.
func (s source) handlers() []hit {
	var out []hit
	s.Root.Walk(func(n *code.Node) bool {
		if !n.Is(code.Handler) || !scripted(s.Lang) && !broad.MatchString(strings.TrimSpace(n.Text)) {
			return true
		}
		raises, value := false, (*code.Node)(nil)
		n.Walk(func(c *code.Node) bool {
			switch {
			case c.Is(code.Raise):
				raises = true
			case c.Is(code.Return) && len(c.Kids) > 0:
				value = c.Kids[0]
			}
			return !c.Is(code.Func)
		})
		k := literal.Of(value)
		if value != nil && !raises && (literal.Tells(k) || value.Is(code.Index)) {
			out = append(out, hit{value.Line, "an answer in place of any error"})
		}
		return true
	})
	return out
}

// scripted reports whether handlers of a language name no type.
func scripted(lang syntax.Language) bool {
	return lang == syntax.JavaScript || lang == syntax.TypeScript || lang == syntax.TSX
}

// isEquality: a function that decides what counts as equal, contained or true.
func isEquality(fn *code.Node) bool {
	if fn.Outer(code.Class) == nil && fn.Def.Type == "" {
		return false
	}
	return equalities.MatchString(fn.Text)
}

var equalities = regexp.MustCompile(`^(?:__(?:eq|ne|bool|contains|instancecheck|subclasscheck|getattr|getattribute|lt|le|gt|ge)__|==|!=|===|eql\?|equal\?|<=>|=~|` +
	`equals|Equals?|hashCode|GetHashCode|compareTo|CompareTo|method_missing|asymmetricMatch|toJSON|valueOf|Symbol\.toPrimitive|Is|As|eq|ne|cmp|partial_cmp)$`)

// ordinary: an equality that returns only comparisons in which a member of the
// object meets the same member of the other, or what is no equality at all.
func ordinary(fn *code.Node) bool {
	if len(fn.Kids) == 0 {
		return true
	}
	outcomes := code.Outcomes(fn)
	if answersAny.MatchString(fn.Text) {
		return !slices.ContainsFunc(outcomes, func(o code.Outcome) bool { return !o.Raises && o.Value != nil && !passesOn(o.Value, fn.Def.Params) })
	}
	compares := false
	for _, o := range outcomes {
		v := o.Value
		switch {
		case o.Raises, v == nil, v.Is(code.Name) && v.Text == "NotImplemented", falsy(v):
		case v.Is(code.Literal) && v.Value.True():
			if !anyOf(guardNodes(o.Guards), sameMembers) {
				return false
			}
		case v.Any(sameMembers), v.Any(delegates):
			compares = true
		case slices.Contains([]string{"hashCode", "GetHashCode", "toJSON", "valueOf"}, fn.Text):
			compares = compares || literal.Of(v) == "" // a hash that is computed
		default:
			return false
		}
	}
	return compares
}

// answersAny are methods that are asked for what an object does not have.
var answersAny = regexp.MustCompile(`^(?:__getattr__|__getattribute__|method_missing)$`)

// passesOn reports whether a value depends on what was asked for.
func passesOn(v *code.Node, params []string) bool {
	return len(params) == 0 && v.Is(code.Call) || v.Any(func(n *code.Node) bool {
		return n.Is(code.Name) && (slices.Contains(params, n.Text) || n.Text == "super") || n.Is(code.Call) && strings.HasPrefix(code.Dotted(n.Kid(0)), "super")
	})
}

func falsy(v *code.Node) bool {
	return v.Is(code.Literal) && (v.Value.Type == code.None || v.Value == code.Value{Type: code.Bool, Text: "false"})
}

func guardNodes(guards []code.Guard) []*code.Node {
	var out []*code.Node
	for _, g := range guards {
		out = append(out, g.Cond, g.Subject)
	}
	return out
}

// sameMembers: a.x == b.x, a.x.equals(b.x), self == other, or both at once.
func sameMembers(n *code.Node) bool {
	var l, r *code.Node
	switch {
	case n.Is(code.Binary) && slices.Contains([]string{"==", "!=", "<", ">", "<=", ">=", "<=>", "is"}, n.Text):
		l, r = n.Kid(0), n.Kid(1)
	case n.Is(code.Call) && n.Kid(0).Is(code.Member) && len(n.Args()) == 1:
		l, r = n.Kid(0).Kid(0), n.Args()[0]
	case n.Is(code.Call) && len(n.Args()) == 2:
		l, r = n.Args()[0], n.Args()[1]
	}
	if measure.MatchString(tail(l)) {
		return false
	}
	return tail(l) == tail(r) && l.Is(code.Member, code.Index, code.Call) || l.Is(code.Name) && tail(r) == l.Text && r.Is(code.Member) || l.Is(code.Name) && r.Is(code.Name) && l.Text == "self"
}

// measure ends a chain that asks only how much of something there is.
var measure = regexp.MustCompile(`(?:^|\.)(?:len|length|size|count|Count|Length)(?:\(\))?$`)

// tail is what a chain asks of its first name.
func tail(n *code.Node) string {
	d := code.Dotted(n)
	if _, rest, ok := strings.Cut(d, "."); ok {
		return rest
	}
	return d + n.String()
}

// delegates: the comparison is left to the base class, or to another function of
// the same kind.
func delegates(n *code.Node) bool {
	return n.Is(code.Call) && (strings.Contains(code.Dotted(n.Kid(0)), "super") || equalities.MatchString(code.Method(n)))
}

// replaced finds assignments to members of modules, classes and globals of
// others.
func (s source) replaced() []hit {
	var out []hit
	for _, as := range s.Assigns {
		t := as.Kid(0)
		if !t.Is(code.Member, code.Index) || as.Declares {
			continue
		}
		first := t
		for first.Is(code.Member, code.Index) {
			first = first.Kid(0)
		}
		if !first.Is(code.Name) || first.Text == "self" || code.ScopeOf(first, first.Text) != nil {
			continue
		}
		full := s.FullName(t)
		if globals[s.Lang] != nil && globals[s.Lang].MatchString(full) {
			out = append(out, hit{as.Line, full})
		}
	}
	for _, class := range s.Classes {
		if reopened[s.Lang] != nil && reopened[s.Lang].MatchString(class.Text) && class.Is(code.Class) {
			out = append(out, hit{class.Line, class.Text})
		}
	}
	return out
}

// counters finds branches on how often something was called, and constants that
// are handed out one a call.
func (s source) counters() []hit {
	var out []hit
	for _, step := range s.Steps() {
		flow := step.Follow(s.File)
		decides := func(o code.Outcome) bool {
			index := o.Value.Any(func(n *code.Node) bool { return n.Is(code.Index) && flow.Has(n.Kid(1)) })
			guarded := slices.ContainsFunc(o.Guards, func(g code.Guard) bool { return g.Mentions(flow.Is) })
			return !o.Raises && (index || guarded && literal.Of(o.Value) != "")
		}
		if slices.ContainsFunc(code.Outcomes(step.Fn), decides) {
			out = append(out, hit{step.Node.Line, step.Name + " is counted"})
		}
	}
	for _, c := range s.Calls {
		store := c.Kid(0).Kid(0)
		if c.Kid(0).Is(code.Name) {
			store = c.Kid(1) // next(answers)
		}
		if takesNext.MatchString(code.Method(c)) && (c.Up.Is(code.Return) || c.Up.Up.Is(code.Return)) && s.constants(tailName(store)) {
			out = append(out, hit{c.Line, tailName(store) + " is emptied one by one"})
		}
	}
	return out
}

// takesNext are methods that hand out what a collection holds, one a call.
var takesNext = regexp.MustCompile(`^(?:pop|popleft|shift|Dequeue|dequeue|Pop|poll|remove|removeFirst|pop_front|next|__next__)$`)

// constants reports whether a variable holds two constants or more.
func (s source) constants(name string) bool {
	for _, as := range s.Assigned(name) {
		if as.Kid(1).Any(func(n *code.Node) bool { return n.Is(code.List) && len(literal.Leaves(n)) > 1 }) {
			return true
		}
		for _, generator := range s.Named(code.Dotted(as.Kid(1).Kid(0))) {
			if generator.Any(func(n *code.Node) bool {
				return n.Src.Is("yield", "yield_expression", "yield_statement") && literal.Of(n.Kid(0)) != ""
			}) {
				return true
			}
		}
	}
	return false
}

func tailName(n *code.Node) string {
	if n == nil {
		return ""
	}
	if n.Is(code.Name, code.Member) {
		return n.Text
	}
	return n.String()
}
