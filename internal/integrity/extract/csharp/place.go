package csharp

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// place decides a method's role and name.
func (c class) place(u *testmodel.Unit, m syntax.Node) {
	bare := m.Field("name").Text()
	notes := attributes(m)
	for _, a := range notes {
		switch name := attributeName(a); {
		case isTest(name):
			u.Role, u.Name = testmodel.Test, c.name+" › "+bare
			u.Uncollected = c.uncollected(m)
		case isSetup(name) && u.Role != testmodel.Test:
			u.Role, u.Name = testmodel.Setup, c.name+" › "+bare
		}
	}
	if u.Role != testmodel.Helper || !c.tests {
		return
	}
	returns := m.Field("returns").Text()
	switch {
	case m.Is("constructor_declaration"), isLifetime(bare):
		u.Role, u.Name = testmodel.Setup, c.name+" › "+bare
	case m.Is("method_declaration") && len(notes) == 0 && len(u.Params) == 0 && (returns == "void" || returns == "Task") &&
		modifier(m, "public") && !modifier(m, "override") && !modifier(m, "static") && c.used[bare] == 1:
		u.Role, u.Name = testmodel.Test, c.name+" › "+bare
		u.Uncollected = "it has no attribute that makes it a test"
	}
}

// isLifetime reports whether xUnit calls such a method around tests.
func isLifetime(name string) bool {
	switch name {
	case "Dispose", "DisposeAsync", "InitializeAsync":
		return true
	default:
		return false
	}
}

// uncollected says why a method that is marked as a test does not run.
func (c class) uncollected(m syntax.Node) string {
	switch {
	case !modifier(m, "public"):
		return "it is not public"
	case c.framework == mstest && !has(c.node, "TestClass"):
		return "its class is not marked with [TestClass]"
	case c.framework != nunit && !modifier(c.node, "public"):
		return "its class is not public"
	default:
		return ""
	}
}

// hasTests reports whether a type has tests in it.
func hasTests(n syntax.Node) bool {
	for a := range n.Field("body").All("attribute") {
		if isTest(attributeName(a)) {
			return true
		}
	}
	return false
}
