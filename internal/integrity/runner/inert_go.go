package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

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
		return m != "" && call.Is("call_expression") && onlyOf(call.Field("arguments").Named(),
			func(a syntax.Node) bool { return a.Text() == m })
	}
	isResult := func(n syntax.Node) bool {
		number, ok := numberOf(n.Text())
		return results[canon(n)] || ok && number > 0 || given(n)
	}
	for n := range fn.All("call_expression", "return_statement") {
		args := n.Field("arguments").Named()
		switch f := canon(n.Field("function")); {
		case n.Is("return_statement"):
			if list := n.Child("expression_list"); m != "" && !list.IsZero() && !onlyOf(list.Named(), isResult) {
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

// onlyOf reports whether all nodes but comments are as they should be.
func onlyOf(list []syntax.Node, is func(syntax.Node) bool) bool {
	return !slices.ContainsFunc(list, func(n syntax.Node) bool { return !n.IsComment() && !is(n) })
}
