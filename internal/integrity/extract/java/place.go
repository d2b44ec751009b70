package java

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// place decides a method's role and name.
func (c class) place(u *testmodel.Unit, m syntax.Node) {
	bare := m.Field("name").Text()
	notes := annotations(m)
	for _, a := range notes {
		switch {
		case testAnnotation(simple(a)):
			u.Role, u.Name = testmodel.Test, c.name+" › "+bare
			u.Uncollected = c.uncollected(m, simple(a))
		case setupAnnotation(simple(a)) && u.Role != testmodel.Test:
			u.Role, u.Name = testmodel.Setup, c.name+" › "+bare
		}
	}
	if u.Role != testmodel.Helper || !m.Is("method_declaration") {
		return
	}
	plain := len(notes) == 0 && m.Field("type").Text() == "void" && len(u.Params) == 0
	old := strings.HasSuffix(c.node.Field("superclass").Text(), "TestCase")
	switch {
	case old && (bare == "setUp" || bare == "tearDown"):
		u.Role, u.Name = testmodel.Setup, c.name+" › "+bare
	case old && plain && strings.HasPrefix(bare, "test"):
		u.Role, u.Name = testmodel.Test, c.name+" › "+bare
		if !modifier(m, "public") {
			u.Uncollected = "it is not public"
		}
	case c.testng && has(c.node, "Test") && modifier(m, "public") && m.Field("type").Text() == "void":
		u.Role, u.Name = testmodel.Test, c.name+" › "+bare
	case plain && c.tests && c.used[bare] == 1 && !modifier(m, "private"):
		u.Role, u.Name = testmodel.Test, c.name+" › "+bare
		u.Uncollected = "it has no @Test annotation"
	}
}

// uncollected says why a method that is annotated as a test does not run.
func (c class) uncollected(m syntax.Node, annotation string) string {
	inner := !c.node.Up("class_declaration").IsZero()
	switch {
	case modifier(m, "private"):
		return "it is private"
	case modifier(m, "static") && c.jupiter:
		return "it is static"
	case annotation == "Test" && m.Field("type").Text() != "void":
		return "it returns a value"
	case c.jupiter && modifier(c.node, "private"):
		return "its class is private"
	case c.jupiter && inner && !modifier(c.node, "static") && c.node.Is("class_declaration") && !has(c.node, "Nested"):
		return "its class is not annotated with @Nested"
	}
	return ""
}

// hasTests reports whether a type has tests in it.
func (f *file) hasTests(n syntax.Node) bool {
	if strings.HasSuffix(n.Field("superclass").Text(), "TestCase") {
		return true
	}
	if f.testng && has(n, "Test") {
		return true
	}
	for a := range n.Field("body").All("marker_annotation", "annotation") {
		if testAnnotation(simple(a)) {
			return true
		}
	}
	return false
}
