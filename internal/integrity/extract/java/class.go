package java

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// class adds the units of a type: itself, its methods, and the types in it.
func (f *file) class(n syntax.Node, around string) {
	name, body := n.Field("name"), n.Field("body")
	c := class{file: f, node: n, name: build.Qualify(around, name.Text()), tests: f.hasTests(n)}
	u := f.Unit(testmodel.Helper, c.name, name, n)
	if c.tests {
		u.Role = testmodel.Suite
	}
	for _, a := range annotations(n) {
		u.Marks = append(u.Marks, f.marks(a)...)
	}
	if c.tests && modifier(n, "abstract") {
		m := f.Mark(testmodel.Hides, name)
		m.Tokens = []string{"abstract"}
		u.Marks = append(u.Marks, m)
	}
	if head := f.Without(n, append(annotations(n), n.Field("name"), body)...); len(head) > 0 {
		m := f.Mark("", name)
		m.Tokens = withoutVisibility(head)
		if len(m.Tokens) > 1 {
			u.Marks = append(u.Marks, m)
		}
	}
	at := len(f.units)
	f.units = append(f.units, u)
	u.Body = c.members(body)
	f.units[at] = u
}

// withoutVisibility are the tokens of a type's head without public and the
// like, which decide about a test's collection and are looked at there.
func withoutVisibility(tokens []string) []string {
	var out []string
	for _, t := range tokens {
		switch t {
		case "public", "protected", "private":
		default:
			out = append(out, t)
		}
	}
	return out
}

// class is a type whose members are read.
type class struct {
	*file
	node  syntax.Node
	name  string
	tests bool
}

// members adds the units of a type's members and returns what else stands in
// it.
func (c class) members(body syntax.Node) []testmodel.Stmt {
	var out []testmodel.Stmt
	for _, m := range body.Named() {
		switch {
		case isType(m):
			c.class(m, c.name)
		case m.Is("method_declaration", "constructor_declaration", "compact_constructor_declaration"):
			c.units = append(c.units, c.method(m))
		case m.Is("enum_body_declarations"):
			out = append(out, c.members(m)...)
		case m.Is("field_declaration", "constant_declaration"):
			out = append(out, c.field(m)...)
		case m.Is("block", "static_initializer"):
			out = append(out, c.body(m).Closing(testmodel.Plain, m))
		default:
			out = append(out, c.Whole(testmodel.Plain, m))
		}
	}
	return out
}

// field is what a field is bound to; one that a framework fills with a mock
// replaces its type.
func (c class) field(m syntax.Node) []testmodel.Stmt {
	out := c.body(m).Statement(m)
	for _, a := range annotations(m) {
		switch simple(a) {
		case "Mock", "MockBean", "MockitoBean", "Spy", "SpyBean", "MockitoSpyBean", "InjectMock", "MockK":
			for i := range out {
				out[i].Kind, out[i].Mock = testmodel.Mocks, m.Field("type").Text()
			}
		}
	}
	return out
}

// method is the unit of a method or constructor.
func (c class) method(m syntax.Node) testmodel.Unit {
	name := m.Field("name")
	u := c.Unit(testmodel.Helper, c.name+"."+name.Text(), name, m)
	b := c.body(m)
	u.Locals = b.Locals
	for p := range m.Field("parameters").All("formal_parameter", "spread_parameter") {
		if id := p.Field("name"); !id.IsZero() {
			u.Params = append(u.Params, id.Text())
		}
	}
	c.place(&u, m)
	for _, a := range annotations(m) {
		u.Marks = append(u.Marks, c.marks(a)...)
		u.Rows = append(u.Rows, c.rows(a)...)
		if names := providersOf(a, name.Text()); names != nil && u.Role == testmodel.Test {
			for _, p := range names {
				c.provided[u.Name] = append(c.provided[u.Name], clike.Provider(c.name, p))
			}
		}
	}
	if u.Role == testmodel.Helper {
		u.Marks = append(u.Marks, c.signature(m)...)
	}
	if body := m.Field("body"); !body.IsZero() {
		u.Body = b.Block(body)
		losing(u.Body, c.unasserted(body))
	}
	return u
}

// signature is a mark of the types that a helper takes and returns.
func (c class) signature(m syntax.Node) []testmodel.Mark {
	tokens := c.Tokens(m.Field("type_parameters"), m.Field("type"))
	for p := range m.Field("parameters").All("formal_parameter", "spread_parameter") {
		tokens = append(tokens, c.Without(p, p.Field("name"), p.Child("variable_declarator"))...)
	}
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0] == "void" {
		return nil
	}
	mark := c.Mark("", m.Field("name"))
	mark.Tokens = tokens
	return []testmodel.Mark{mark}
}

// unasserted are the names of soft assertions that a method makes and never
// asks for their outcome.
func (c class) unasserted(body syntax.Node) map[string]bool {
	soft := map[string]bool{}
	for d := range body.All("variable_declarator") {
		if strings.Contains(d.Field("value").Text(), "SoftAssert") && d.Field("value").Is("object_creation_expression") {
			soft[d.Field("name").Text()] = true
		}
	}
	for call := range body.All("method_invocation") {
		if name := call.Field("name").Text(); name == "assertAll" || name == "close" {
			delete(soft, call.Field("object").Text())
		}
	}
	return soft
}

// losing marks the assertions on objects that never report.
func losing(body []testmodel.Stmt, soft map[string]bool) {
	for i := range body {
		st := &body[i]
		if st.Assert != nil && len(st.Head) > 0 && soft[st.Head[0]] {
			st.Assert.Lost = true
		}
		if len(soft) > 0 {
			losing(st.Body, soft)
		}
	}
}

var _ clike.Dialect = dialect{}
