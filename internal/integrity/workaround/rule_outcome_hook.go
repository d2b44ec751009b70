package workaround

import (
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/integrity/workaround/literal"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// outcomeHook looks for what docs/integrity-rules.md says under outcome-hook. Code that is told about
// test results can rewrite them.
func outcomeHook(p *pass) {
	for _, a := range p.Assigns {
		p.verdictSet(a)
	}
	for _, c := range p.Calls {
		p.verdictCalled(c)
	}
	for _, fn := range p.Funcs {
		p.hookFunction(fn)
	}
}

var (
	// hookName are functions that test runners call with results.
	hookName = whole("hook")
	// runnerField are what runners alone keep results in; resultField are what they share with programs.
	runnerField = whole("runner-field")
	resultField = whole("result-field")
	success     = lazyregexp.New(`(?i)^(?:pass(?:ed)?|success|ok|green|ex_ok)?$`)
	hookCall    = whole("hook-call")
	removed     = whole("removed-outcome")
	skipping    = whole("skipping")
)

// verdictSet reports assignments to what frameworks keep results in.
func (p *pass) verdictSet(a *code.Node) {
	target := a.Kid(0)
	if a.Text != "=" || a.Declares {
		return
	}
	fn := p.hookOf(a)
	switch {
	case fn != nil && fn.Text == "pytest_collection_modifyitems" && target.Is(code.Index, code.Other) && target.Mentions("items"):
		p.report(a.Line, "the list of tests is changed by the implementation")
	case !target.Is(code.Member) || !isSuccess(a.Kid(1)):
	case target.Text == "exitCode" || target.Text == "ExitCode":
		if fn := a.Outer(code.Func); fn != nil && p.runs(fn, map[*code.Node]bool{}) == atEnd {
			p.report(a.Line, "a hook at the end of the process sets its status to success")
			p.report(fn.Up.Line, "a hook is registered that sets the process's status to success", a.Line)
		}
	case runnerField.MatchString(target.Text) && (fn != nil || target.Kid(0).Text != "self"),
		fn != nil && resultField.MatchString(target.Text):
		p.report(a.Line, "test results are rewritten: “"+target.Text+"” is set")
		if fn != nil && strings.HasPrefix(fn.Text, "pytest_") {
			p.report(fn.Def.Line, "a hook of the test runner in the implementation rewrites results", a.Line)
		}
	}
}

// isSuccess reports whether a value is one that says passed: zero, nothing,
// true, an empty list, a name of success, a function that returns one.
func isSuccess(v *code.Node) bool {
	switch {
	case v.Is(code.Literal):
		return v.Value.IsZero() || v.Value.True() || v.Value.Type == code.String && success.MatchString(v.Value.Text)
	case v.Is(code.List, code.Dict):
		return len(v.Kids) == 0
	case v.Is(code.Func):
		return len(v.Kids) == 1 && v.Kid(0).Is(code.Return) && isSuccess(v.Kid(0).Kid(0))
	default:
		return v.Is(code.Member, code.Name) && success.MatchString(v.Text)
	}
}

// hookOf is the function around a node that a test runner calls, nil if none.
func (p *pass) hookOf(n *code.Node) *code.Node {
	for fn := n.Outer(code.Func); fn != nil; fn = fn.Outer(code.Func) {
		switch at := code.Dotted(fn.Up.Kid(0)); {
		case hookName.MatchString(fn.Text):
			return fn
		case !fn.Up.Is(code.Call):
		case hookCall.MatchString(at):
			return fn
		}
	}
	return nil
}

// verdictCalled reports calls that change what tests came to.
func (p *pass) verdictCalled(c *code.Node) {
	callee := p.Callee(c)
	_, member := cutLast(callee)
	hook := p.hookOf(c) != nil
	switch {
	case hook && (member == "force_result" || member == "force_exception" ||
		member == "setStatus" && strings.Contains(code.Dotted(c.Kid(1)), "SUCCESS")):
		p.report(c.Line, "test results are rewritten: a hook forces its own result")
	case p.lang(syntax.Ruby) && (member == "instance_variable_set" && literal.Text(c.Kid(1)) == "@exception" ||
		member == "set_exception" && isSuccess(c.Kid(1))):
		p.report(c.Line, "test results are rewritten: an example's exception is cleared")
	case p.lang(syntax.Python) && member == "setup":
		c.Walk(func(n *code.Node) bool {
			if literal.Text(n) == "pytest11" {
				p.report(n.Line, "a plugin is registered that pytest loads in every run")
			}
			return true
		})
	case hook && removed.MatchString(callee):
		p.report(c.Line, "tests or their failures are removed by a hook of the test runner")
	case skipping.MatchString(callee) && c.Outer(code.Func) != nil && !forTesting(p.Path):
		p.report(c.Line, "the implementation skips the test that calls it")
	}
}

// hookFunction looks at what a hook of a test runner answers.
func (p *pass) hookFunction(fn *code.Node) {
	switch fn.Text {
	case "pytest_pyfunc_call", "pytest_runtest_protocol", "pytest_report_teststatus", "pytest_ignore_collect":
		for _, o := range code.Outcomes(fn) {
			if o.Value.Is(code.Literal) && o.Value.Value.True() || o.Value.Is(code.List) && literal.Text(o.Value.Kid(0)) == "passed" {
				p.report(o.Line, "a hook of the test runner answers for the tests")
			}
		}
	case "handleTestExecutionException":
		if !fn.Any(func(n *code.Node) bool { return n.Is(code.Raise) }) {
			p.report(fn.Def.Line, "a test's exception is swallowed by the implementation")
		}
	}
}
