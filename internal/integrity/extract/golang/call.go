package golang

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// call is a call in parts: object.name(args).
type call struct {
	node   syntax.Node
	on     syntax.Node // the operand, no node for a plain function
	object string      // the operand's text if it is a name or a short path
	name   string
	args   []syntax.Node
}

// callOf takes a call apart; the zero call if n is none.
func callOf(n syntax.Node) call {
	if !n.Is("call_expression") {
		return call{}
	}
	c := call{node: n, args: n.Field("arguments").Named()}
	switch fn := n.Field("function"); fn.Kind() {
	case "identifier":
		c.name = fn.Text()
	case "selector_expression":
		c.on, c.name = fn.Field("operand"), fn.Field("field").Text()
		if c.on.Is("identifier", "selector_expression") || c.on.Is("call_expression") && c.on.EndByte()-c.on.StartByte() < 100 {
			c.object = c.on.Text()
		}
	case "func_literal":
		c.name = "func"
	}
	return c
}

// dotted is the call's name with its object.
func (c call) dotted() string {
	if c.on.IsZero() {
		return c.name
	}
	return c.object + "." + c.name
}

// inner is an expression without its parentheses.
func inner(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression") {
		in := n.Named()
		if len(in) != 1 {
			break
		}
		n = in[0]
	}
	return n
}

// expressionOf is the expression that a statement consists of.
func expressionOf(n syntax.Node) syntax.Node {
	if in := n.Named(); n.Is("expression_statement") && len(in) == 1 {
		return inner(in[0])
	}
	return syntax.Node{}
}

// isT reports whether an object is a test's handle: t, b, s.T().
func (s *scope) isT(object string) bool {
	return s.handles[object] || strings.HasSuffix(object, ".T()") || object == "GinkgoT()"
}

// failing reports whether a call fails the test wherever it is reached.
func (s *scope) failing(c call) bool {
	switch c.name {
	case "Fatal", "Fatalf", "Error", "Errorf", "Fail", "FailNow":
		if s.isT(c.object) || strings.HasPrefix(c.name, "F") && (s.lib(c) == testify || s.lib(c) == quicktest || s.lib(c) == is) {
			return true
		}
		return c.object == "log" && s.packages["log"] && strings.HasPrefix(c.name, "Fatal") || c.name == "Fail" && c.on.IsZero() && s.dots[ginkgo]
	case "panic":
		return c.on.IsZero() && s.declared["panic"].IsZero() && !s.local("panic")
	case "Fatalln", "Panic", "Panicf", "Panicln":
		return c.object == "log" && s.packages["log"]
	case "Exit":
		return c.object == "os" && len(c.args) == 1 && c.args[0].Is("int_literal") && c.args[0].Text() != "0"
	case "Goexit":
		return c.object == "runtime"
	default:
		return c.on.IsZero() && len(c.args) > 0 && s.isT(c.args[0].Text()) && failsByName(c.name)
	}
}

// failsByName reports whether a project's own function says by its name that
// it fails the test. What it does is compared on its own.
func failsByName(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasPrefix(lower, "fail") || strings.HasPrefix(lower, "fatal")
}

// skipping reports whether a call skips the rest of the test.
func (s *scope) skipping(c call) bool {
	switch c.name {
	case "Skip", "Skipf", "SkipNow":
		return s.isT(c.object) || s.objects[c.object] != "" || c.on.IsZero() && s.dots[ginkgo]
	default:
		return false
	}
}

// logging reports whether a call has no part in a test's outcome.
func (s *scope) logging(c call) bool {
	switch c.name {
	case "Log", "Logf", "Helper", "Parallel":
		return s.isT(c.object) && s.mute(c.args)
	default:
		return false
	}
}

// printing is like logging, of calls that may count in other places: an
// example prints what is compared.
func (s *scope) printing(c call) bool {
	if s.logging(c) {
		return true
	}
	switch c.name {
	case "Print", "Printf", "Println", "Fprint", "Fprintf", "Fprintln":
		return (c.object == "fmt" || c.object == "log") && s.packages[c.object] && s.mute(c.args)
	case "print", "println":
		return c.on.IsZero()
	default:
		return false
	}
}

// mute reports whether the arguments of a message do nothing else than to say
// something: no functions that are written in them, no way out of the test.
func (s *scope) mute(args []syntax.Node) bool {
	for _, a := range args {
		for n := range a.All("func_literal", "call_expression") {
			c := callOf(n)
			if n.Is("func_literal") || c.name == "recover" || c.name == "Exit" || c.name == "Goexit" || s.skipping(c) {
				return false
			}
		}
	}
	return true
}

// lib is the library that a call belongs to, "" for none that is known.
func (f *file) lib(c call) library {
	if c.on.IsZero() {
		return f.dotted(c.name)
	}
	if lib := f.libs[c.object]; lib != "" {
		return lib
	}
	if lib := f.objects[c.object]; lib != "" {
		return lib
	}
	if in := callOf(c.on); in.name == "Require" || in.name == "Assert" && len(in.args) == 0 {
		return testify
	}
	return ""
}

// has reports whether the file imports a library.
func (f *file) has(lib library) bool {
	if f.dots[lib] {
		return true
	}
	for _, l := range f.libs {
		if l == lib {
			return true
		}
	}
	return false
}

// dotted is the library of a name that is used without qualifier.
func (f *file) dotted(name string) library {
	switch {
	case !f.declared[name].IsZero():
		return ""
	case f.dots[convey] && name == "So":
		return convey
	case f.dots[gomega]:
		return gomega
	default:
		return ""
	}
}
