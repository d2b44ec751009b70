package python

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// expression models an expression that is a statement.
func (m *modeler) expression(out []testmodel.Stmt, n syntax.Node) []testmodel.Stmt {
	e := n.FirstChild()
	switch e.Kind() {
	case "string", "concatenated_string", "ellipsis", "integer", "none":
		return out // documentation
	case "assignment", "augmented_assignment":
		return append(out, m.assignment(n, e))
	case "comparison_operator":
		for _, a := range conjuncts(e) {
			a.Lost = true
			s := m.new(testmodel.Asserts, n, canon(n)...)
			s.Assert = a
			out = append(out, s)
		}
		return out
	case "yield":
		return append(out, m.valued(testmodel.Plain, e, "yield"))
	}
	if call := unwrap(e); call.Is("call") {
		return m.call(out, n, call)
	}
	return append(out, m.new(testmodel.Plain, n, canon(n)...))
}

// call models a call whose value is not used.
func (m *modeler) call(out []testmodel.Stmt, n, call syntax.Node) []testmodel.Stmt {
	s := m.new(testmodel.Plain, n, canon(n)...)
	name := callee(call)
	switch {
	case isSkip(name):
		s.Kind = testmodel.Skip
	case isExit(name):
		s.Kind = testmodel.Exits
	case patched(call) != "":
		s.Kind, s.Mock = testmodel.Mocks, patched(call)
	default:
		return m.assertionCall(out, s, call)
	}
	return append(out, s)
}

func isSkip(name string) bool {
	switch name {
	case "pytest.skip", "pytest.xfail", "pytest.importorskip", "self.skipTest", "skip", "xfail", "importorskip", "skipTest":
		return true
	default:
		return false
	}
}

func isExit(name string) bool {
	switch name {
	case "sys.exit", "os._exit", "exit", "quit", "os.abort", "pytest.exit", "os.kill":
		return true
	default:
		return false
	}
}

func (m *modeler) assignment(n, e syntax.Node) testmodel.Stmt {
	s := m.new(testmodel.Assigns, n)
	left, right := e.Field("left"), unwrap(e.Field("right"))
	s.Binds = targets(left)
	switch {
	case right.Is("call") && isSkip(callee(right)):
		s.Kind = testmodel.Skip
	case left.Is("subscript") && left.Field("value").Text() == "sys.modules":
		s.Kind, s.Mock = testmodel.Mocks, moduleName(left)
	case right.Is("call") && patched(right) != "":
		s.Kind, s.Mock = testmodel.Mocks, patched(right)
	}
	if rows := m.table(right); e.Is("assignment") && rows != nil {
		s.Rows = rows
		s.Head = append(canon(left), "=", right.Kind())
		return s
	}
	s.Head = canon(e)
	return s
}

func moduleName(subscript syntax.Node) string {
	if name, ok := unquote(subscript.Field("subscript")); ok {
		return name
	}
	return "sys.modules"
}

func (m *modeler) raise(n syntax.Node) testmodel.Stmt {
	s := m.new(testmodel.Raises, n, canon(n)...)
	if parts := n.Named(); len(parts) > 0 {
		name := parts[0].Text()
		if parts[0].Is("call") {
			name = parts[0].Field("function").Text()
		}
		if name = strings.TrimSuffix(name, ".Exception"); last(name) == "SkipTest" || name == "pytest.skip" || name == "pytest.xfail" {
			s.Kind = testmodel.Skip
		}
	}
	return s
}

// patched is what a call replaces by something else, as the source names it;
// "" if the call is none of that kind.
func patched(call syntax.Node) string {
	if !call.Is("call") {
		return ""
	}
	f := call.Field("function")
	if f.Is("attribute") && f.Field("object").Is("call") { // patch("a.b").start()
		return patched(f.Field("object"))
	}
	name := callee(call)
	positional, _ := arguments(call)
	parts := strings.Split(name, ".")
	tail := parts[len(parts)-1]
	switch {
	case tail == "setattr" || tail == "delattr", len(parts) > 1 && parts[len(parts)-2] == "patch" && (tail == "object" || tail == "multiple"):
		return joinTarget(positional)
	case tail == "patch", len(parts) > 1 && parts[len(parts)-2] == "patch" && tail == "dict":
		return joinTarget(positional[:min(1, len(positional))])
	case parts[0] == "monkeypatch" && len(parts) > 1 && strings.HasPrefix(tail, "set"), parts[0] == "monkeypatch" && strings.HasPrefix(tail, "del"):
		return joinTarget(positional[:min(2, len(positional))])
	default:
		return ""
	}
}

// joinTarget names what is replaced: "a.b" of ("a.b", v) and of (a, "b", v).
func joinTarget(positional []syntax.Node) string {
	if len(positional) == 0 {
		return "?"
	}
	if whole, ok := unquote(positional[0]); ok {
		return whole
	}
	target := positional[0].Text()
	if len(positional) > 1 {
		if attr, ok := unquote(positional[1]); ok {
			target += "." + attr
		}
	}
	return target
}
