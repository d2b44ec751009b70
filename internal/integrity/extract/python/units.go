package python

import (
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// class models a class: a suite of tests, or a helper.
func (m *modeler) class(n syntax.Node, decorators []syntax.Node, s suite) {
	name := n.Field("name").Text()
	line := n.Field("name").StartLine()
	inner := suite{unit: len(m.file.Units), prefix: s.prefix + name + " › ", class: true}
	judgeClass(n, name, &inner)
	if s.uncollects != "" {
		inner.uncollects = s.uncollects
	}
	role := testmodel.Helper
	if inner.collected || inner.uncollects != "" {
		role = testmodel.Suite
	}
	u := testmodel.Unit{Role: role, Name: s.prefix + name, Line: line, End: n.EndLine(), Text: m.lines.At(line)}
	u.Marks = m.decorators(decorators, &u)
	u.Params = bases(n)
	m.file.Units = append(m.file.Units, u)
	m.scope(n.Field("body"), inner)
}

// bases are a class's bases, without those that say no more than that it is a
// test case.
func bases(n syntax.Node) []string {
	var out []string
	for _, b := range n.Field("superclasses").Named() {
		if base := last(b.Text()); base != "TestCase" && base != "IsolatedAsyncioTestCase" && base != "object" {
			out = append(out, strings.Join(canon(b), " "))
		}
	}
	return out
}

// judgeClass says whether runners look for tests in a class.
func judgeClass(n syntax.Node, name string, s *suite) {
	for _, b := range n.Field("superclasses").Named() {
		if base := last(b.Text()); !b.Is("keyword_argument") && (strings.Contains(base, "Test") || strings.Contains(base, "Case")) {
			s.collected, s.sync = true, b.Text() == "unittest.TestCase" || b.Text() == "TestCase"
			return
		}
	}
	named := strings.HasPrefix(name, "Test")
	hasTests, hasInit := false, false
	for _, c := range n.Field("body").Named() {
		if c.Is("decorated_definition") {
			c = c.Field("definition")
		}
		if c.Is("function_definition") {
			f := c.Field("name").Text()
			hasTests = hasTests || strings.HasPrefix(f, "test")
			hasInit = hasInit || f == "__init__" || f == "__new__"
		}
	}
	switch {
	case named && hasInit && hasTests:
		s.uncollects = "pytest does not collect a class with a constructor"
	case named:
		s.collected = true
	case hasTests && n.Field("superclasses").IsZero():
		s.uncollects = "pytest only collects classes whose name begins with Test"
	case hasTests:
		s.collected = true // a base of the project may be a TestCase
	}
}

// function models a function or method.
func (m *modeler) function(n syntax.Node, decorators []syntax.Node, s suite) {
	name := n.Field("name").Text()
	line := n.Field("name").StartLine()
	u := testmodel.Unit{Name: s.prefix + name, Line: line, End: n.EndLine(), Text: m.lines.At(line)}
	u.Params = parameters(n)
	u.Marks = m.decorators(decorators, &u)
	u.Role = roleOf(name, s, u.Marks)
	if u.Role == testmodel.Test {
		u.Uncollected = s.uncollects
		if n.FirstChild().Is("async") {
			u.Marks = append(u.Marks, testmodel.Mark{Tokens: []string{"async"}, Line: line, Text: u.Text})
			if s.sync {
				u.Uncollected = "unittest.TestCase does not await it"
			}
		}
	}
	u.Locals = append(u.Locals, locals(n)...)
	if u.Role == testmodel.Helper {
		u.Locals = append(u.Locals, names(u.Params)...)
	}
	u.Body = m.block(n.Field("body"))
	m.file.Units = append(m.file.Units, u)
}

var hooks = []string{
	"setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "asyncSetUp", "asyncTearDown",
	"setup", "teardown", "setup_method", "teardown_method", "setup_class", "teardown_class", "setup_module", "teardown_module",
	"setup_function", "teardown_function", "setUpTestData", "load_tests", "runTest", "run", "addCleanup",
}

func roleOf(name string, s suite, marks []testmodel.Mark) testmodel.Role {
	switch {
	case slices.ContainsFunc(marks, isFixture), strings.HasPrefix(name, "pytest_"), slices.Contains(hooks, name) && (s.class || name != "run"):
		return testmodel.Setup
	case strings.HasPrefix(name, "test") && (!s.class || s.collected || s.uncollects != ""):
		return testmodel.Test
	default:
		return testmodel.Helper
	}
}

func isFixture(m testmodel.Mark) bool {
	return slices.Contains(m.Tokens, "fixture") || slices.Contains(m.Tokens, "yield_fixture") || slices.Contains(m.Tokens, "hookimpl")
}

// parameters are a function's parameters with their defaults, without self.
func parameters(n syntax.Node) []string {
	var out []string
	for i, p := range n.Field("parameters").Named() {
		text := strings.Join(canon(p), " ")
		if i == 0 && (text == "self" || text == "cls") {
			continue
		}
		out = append(out, text)
	}
	return out
}

// names are the names of parameters without stars and defaults.
func names(params []string) []string {
	out := make([]string, 0, len(params))
	for _, p := range params {
		p = strings.TrimLeft(p, "* ")
		if i := strings.IndexByte(p, ' '); i > 0 {
			p = p[:i]
		}
		if p != "" && p != "/" {
			out = append(out, p)
		}
	}
	return out
}

// replaced marks tests that a later definition of the same name replaces.
func (m *modeler) replaced() {
	latest := map[string]int{} // line of the last definition
	for _, u := range m.file.Units {
		if u.Name != "" {
			latest[u.Name] = max(latest[u.Name], u.Line)
		}
	}
	ends := map[string]int{} // where a suite's last definition begins
	for _, u := range m.file.Units {
		if u.Role == testmodel.Suite {
			ends[u.Name] = latest[u.Name]
		}
	}
	for i := range m.file.Units {
		u := &m.file.Units[i]
		if u.Role != testmodel.Test || u.Uncollected != "" {
			continue
		}
		by := latest[u.Name]
		if j := strings.LastIndex(u.Name, " › "); j >= 0 && ends[u.Name[:j]] > u.Line {
			by = ends[u.Name[:j]]
		}
		if by > u.Line {
			u.Uncollected = "the definition in line " + strconv.Itoa(by) + " replaces it"
		}
	}
}

// unique tells units of the same role and name apart.
func (m *modeler) unique() {
	seen := map[string]int{}
	for i := range m.file.Units {
		u := &m.file.Units[i]
		key := string(u.Role) + " " + u.Name
		if seen[key]++; seen[key] > 1 {
			u.Name += " #" + strconv.Itoa(seen[key])
		}
	}
}

// locals are the names that a function binds in its body.
func locals(fn syntax.Node) []string {
	seen := map[string]bool{}
	var out []string
	add := func(n syntax.Node) {
		for _, name := range targets(n) {
			if !seen[name] && !strings.Contains(name, ".") && !strings.Contains(name, "[") {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	for n := range fn.Field("body").All("assignment", "for_statement", "for_in_clause", "as_pattern", "named_expression", "function_definition", "class_definition", "lambda_parameters") {
		switch n.Kind() {
		case "as_pattern":
			add(n.Field("alias"))
		case "named_expression", "function_definition", "class_definition":
			add(n.Field("name"))
		case "lambda_parameters":
			for _, p := range n.Named() {
				add(p)
			}
		default:
			add(n.Field("left"))
		}
	}
	return out
}

// targets are the names that a pattern binds: "x", "self.x", "items[]".
func targets(n syntax.Node) []string {
	switch n.Kind() {
	case "identifier", "attribute":
		return []string{n.Text()}
	case "subscript":
		return []string{n.Field("value").Text() + "[]"}
	case "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target", "parenthesized_expression", "tuple", "list", "expression_list", "default_parameter":
		var out []string
		for _, c := range n.Named() {
			out = append(out, targets(c)...)
			if n.Is("default_parameter") {
				break
			}
		}
		return out
	default:
		return nil
	}
}
