package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// frameworks are the modules, packages and classes of test frameworks.
var frameworks = within("framework")

// framework reports whether a module or class belongs to a test framework.
func framework(name string) bool { return frameworks.MatchString(name) }

// testWord is a name that speaks of tests, within names and file names.
var testWord = within("test-word")

// forTesting reports whether a file's place says that it is there to help
// tests, or is a part of a test framework's ecosystem.
func forTesting(file string) bool { return conventions.IsTest(file) || testWord.MatchString(file) }

// commands are the usual places of files that are run and not loaded.
var commands = within("command")

// environment is what a program is started with or on, ownFile what it is itself.
var environment, ownFile = whole("environment"), whole("own-file")

// AsProgram reports whether a node runs only where its file is a program: in
// main or a command, under __name__ == "__main__", by its arguments.
func AsProgram(f *code.File, n *code.Node) bool {
	for fn := n.Outer(code.Func); fn != nil; fn = fn.Outer(code.Func) {
		decorated := len(fn.Def.Marks) > 0 && f.Lang == syntax.Python && !f.AtExit(fn)
		if decorated || slices.Contains([]string{"main", "Main", "run", "cli"}, fn.Text) {
			return true
		}
	}
	return commands.MatchString(f.Path) || UnderMain(n)
}

// UnderMain reports whether a condition around a node holds only if the file is run as a program.
func UnderMain(n *code.Node) bool {
	for at := n; at.Up != nil; at = at.Up {
		if at.Up.Is(code.If, code.Ternary) && at != at.Up.Kid(0) && asksProgram(at.Up.Kid(0), at == at.Up.Kid(2)) {
			return true
		}
	}
	return false
}

// asksProgram reports whether a condition holds only if the file is run as a
// program, or with certain arguments; otherwise stands for its else branch.
func asksProgram(cond *code.Node, otherwise bool) bool {
	if cond.Is(code.Unary) && cond.Text == "not" {
		return asksProgram(cond.Kid(0), !otherwise)
	}
	mentions := func(list *lazyregexp.Regexp) bool {
		return cond.Any(func(c *code.Node) bool { return list.MatchString(code.Dotted(c)) })
	}
	unequal := cond.Is(code.Binary) && cond.Text == "!=" || code.Dotted(cond) == "module.parent"
	return mentions(environment) || mentions(ownFile) && unequal == otherwise
}

// textIn is the first string in a node that a pattern matches.
func textIn(n *code.Node, pattern *lazyregexp.Regexp) (found string) {
	n.Any(func(c *code.Node) bool {
		if t := literal.Text(c); found == "" && t != "" && pattern.MatchString(t) {
			found = t
		}
		return found != ""
	})
	return found
}

// last is the last name of a dotted one.
func last(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// cutLast splits a dotted name before its last part.
func cutLast(dotted string) (before, after string) {
	i := strings.LastIndexByte(dotted, '.')
	return dotted[:max(i, 0)], dotted[i+1:]
}

// isForeign reports whether a chain begins with something that was imported, or that the file does not declare.
func (p *pass) isForeign(n *code.Node) bool {
	first := code.First(n)
	if !first.Is(code.Name) || p.Imports[first.Text] != "" {
		return first.Is(code.Name)
	}
	if p.Scope(first) != nil || p.declares(first.Text) {
		return false
	}
	return !p.lang(syntax.Python) || slices.ContainsFunc(p.Modules, func(m *code.Node) bool {
		return slices.ContainsFunc(strings.Fields(m.Text), func(name string) bool { return strings.SplitN(name, ".", 2)[0] == first.Text })
	})
}

// declares reports whether the file has a variable, function or class of a name.
func (p *pass) declares(name string) bool {
	return len(p.Named(name)) > 0 || slices.ContainsFunc(p.Classes, func(c *code.Node) bool { return c.Text == name }) ||
		slices.ContainsFunc(p.Assigned(name), func(a *code.Node) bool { return a.Declares && a.Outer(code.Func) == nil })
}

// guardOf is the innermost guard that a value decides, nil if it decides none.
func guardOf(flow *code.Flow, guards []code.Guard) *code.Node {
	for _, g := range slices.Backward(guards) {
		if g.Mentions(flow.Is) {
			return g.Node()
		}
	}
	return nil
}

// decides is the line where a value decides what a function returns, be it the value itself, 0 if it does not.
func decides(flow *code.Flow, fn *code.Node) int {
	for _, o := range code.Outcomes(fn) {
		switch g := guardOf(flow, o.Guards); {
		case o.Raises || o.Value == nil || o.Value.Is(code.Literal) && o.Value.Value.Type == code.None:
		case g != nil:
			return g.Line
		case flow.Has(o.Value):
			return o.Line
		}
	}
	return 0
}
