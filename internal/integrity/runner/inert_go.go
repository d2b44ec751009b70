package runner

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// inertGo accepts what may be added to a package of tests: declarations that
// run nothing when the package is loaded, and functions that do not end the
// process with another status than the result of the tests.
func (c *comparison) inertGo(n syntax.Node) bool {
	text := canon(n)
	switch {
	case n.Is("package_clause", "import_declaration", "const_declaration"):
		return !strings.Contains(text, ". \"") && !strings.Contains(text, `_ "`)
	case n.Is("type_declaration"):
		return !anyNot(n.Named(), func(s syntax.Node) bool { return !goBuiltins.MatchString(s.Field("name").Text()) })
	case n.Is("var_declaration"):
		for s := range n.All("var_spec", "call_expression") {
			f := s.Field("function")
			if s.Is("var_spec") && goBuiltins.MatchString(s.Field("name").Text()) || s.Is("call_expression") && !f.Is("selector_expression") && !goBuiltins.MatchString(f.Text()) {
				return false // it hides a name of the language, or calls the package
			}
		}
		return !goEffects.MatchString(text)
	case n.Is("method_declaration"):
		receiver := n.Field("receiver").Text()
		for s := range n.Up("source_file").All("type_spec") {
			if strings.Contains(receiver, s.Field("name").Text()) {
				return len(goExits(n)) == 0
			}
		}
		return false
	case n.Is("function_declaration"):
		name := n.Field("name").Text()
		return !goBuiltins.MatchString(name) && len(goExits(n)) == 0 && (name != "init" || !goEffects.MatchString(text) && !strings.Contains(text, ". ") && keepsToItself(n))
	}
	return false
}

// keepsToItself reports whether a function only sets variables of its own file,
// and calls nothing but the language.
func keepsToItself(fn syntax.Node) bool {
	own := map[string]bool{}
	for s := range fn.Up("source_file").All("var_spec", "short_var_declaration") {
		own[s.Field("name").Text()+s.Field("left").Text()] = true
	}
	for s := range fn.All("assignment_statement", "inc_statement", "dec_statement", "call_expression") {
		f := s.Field("function")
		if s.Is("call_expression") && !goBuiltins.MatchString(f.Text()) || !s.Is("call_expression") && !own[s.Field("left").Text()] {
			return false
		}
	}
	return true
}

// goExits are what ends the process with another status than the result of the
// tests, or selects tests, in a function. One that is given the tests, as
// TestMain is, must run them and hand on what they came to.
func goExits(fn syntax.Node) []finding {
	var out []finding
	add := func(n syntax.Node, text string) {
		out = append(out, finding{violation.ConftestHook, 0, n.StartLine(), text + ": " + cut(n.Text())})
	}
	m := ""
	for p := range fn.Field("parameters").All("parameter_declaration") {
		if canon(p.Field("type")) == "* testing . M" {
			m = p.Child("identifier").Text()
		}
	}
	results := map[string]bool{}
	ran := m == ""
	if !ran {
		results[m+" . Run ( )"] = true
	}
	for n := range fn.All("short_var_declaration", "assignment_statement", "var_spec") {
		left, right := canon(n.Field("left"))+canon(n.Field("name")), canon(n.Field("right"))+canon(n.Field("value"))
		switch {
		case results[right]:
			results[left] = true
		case results[left]:
			add(n, "The result of the tests is replaced")
		case strings.HasPrefix(left, "os . Args"), strings.HasPrefix(left, "testing . "):
			add(n, "Tests are selected by the test package itself")
		}
	}
	given := func(call syntax.Node) bool { // run(m)
		return m != "" && call.Is("call_expression") && !anyNot(call.Field("arguments").Named(), func(a syntax.Node) bool { return a.Text() == m })
	}
	isResult := func(n syntax.Node) bool {
		number, ok := numberOf(n.Text())
		return results[canon(n)] || ok && number > 0 || given(n)
	}
	for n := range fn.All("call_expression", "return_statement") {
		args := n.Field("arguments").Named()
		switch f := canon(n.Field("function")); {
		case n.Is("return_statement"):
			if list := n.Child("expression_list"); m != "" && !list.IsZero() && anyNot(list.Named(), isResult) {
				add(n, "The result of the tests is replaced")
			}
		case f == "os . Exit", f == "syscall . Exit":
			if len(args) != 1 || !isResult(args[0]) {
				add(n, "The process ends without the result of the tests")
			}
		case f == "flag . Set" && strings.Contains(canon(n), `"test.`):
			add(n, "Tests are selected by the test package itself")
		case f == "recover" && m != "":
			add(n, "A failure is caught around the tests")
		}
		ran = ran || results[canon(n)] || len(args) > 0 && given(n)
	}
	if !ran {
		add(fn, "No test runs: TestMain does not call m.Run")
	}
	return out
}
