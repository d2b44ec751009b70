package question

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/workaround"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// hit is a line of a file with a mark.
type hit struct {
	line int
	what string
}

// mark notes a line of a topic.
type mark func(topic string, line int, what string)

// marks asks about new code of the kinds in the table: one question a kind and file.
func (a *Asker) marks(s source) {
	found := map[string][]hit{}
	add := func(topic string, line int, what string) {
		if s.isNew(line) && !slices.ContainsFunc(found[topic], func(h hit) bool { return h.line == line }) {
			found[topic] = append(found[topic], hit{line, what})
		}
	}
	s.Root.Walk(func(n *code.Node) bool {
		a.named(s, n, add)
		return true
	})
	steps := s.Steps()
	for _, fn := range s.Funcs {
		counts := slices.ContainsFunc(steps, func(step code.Step) bool { return step.Fn == fn })
		equality := (fn.Outer(code.Class) != nil || fn.Def.Type != "") && equalities.MatchString(fn.Text)
		if equality && (counts || !ordinary(fn)) {
			add("equality", fn.Def.Line, fn.Text)
		}
	}
	for _, as := range s.Assigns {
		if t := as.Kid(0); t.Is(code.Member) && strings.HasPrefix(t.Text, "__") && equalities.MatchString(t.Text) {
			add("equality", as.Line, t.Text)
		}
	}
	for attribute := range s.Root.Src.All("attribute") { // C# hands the caller's name to a parameter
		if name := attribute.Field("name").Text(); name == "CallerFilePath" && s.Lang == syntax.CSharp {
			add("stack", attribute.StartLine(), name)
		}
	}
	s.handlers(add)
	s.replaced(add)
	s.counters(steps, add)
	for _, t := range topics {
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
func (a *Asker) named(s source, n *code.Node, add mark) {
	if text := literal.Text(n); text != "" && !n.Up.Is(code.Import) {
		for _, t := range topics {
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
	for _, t := range topics {
		for _, pattern := range t.names[named(s.Lang)] {
			if matches(full, pattern, called) && !s.isUsual(t.id, n) {
				add(t.id, n.Line, full)
			}
		}
	}
}

// isUsual reports whether a mark stands where it has its usual reason.
func (s source) isUsual(topic string, n *code.Node) bool {
	fn := n.Outer(code.Func)
	switch topic {
	case "exit": // of a program
		return workaround.AsProgram(s.File, n)
	case "environment": // arguments of a program
		return workaround.UnderMain(n)
	case "digest": // the language asks for one
		return fn != nil && slices.Contains([]string{"__hash__", "hash", "hashCode", "GetHashCode"}, fn.Text)
	case "handler": // what was recovered is handed on
		flow := s.Follow(func(c *code.Node) bool { return c == n.Up })
		return fn.Any(func(c *code.Node) bool { return c.Is(code.Call) && slices.ContainsFunc(c.Args(), flow.Has) })
	}
	return false
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

// broad are what handlers of all errors catch, by language; "" is a handler without a type.
var broad = lazyregexp.New(`^(?:|\(?\s*(?:BaseException|Exception|StandardError|Throwable|Error|System\.Exception|AssertionError|` +
	`RuntimeException)\b[^,]*\)?)$`)

// handlers are those that catch everything and go on with a value that has nothing to do with the error.
func (s source) handlers(add mark) {
	s.Root.Walk(func(n *code.Node) bool {
		if !n.Is(code.Handler) || !conventions.IsScript(s.File.Path) && !broad.MatchString(strings.TrimSpace(n.Text)) {
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
			add("handler", value.Line, "an answer in place of any error")
		}
		return true
	})
}

// replaced finds assignments to members of modules, classes and globals of others.
func (s source) replaced(add mark) {
	for _, as := range s.Assigns {
		t := as.Kid(0)
		first := code.First(t)
		if global := globals[named(s.Lang)]; global != nil && t.Is(code.Member, code.Index) && !as.Declares &&
			global.MatchString(s.FullName(t)) &&
			first.Is(code.Name) && first.Text != "self" && s.Scope(first) == nil {
			add("replaced", as.Line, s.FullName(t))
		}
	}
	for _, class := range s.Classes {
		if reopened[s.Lang] != nil && reopened[s.Lang].MatchString(class.Text) {
			add("replaced", class.Line, class.Text)
		}
	}
}

// counters finds branches on how often something was called, and constants that are handed out one a call.
func (s source) counters(steps []code.Step, add mark) {
	for _, step := range steps {
		flow := step.Follow(s.File)
		decides := func(o code.Outcome) bool {
			index := o.Value.Any(func(n *code.Node) bool { return n.Is(code.Index) && flow.Has(n.Kid(1)) })
			guarded := slices.ContainsFunc(o.Guards, func(g code.Guard) bool { return g.Mentions(flow.Is) })
			return !o.Raises && (index || guarded && literal.Of(o.Value) != "")
		}
		if slices.ContainsFunc(code.Outcomes(step.Fn), decides) {
			add("state", step.Node.Line, step.Name+" is counted")
		}
	}
	for _, c := range s.Calls {
		store := c.Kid(0).Kid(0)
		if c.Kid(0).Is(code.Name) {
			store = c.Kid(1) // next(answers)
		}
		if store != nil && takesNext.MatchString(code.Method(c)) && (c.Up.Is(code.Return) || c.Up.Up.Is(code.Return)) &&
			s.constants(store.Text) {
			add("state", c.Line, store.Text+" is emptied one by one")
		}
	}
}

// takesNext are methods that hand out what a collection holds, one a call.
var takesNext = lazyregexp.New(`^(?:pop|popleft|shift|Dequeue|dequeue|Pop|poll|remove|removeFirst|pop_front|next|__next__)$`)

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
