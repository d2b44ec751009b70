package golang

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/integrity/extract/clike"
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// function is a function or method with the subtests in it.
func (f *file) function(n syntax.Node) []testmodel.Unit {
	name, body := n.Field("name"), n.Field("body")
	u := f.Unit(testmodel.Helper, name.Text(), name, n)
	s := f.scope(n, name.Text())
	f.place(&u, n, s)
	s.name = u.Name
	u.Locals = s.locals
	for _, p := range n.Field("parameters").Named() {
		for _, name := range fieldNames(p, "name") {
			u.Params = append(u.Params, name.Text())
		}
	}
	if u.Role == testmodel.Helper {
		u.Marks = f.signature(n)
	}
	u.Body = s.block(body, u.Role == testmodel.Test)
	if strings.HasPrefix(u.Name, "Example") && u.Role == testmodel.Test {
		if st, ok := f.output(body); ok {
			u.Body = append(u.Body, st)
		} else {
			u.Uncollected = "an example without an output comment is not run"
		}
	}
	if strings.HasPrefix(u.Name, "Fuzz") && u.Role == testmodel.Test {
		u.Rows, u.Body = seeds(u.Body)
	}
	if u.Name == "TestMain" || u.Name == "init" {
		f.steering(&u, n)
	}
	return append([]testmodel.Unit{u}, s.nested...)
}

// place decides a unit's role and name.
func (f *file) place(u *testmodel.Unit, n syntax.Node, s *scope) {
	if n.Is("method_declaration") {
		f.placeMethod(u, n, s)
		return
	}
	params := parameterTypes(n)
	kind, handle := testKind(u.Name)
	switch {
	case u.Name == "init":
		u.Role = testmodel.Setup
	case u.Name == "TestMain" && len(params) == 1 && strings.HasSuffix(params[0], ".M"):
		u.Role = testmodel.Setup
	case kind == "Example":
		u.Role = testmodel.Test
		if len(params) > 0 || !n.Field("result").IsZero() {
			u.Uncollected = "an example takes and returns nothing"
		}
	case kind != "":
		u.Role = testmodel.Test
		if len(params) != 1 || !strings.HasSuffix(params[0], "."+handle) && params[0] != "*"+handle || !n.Field("result").IsZero() || !n.Field("type_parameters").IsZero() {
			u.Uncollected = "its signature is not that of a test"
		}
	case len(params) == 1 && strings.HasSuffix(params[0], "testing.T") && n.Field("result").IsZero() && f.used[u.Name] == 1 && writtenAsTest.MatchString(u.Name):
		u.Role = testmodel.Test
		u.Uncollected = "its name does not begin with Test and a letter that is not lower case"
	}
}

// writtenAsTest are names of functions that would be tests but for the name.
var writtenAsTest = regexp.MustCompile(`(?i)test|disabled|skip|^x|^_|todo|broken|flaky`)

// testKind tells by its name what kind of test a function is, and the name of
// the type that it takes.
func testKind(name string) (kind, handle string) {
	for kind, handle := range map[string]string{"Test": "T", "Benchmark": "B", "Fuzz": "F", "Example": ""} {
		if rest, ok := strings.CutPrefix(name, kind); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !unicode.IsLower(r) {
				return kind, handle
			}
		}
	}
	return "", ""
}

// parameterTypes are the types of a function's parameters, one a parameter.
func parameterTypes(n syntax.Node) []string {
	var out []string
	for _, p := range n.Field("parameters").Named() {
		for range max(len(fieldNames(p, "name")), 1) {
			out = append(out, p.Field("type").Text())
		}
	}
	return out
}

// placeMethod decides the role of a method: tests and hooks of a suite, or
// something that tests may use.
func (f *file) placeMethod(u *testmodel.Unit, n syntax.Node, s *scope) {
	receiver := n.Field("receiver")
	typ := ""
	for t := range receiver.All("type_identifier") {
		typ = t.Text()
		break
	}
	method, params := u.Name, parameterTypes(n)
	u.Name = typ + "." + method
	known := f.suites[typ] || f.declared[typ].IsZero() && len(params) == 0
	checks := len(params) == 1 && f.isTesting(params[0])
	if !known && !checks {
		return
	}
	for p := range receiver.All("identifier") {
		s.receiver = p.Text()
	}
	kind, _ := testKind(method)
	switch {
	case suiteHook.MatchString(method):
		u.Role, u.Name = testmodel.Setup, typ+" › "+method
	case kind == "Test" && (len(params) == 0 || checks):
		u.Role, u.Name = testmodel.Test, typ+" › "+method
	}
}

// suiteHook are the methods that a suite's runner calls around tests.
var suiteHook = regexp.MustCompile(`^(Set[Uu]p|Tear[Dd]own)(Suite|Test|SubTest)$|^(Before|After)Test$|^HandleStats$`)

// signature is a mark of the types that a helper takes and returns: another
// type may make it do something else.
func (f *file) signature(n syntax.Node) []testmodel.Mark {
	types := append([]string{"func"}, parameterTypes(n)...)
	types = append(types, f.Tokens(n.Field("type_parameters"), n.Field("result"))...)
	if len(types) == 1 {
		return nil
	}
	m := f.Mark("", n.Field("name"))
	m.Tokens = types
	return []testmodel.Mark{m}
}

// seeds takes the f.Add calls at the top of a fuzz test as its rows.
func seeds(body []testmodel.Stmt) ([]testmodel.Row, []testmodel.Stmt) {
	var rows []testmodel.Row
	var rest []testmodel.Stmt
	for _, st := range body {
		if len(st.Head) > 3 && st.Head[1] == "." && st.Head[2] == "Add" && st.Kind == testmodel.Plain {
			rows = append(rows, testmodel.Row{Tokens: st.Head[3:], Line: st.Line, Text: st.Text})
			continue
		}
		rest = append(rest, st)
	}
	return rows, rest
}

// subtest adds a unit for a t.Run at the top of a test; false if n is none.
func (s *scope) subtest(n syntax.Node) bool {
	c := callOf(expressionOf(n))
	if c.name != "Run" || len(c.args) != 2 || !c.args[1].Is("func_literal") || !s.isT(c.object) && c.object != s.receiver || c.object == "" {
		return false
	}
	name := s.name + " › " + clike.Unquote(c.args[0].Text())
	u := s.Unit(testmodel.Test, name, n, n)
	at := len(s.nested)
	s.nested = append(s.nested, u)
	outer := s.name
	s.name = name
	u.Body = s.block(c.args[1].Field("body"), true)
	s.name = outer
	u.Locals = s.locals
	s.nested[at] = u
	return true
}
