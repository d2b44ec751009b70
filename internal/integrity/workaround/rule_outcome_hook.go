package workaround

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func outcomeHook() rule {
	return rule{Rule: Rule{
		ID: "outcome-hook", Kind: violation.OutcomeHook, Name: "Test results rewritten",
		Explanation: `Code that is told about test results can rewrite them. Reported: pytest hooks in implementation code that clear failures, change
outcomes, the exit status or the list of tests; reporters that set counts of failures; handlers that swallow a test's exception; hooks at the end
of the process that set its status to success; plugins registered for every test run; the implementation skipping the test that calls it. Spared:
hooks that only read and report, custom reporters that print, and files in folders for testing.`,
		Example: Example{"python", "def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n", "def pytest_runtest_logreport(report):\n    log.info(\"%s %s\", report.nodeid, report.outcome)\n"},
	}, check: func(p *pass) {
		for _, a := range p.Assigns {
			p.verdictAssigned(a)
		}
		for _, c := range p.Calls {
			p.verdictCalled(c)
		}
		for _, fn := range p.Funcs {
			p.hookFunction(fn)
		}
		p.skips()
	}}
}

// verdictAssigned reports assignments to what frameworks keep results in.
func (p *pass) verdictAssigned(a *code.Node) {
	before := len(p.seen)
	p.verdictSet(a)
	if fn := a.Outer(code.Func); len(p.seen) > before && fn != nil && strings.HasPrefix(fn.Text, "pytest_") {
		p.report(fn.Def.Line, "a hook of the test runner in the implementation rewrites results", a.Line)
	}
}

func (p *pass) verdictSet(a *code.Node) {
	target, value := a.Kid(0), a.Kid(1)
	if !target.Is(code.Member) || a.Text != "=" || a.Declares || !good(value) {
		return
	}
	hook := p.inHook(a)
	switch target.Text {
	case "numFailedTests", "numFailedTestSuites", "numRuntimeErrorTestSuites", "numFailingTests", "testsfailed", "excinfo", "failureMessages",
		"wasSuccessful", "failure_exit_code", "error_exit_code", "numUnmatchedSnapshots":
		if !target.Kid(0).Is(code.Name) || target.Kid(0).Text != "self" || hook {
			p.report(a.Line, "test results are rewritten: “"+target.Text+"” is set")
		}
	case "outcome", "longrepr", "exitstatus", "wasxfail", "_excinfo", "failures", "errors", "success", "status", "state", "exception":
		if hook {
			p.report(a.Line, "test results are rewritten: “"+target.Text+"” is set in a hook of the test runner")
		}
	case "exitCode", "ExitCode":
		if d := code.Dotted(target); d != "process.exitCode" && !strings.HasSuffix(d, "Environment.ExitCode") {
			return
		}
		if fn := a.Outer(code.Func); fn != nil && value.Is(code.Literal) && p.functionRuns(fn, map[*code.Node]bool{}) == atEnd {
			p.report(a.Line, "a hook at the end of the process sets its status to success")
		}
	}
}

// good reports whether a value is one that says passed: zero, nothing, true,
// an empty list, a name of success.
func good(v *code.Node) bool {
	switch {
	case v.Is(code.Literal):
		return v.Value.IsZero() || v.Value.True() || slices.Contains([]string{"passed", "pass", "success", "ok", "green", ""}, strings.ToLower(v.Value.Text))
	case v.Is(code.List, code.Dict):
		return len(v.Kids) == 0
	case v.Is(code.Func):
		return len(v.Kids) == 1 && v.Kid(0).Is(code.Return) && good(v.Kid(0).Kid(0))
	case v.Is(code.Member, code.Name):
		return slices.Contains([]string{"SUCCESS", "OK", "PASSED", "Passed", "Success", "EX_OK"}, v.Text)
	default:
		return false
	}
}

// inHook reports whether a node is in a function that a test runner calls.
func (p *pass) inHook(n *code.Node) bool {
	for fn := n.Outer(code.Func); fn != nil; fn = fn.Outer(code.Func) {
		if runnerHook(fn.Text) {
			return true
		}
		if p.lang(syntax.Ruby) && fn.Up.Is(code.Call) {
			if m := code.Method(fn.Up); (m == "after" || m == "around" || m == "before" || m == "append_after" || m == "prepend_before") && p.inConfigure(fn) {
				return true
			}
		}
		if fn.Up.Is(code.Call) && p.script() {
			switch code.Dotted(fn.Up.Kid(0)) {
			case "afterAll", "afterEach", "runner.on", "runner.once":
				return true
			}
		}
	}
	return false
}

func (p *pass) inConfigure(fn *code.Node) bool {
	for c := fn.Outer(code.Call); c != nil; c = c.Outer(code.Call) {
		if d := code.Dotted(c.Kid(0)); d == "RSpec.configure" {
			return true
		}
	}
	return false
}

func runnerHook(name string) bool {
	if strings.HasPrefix(name, "pytest_") {
		return true
	}
	switch name {
	case "onRunComplete", "onTestResult", "onTestCaseResult", "onTestFileResult", "onRunnerEnd", "onFinished", "onTestEnd", "onEnd", "handleTestExecutionException",
		"testFailed", "onTestFailure", "afterInvocation", "example_failed", "dump_summary", "onTestFinished", "onTaskUpdate":
		return true
	}
	return false
}

// verdictCalled reports calls that change what tests came to.
func (p *pass) verdictCalled(c *code.Node) {
	callee := p.Callee(c)
	member := last(callee)
	switch {
	case member == "force_result" || member == "force_exception":
		if p.inHook(c) {
			p.report(c.Line, "test results are rewritten: a hook forces its own result")
		}
	case p.lang(syntax.Java) && member == "setStatus" && strings.Contains(code.Dotted(c.Kid(1)), "SUCCESS") && p.inHook(c):
		p.report(c.Line, "test results are rewritten: a failed test is set to success")
	case p.lang(syntax.Ruby) && member == "instance_variable_set" && textOf(c.Kid(1)) == "@exception", p.lang(syntax.Ruby) && member == "set_exception" && good(c.Kid(1)):
		p.report(c.Line, "test results are rewritten: an example's exception is cleared")
	case p.lang(syntax.Python) && (member == "setup" || callee == "setuptools.setup") && c.Any(func(n *code.Node) bool {
		return n.Is(code.Pair) && isText(n.Kid(0), "pytest11")
	}):
		c.Walk(func(n *code.Node) bool {
			if isText(n, "pytest11") {
				p.report(n.Line, "a plugin is registered that pytest loads in every run")
			}
			return true
		})
	case (member == "clear" || member == "remove" || member == "pop") && c.Kid(0).Is(code.Member) && p.inHook(c):
		if o := code.Dotted(c.Kid(0).Kid(0)); o == "items" || strings.HasSuffix(o, ".failures") || strings.HasSuffix(o, ".errors") {
			p.report(c.Line, "tests or their failures are removed by a hook of the test runner")
		}
	}
}

// hookFunction looks at what a hook of a test runner does with tests.
func (p *pass) hookFunction(fn *code.Node) {
	switch {
	case fn.Text == "pytest_collection_modifyitems":
		for _, a := range p.Assigns {
			if t := a.Kid(0); a.Within(fn) && t.Any(func(n *code.Node) bool { return n.Is(code.Name) && n.Text == "items" }) && !t.Is(code.Name) {
				p.report(a.Line, "the list of tests is changed by the implementation")
			}
		}
	case fn.Text == "pytest_pyfunc_call" || fn.Text == "pytest_runtest_protocol" || fn.Text == "pytest_report_teststatus" || fn.Text == "pytest_ignore_collect":
		for _, o := range code.Outcomes(fn) {
			if o.Value.Is(code.Literal) && o.Value.Value.True() || o.Value.Is(code.List) && textOf(o.Value.Kid(0)) == "passed" {
				p.report(o.Line, "a hook of the test runner answers for the tests")
			}
		}
	case fn.Text == "handleTestExecutionException" && p.lang(syntax.Java) && !fn.Any(func(n *code.Node) bool { return n.Is(code.Raise) }):
		p.report(fn.Def.Line, "a test's exception is swallowed by the implementation")
	}
}

// skips looks for implementation code that skips the test that calls it.
func (p *pass) skips() {
	if forTesting(p.Path) {
		return
	}
	for _, c := range p.Calls {
		switch name := p.Callee(c); {
		case p.lang(syntax.Python) && (name == "pytest.skip" || name == "pytest.xfail" || name == "pytest.exit" || name == "unittest.SkipTest"),
			p.lang(syntax.Java) && (strings.HasSuffix(name, "TestAbortedException") || strings.HasSuffix(name, "AssumptionViolatedException")) && c.Up.Is(code.Raise),
			p.lang(syntax.CSharp) && (name == "Assert.Pass" || name == "Assert.Ignore" || name == "Assert.Inconclusive"),
			p.lang(syntax.Ruby) && strings.HasSuffix(name, "SkipDeclaredInExample.new"):
			if c.Outer(code.Func) != nil && !forCommands(p.Path) {
				p.report(c.Line, "the implementation skips the test that calls it")
			}
		}
	}
}
