package runner

import (
	"context"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

func (c *comparison) testMain(ctx context.Context, before, after []byte) error {
	return c.find(ctx, before, after, goHarms)
}

// goHarms finds what TestMain and init functions of a test package do to the
// outcome. Since Go 1.15 a TestMain that returns is as good as one that exits
// with the result of m.Run.
func goHarms(tree *syntax.Tree) []harm {
	var out []harm
	for fn := range tree.All("function_declaration") {
		switch fn.Field("name").Text() {
		case "TestMain":
			out = append(out, testMainHarms(fn)...)
		case "init":
			out = append(out, exits(fn, "init", nil)...)
		}
	}
	return out
}

func testMainHarms(fn syntax.Node) []harm {
	m := "m"
	if p := fn.Field("parameters").Child("parameter_declaration").Child("identifier"); !p.IsZero() {
		m = p.Text()
	}
	run := m + " . Run ( )"
	results := map[string]bool{run: true}
	ran := false
	for call := range fn.All("call_expression") {
		if canon(call) == run {
			ran = true
		}
	}
	for a := range fn.All("short_var_declaration", "assignment_statement", "var_spec") {
		right := a.Field("right")
		if right.IsZero() {
			right = a.Field("value")
		}
		left := a.Field("left")
		if left.IsZero() {
			left = a.Field("name")
		}
		if canon(right) == run {
			results[canon(left)] = true
		}
	}
	out := exits(fn, "TestMain", results)
	if !ran && !calls(fn, m) {
		out = append(out, harm{violation.ConftestHook, fn.StartLine(), "TestMain without Run " + canon(fn), "No test runs: TestMain does not call m.Run"})
	}
	return out
}

// calls reports whether a function hands a variable to another one, such as
// goleak.VerifyTestMain(m).
func calls(fn syntax.Node, name string) bool {
	for args := range fn.Field("body").All("argument_list") {
		for _, a := range args.Named() {
			if a.Text() == name {
				return true
			}
		}
	}
	return false
}

// exits lists what ends the process with another status than a result, or
// changes which tests are selected.
func exits(fn syntax.Node, in string, results map[string]bool) []harm {
	var out []harm
	add := func(n syntax.Node, text string) {
		out = append(out, harm{violation.ConftestHook, n.StartLine(), in + " " + canon(n), text + ": " + cut(oneLine(n.Text()))})
	}
	for n := range fn.All("call_expression", "assignment_statement") {
		text := canon(n)
		switch {
		case n.Is("call_expression") && (strings.HasPrefix(text, "os . Exit (") || strings.HasPrefix(text, "syscall . Exit (")):
			status := strings.TrimSuffix(strings.SplitN(text, "( ", 2)[1], " )")
			if !results[status] && !failing(status) && !derived(status, results) {
				add(n, "The process ends without the result of the tests")
			}
		case n.Is("call_expression") && strings.HasPrefix(text, `flag . Set ( "test.`) && !strings.Contains(text, "test.v") && !strings.Contains(text, "test.timeout"):
			add(n, "Tests are selected by the test package itself")
		case n.Is("call_expression") && text == "recover ( )" && in == "TestMain":
			add(n, "A failure is caught around the tests")
		case n.Is("assignment_statement") && (strings.HasPrefix(text, "os . Args =") || strings.HasPrefix(text, "testing . ")):
			add(n, "Tests are selected by the test package itself")
		case n.Is("assignment_statement") && results[canon(n.Field("left"))] && canon(n.Field("right")) == "0":
			add(n, "The result of the tests is replaced")
		}
	}
	if len(out) > 2 {
		out = out[:2]
	}
	return out
}

func failing(status string) bool {
	_, isNumber := numberOf(status)
	return isNumber && status != "0"
}

// derived reports whether a status is made of a result: run(m), code | 1.
func derived(status string, results map[string]bool) bool {
	for _, word := range strings.Fields(status) {
		if results[word] || word == "m" {
			return true
		}
	}
	return false
}
