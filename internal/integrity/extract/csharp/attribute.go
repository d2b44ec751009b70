package csharp

import (
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// isTest reports whether an attribute makes a method a test.
func isTest(name string) bool {
	switch name {
	case "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod", "Property":
		return true
	default:
		return strings.HasSuffix(name, "Fact") || strings.HasSuffix(name, "Theory")
	}
}

// isSetup reports whether a runner calls such a method around tests.
func isSetup(name string) bool {
	switch name {
	case "SetUp", "TearDown", "OneTimeSetUp", "OneTimeTearDown", "TestInitialize", "TestCleanup",
		"ClassInitialize", "ClassCleanup", "AssemblyInitialize", "AssemblyCleanup", "ModuleInitializer":
		return true
	default:
		return false
	}
}

// effectOf tells the effect of an attribute by its name.
func effectOf(name string) testmodel.Effect {
	switch {
	case name == "Ignore" || name == "Explicit" || name == "Platform" || name == "OSCondition":
		return testmodel.Skips
	case isTest(name) && strings.HasSuffix(name, "Fact") && name != "Fact", isTest(name) && strings.HasSuffix(name, "Theory") && name != "Theory":
		return testmodel.Skips // under a condition that its name tells
	case strings.Contains(name, "Retry"):
		return testmodel.Retries
	default:
		return ""
	}
}

// marks are what an attribute does besides giving cases and making a test.
func (f *file) marks(a syntax.Node) []testmodel.Mark {
	name := attributeName(a)
	var out []testmodel.Mark
	if !plain(name) {
		m := f.Mark(effectOf(name), a)
		if isRow(name) {
			m.Tokens = []string{name}
		}
		if name == "ExpectedException" {
			m.Raises = &testmodel.Assert{Relation: testmodel.Throws, Name: name, Expected: f.typeof(a)}
		}
		out = append(out, m)
	}
	for _, arg := range arguments(a) {
		key := option(arg)
		m := f.Mark("", arg)
		switch key {
		case "Skip", "Ignore", "IgnoreReason", "Explicit", "SkipWhen", "SkipUnless", "SkipType", "Reason":
			m.Effect = testmodel.Skips
		case "", "DisplayName", "Description", "TestName", "Author", "TestOf", "Category":
			continue
		default:
			if isRow(name) || !plain(name) {
				continue // stands in the row or the mark
			}
		}
		out = append(out, m)
	}
	return out
}

// plain reports whether an attribute says no more than that there is a test.
func plain(name string) bool {
	switch name {
	case "Fact", "Theory", "Test", "TestMethod", "DataTestMethod", "TestFixture", "TestClass", "Description", "DisplayName":
		return true
	default:
		return isRow(name)
	}
}

// isRow reports whether an attribute is one case.
func isRow(name string) bool {
	switch name {
	case "InlineData", "TestCase", "DataRow", "InlineAutoData", "Arguments":
		return true
	default:
		return false
	}
}

// rows are the cases that an attribute gives.
func (f *file) rows(a syntax.Node) []testmodel.Row {
	if !isRow(attributeName(a)) {
		return nil
	}
	row := f.Row(a)
	row.Tokens = nil
	for _, arg := range arguments(a) {
		switch option(arg) {
		case "TestName", "Description", "Author", "DisplayName", "Category", "Skip", "Ignore", "IgnoreReason", "Explicit", "Reason":
		default:
			row.Tokens = append(append(row.Tokens, f.Tokens(arg)...), ",")
		}
	}
	return []testmodel.Row{row}
}

// arguments are those of an attribute.
func arguments(a syntax.Node) []syntax.Node {
	return a.Child("attribute_argument_list").Named()
}

// option is the name of an attribute's named argument, "" for a positional one.
func option(arg syntax.Node) string {
	named := arg.Named()
	if len(named) == 1 && named[0].Is("assignment_expression") {
		return named[0].Field("left").Text()
	}
	for c := range arg.Children() {
		if (c.Text() == "=" || c.Text() == ":") && !c.IsNamed() && len(named) == 2 {
			return named[0].Text()
		}
	}
	return ""
}

// providerOf is the name of the member that an attribute takes cases from.
func providerOf(a syntax.Node) string {
	switch attributeName(a) {
	case "MemberData", "TestCaseSource", "DynamicData":
	default:
		return ""
	}
	args := arguments(a)
	if len(args) == 0 {
		return ""
	}
	text := args[0].Text()
	return strings.TrimSuffix(strings.TrimPrefix(text, "nameof("), ")")
}

// typeof are the types that typeof(…) names in a node.
func (f *file) typeof(n syntax.Node) []string {
	var out []string
	for c := range n.All("typeof_expression") {
		out = append(out, c.Field("type").Text())
	}
	if out == nil {
		out = f.Tokens(n)
	}
	return out
}
