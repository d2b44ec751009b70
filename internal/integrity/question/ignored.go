package question

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
)

// ignoredArguments asks about new or changed functions that return something
// and whose result does not depend on a parameter that the tests vary.
func (a *Asker) ignoredArguments(s source) {
	for _, fn := range s.Funcs {
		if fn.Text == "" || implements(fn) || !returnsValue(fn) || !s.touches(fn) {
			continue
		}
		for i, name := range fn.Def.Params {
			if !a.varied(fn.Text, i) || reaches(s.File, fn, name) {
				continue
			}
			line := fn.Def.Line
			a.ask(IgnoresArguments, fn.Text+"\x00"+name, s.File.Path, line, "", fmt.Sprintf(
				"The tests call %s with several values of %q, and its result does not depend on it. Is that what is asked for?",
				literal.Shorten(fn.Text, 80), literal.Shorten(name, 80)),
				fmt.Sprintf("+ %s:%d: %s", s.File.Path, line, literal.Shorten(s.lines.At(line), 160)))
		}
	}
}

// implements reports whether a function may be there because a base class or
// interface has it, whose parameters not every implementation needs.
func implements(fn *code.Node) bool {
	class := fn.Outer(code.Class)
	return class != nil && (len(class.Def.Bases) > 0 || class.Def.Trait != "") || fn.Def.Has("override") || len(fn.Def.Marks) > 0
}

// touches reports whether a line of a function is new.
func (s source) touches(fn *code.Node) bool {
	for line := fn.Line; line <= fn.EndLine(); line++ {
		if s.isNew(line) {
			return true
		}
	}
	return false
}

// returnsValue reports whether a function returns something that is not itself.
func returnsValue(fn *code.Node) bool {
	return slices.ContainsFunc(code.Outcomes(fn), func(o code.Outcome) bool {
		return !o.Raises && o.Value != nil && !(o.Value.Is(code.Literal) && o.Value.Value.Type == code.None) && !o.Value.Is(code.Name)
	})
}

// varied reports whether the tests call a function with several values in one place.
func (a *Asker) varied(name string, i int) bool {
	seen := map[string]bool{}
	for _, args := range a.tests.Calls[name] {
		if i >= len(args) || args[i].Is(code.Pair, code.Other) {
			continue
		}
		if args[i].Is(code.Name) && fromRows(args[i]) {
			return true
		}
		seen[args[i].Src.Text()] = true
	}
	return len(seen) > 1
}

// fromRows: a parameter of the test, or the variable of a loop.
func fromRows(n *code.Node) bool {
	for fn := n.Outer(code.Func); fn != nil; fn = fn.Outer(code.Func) {
		for _, p := range fn.Def.Params {
			if p == n.Text && len(fn.Def.Marks)+len(fn.Def.Params) > 1 {
				return true
			}
		}
	}
	for loop := n.Outer(code.Loop); loop != nil; loop = loop.Outer(code.Loop) {
		for _, t := range code.Targets(loop.Kid(0).Kid(0)) {
			if t.Text == n.Text {
				return true
			}
		}
	}
	return false
}

// reaches reports whether a parameter has to do with what a function returns or does to anything but its locals.
func reaches(f *code.File, fn *code.Node, param string) bool {
	flow := f.Follow(func(n *code.Node) bool { return n.Is(code.Name) && n.Text == param && code.ScopeOf(n, param) == fn })
	mentions := func(n *code.Node) bool { return n.Any(flow.Is) }
	return fn.Any(func(n *code.Node) bool {
		switch {
		case n.Is(code.If, code.Loop, code.Ternary, code.Switch):
			return mentions(n.Kid(0)) && !onlyRaises(n)
		case n.Is(code.Return, code.Case), n.Is(code.Other) && n.Src.Is("yield", "yield_expression"):
			return mentions(n)
		case n.Is(code.Assign) && !n.Declares: // of something that outlives the call
			t := n.Kid(0)
			return mentions(n.Kid(1)) && (t.Is(code.Member, code.Index) || t.Is(code.Name) && code.ScopeOf(n, t.Text) != fn)
		case n.Is(code.Call) && !n.Up.Is(code.Return):
			return slices.ContainsFunc(n.Args(), mentions) && n.Up.Is(code.Block, code.Func, code.Handler) && f.Callee(n) != "" &&
				!informs(f, n) && !validates(f.Callee(n))
		}
		return false
	})
}

// onlyRaises: a condition that leads to nothing but errors.
func onlyRaises(n *code.Node) bool {
	then := n.Kid(1)
	return n.Is(code.If) && len(n.Kids) == 2 && (then.Is(code.Raise) || then.Is(code.Block) && len(then.Kids) > 0 &&
		!slices.ContainsFunc(then.Kids, func(k *code.Node) bool { return !k.Is(code.Raise) }))
}

// validates: what is called for its errors alone has no part in the result.
func validates(name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return strings.Contains(name, "valid") || strings.HasPrefix(name, "check") || strings.HasPrefix(name, "require") ||
		strings.HasPrefix(name, "assert")
}
