package java

import (
	"strings"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// annotations are those of a declaration.
func annotations(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := range n.Child("modifiers").Children() {
		if c.Is("marker_annotation", "annotation") && !dropped(c) {
			out = append(out, c)
		}
	}
	return out
}

// simple is an annotation's name without package.
func simple(a syntax.Node) string {
	_, last := cutLast(a.Field("name").Text())
	return last
}

// has reports whether a declaration has an annotation.
func has(n syntax.Node, name string) bool {
	for _, a := range annotations(n) {
		if simple(a) == name {
			return true
		}
	}
	return false
}

// modifier reports whether a declaration has a modifier.
func modifier(n syntax.Node, name string) bool { return !n.Child("modifiers").Child(name).IsZero() }

// testAnnotation reports whether an annotation makes a method a test.
func testAnnotation(name string) bool {
	switch name {
	case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property", "ArchTest",
		"CartesianTest", "RetryingTest", "UiThreadTest", "PerformanceTest":
		return true
	default:
		return false
	}
}

// setupAnnotation reports whether a runner calls such a method around tests.
func setupAnnotation(name string) bool {
	switch name {
	case "Before", "After", "BeforeEach", "AfterEach", "BeforeAll", "AfterAll", "BeforeMethod", "AfterMethod", "BeforeSuite", "AfterSuite",
		"BeforeTest", "AfterTest", "BeforeGroups", "AfterGroups", "BeforeClass", "AfterClass", "BeforeProperty", "BeforeTry", "Rule", "ClassRule":
		return true
	default:
		return false
	}
}

// marks are what an annotation does besides giving cases and making a test.
func (f *file) marks(a syntax.Node) []testmodel.Mark {
	name := simple(a)
	if name == "Test" || name == "ParameterizedTest" {
		return f.testMarks(a)
	}
	if testAnnotation(name) && !has(a.Parent().Parent(), "Test") && a.Is("marker_annotation") {
		return nil
	}
	m := f.Mark(effectOf(name), a)
	if f.rows(a) != nil {
		m.Tokens = []string{"@", name}
	}
	return []testmodel.Mark{m}
}

// effectOf tells the effect of an annotation by its name.
func effectOf(name string) testmodel.Effect {
	switch {
	case name == "Disabled" || name == "Ignore" || name == "Ignored":
		return testmodel.Skips
	case strings.HasPrefix(name, "DisabledOn") || strings.HasPrefix(name, "DisabledIf") || strings.HasPrefix(name, "DisabledFor") || strings.HasPrefix(name, "DisabledIn"):
		return testmodel.Skips
	case strings.HasPrefix(name, "EnabledOn") || strings.HasPrefix(name, "EnabledIf") || strings.HasPrefix(name, "EnabledFor") || strings.HasPrefix(name, "EnabledIn"):
		return testmodel.Skips
	case name == "ExpectedToFail" || name == "NotWorking":
		return testmodel.XFails
	case strings.Contains(name, "Retry") || strings.Contains(name, "Rerun") || strings.Contains(name, "Flaky"):
		return testmodel.Retries
	default:
		return ""
	}
}

// testMarks are the options of @Test: enabled = false, expected = X.class,
// timeout = 10.
func (f *file) testMarks(a syntax.Node) []testmodel.Mark {
	var out []testmodel.Mark
	for _, p := range a.Field("arguments").Named() {
		key, value := p.Field("key").Text(), p.Field("value")
		m := f.Mark("", p)
		switch key {
		case "enabled":
			if value.Text() == "true" {
				continue
			}
			m.Effect = testmodel.Skips
		case "expected", "expectedExceptions":
			m.Raises = &testmodel.Assert{Relation: testmodel.Throws, Name: "@Test", Expected: f.types(value)}
		case "retryAnalyzer", "successPercentage":
			m.Effect = testmodel.Retries
		case "name", "description":
			continue
		}
		out = append(out, m)
	}
	return out
}

// types are the names of class literals.
func (f *file) types(n syntax.Node) []string {
	var out []string
	for c := range n.All("class_literal") {
		out = append(out, strings.TrimSuffix(c.Text(), ".class"))
	}
	if out == nil {
		out = f.Tokens(n)
	}
	return out
}

// rows are the cases that an annotation lists.
func (f *file) rows(a syntax.Node) []testmodel.Row {
	switch simple(a) {
	case "ValueSource", "CsvSource", "EnumSource", "Parameters", "CsvSources":
	default:
		return nil
	}
	var out []testmodel.Row
	for _, p := range a.Field("arguments").Named() {
		value := p
		if p.Is("element_value_pair") {
			value = p.Field("value")
		}
		switch {
		case value.Is("element_value_array_initializer"):
			for _, e := range value.Named() {
				out = append(out, f.Row(e))
			}
		case p.Field("key").Text() == "textBlock":
			out = append(out, f.block(value)...)
		case p.Is("element_value_pair") && value.Is("string_literal", "class_literal", "field_access"), !p.Is("element_value_pair"):
			out = append(out, f.Row(p))
		}
	}
	return out
}

// block are the lines of a text block, without those that are empty.
func (f *file) block(n syntax.Node) []testmodel.Row {
	var out []testmodel.Row
	line := n.StartLine()
	for i, text := range strings.Split(clike.Unquote(n.Text()), "\n") {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, testmodel.Row{Tokens: []string{text}, Line: line + i, Text: f.Lines.At(line + i)})
		}
	}
	return out
}

// providersOf are the names of the methods that an annotation takes cases
// from; a @MethodSource without name takes them from the method of the test's.
func providersOf(a syntax.Node, test string) []string {
	var out []string
	name := simple(a)
	args := a.Field("arguments").Named()
	if name == "MethodSource" && len(args) == 0 {
		return []string{test}
	}
	for _, p := range args {
		key := p.Field("key").Text()
		if name != "MethodSource" && key != "dataProvider" || key != "" && key != "value" && key != "dataProvider" {
			continue
		}
		for s := range p.All("string_literal") {
			out = append(out, s.Text())
		}
	}
	return out
}
