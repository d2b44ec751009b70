package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// marker says what a node tells about a running test.
type marker struct {
	what string
	// weak markers are also how programs honestly choose their configuration:
	// NODE_ENV, settings.TESTING.
	weak bool
}

// markerOf tells whether a node answers the question if a test is running.
func (p *pass) markerOf(n *code.Node) (marker, bool) {
	for _, try := range [...]func(*code.Node) string{p.environment, p.modules, p.runtime, p.arguments} {
		if what := try(n); what != "" {
			return marker{what: what}, true
		}
	}
	if what := p.weakMarker(n); what != "" {
		return marker{what, true}, true
	}
	return marker{}, false
}

// runnerVariable reports whether an environment variable or system property is
// set by a test runner alone.
func runnerVariable(name string) bool {
	for _, prefix := range []string{"PYTEST_", "JEST_", "VITEST", "MOCHA_", "NEXTEST", "surefire.", "org.gradle.test.", "XUNIT_", "VSTEST_", "AVA_", "TEST_WORKER_INDEX", "TAP_"} {
		if strings.HasPrefix(name, prefix) && !strings.HasSuffix(name, "_PLUGIN_AUTOLOAD") {
			return true
		}
	}
	return name == "NODE_TEST_CONTEXT" || name == "RUST_TEST_THREADS" || name == "TEST_WORKSPACE" || name == "UNITTEST_RUNNING"
}

// reads reports whether a chain of names reads the environment.
func readsEnvironment(chain string) bool {
	chain = strings.ToLower(chain)
	return strings.Contains(chain, "env") || strings.HasSuffix(chain, "getproperty") || strings.HasSuffix(chain, "getproperties()")
}

func (p *pass) environment(n *code.Node) string {
	switch {
	case n.Is(code.Member) && runnerVariable(n.Text) && readsEnvironment(p.FullName(n.Kid(0))),
		n.Is(code.Name) && runnerVariable(n.Text) && p.Imports[n.Text] == "process.env."+n.Text:
		return n.Text
	case n.Is(code.Index) && runnerVariable(textOf(n.Kid(1))) && readsEnvironment(p.FullName(n.Kid(0))):
		return textOf(n.Kid(1))
	case n.Is(code.Call) && readsEnvironment(p.Callee(n)):
		for _, a := range n.Args() {
			if runnerVariable(textOf(a)) {
				last := last(p.Callee(n))
				if last == "pop" || last == "setdefault" || last == "delete" || last == "setenv" || last == "Setenv" || last == "Unsetenv" || last == "unsetenv" || last == "set_var" || last == "remove_var" {
					return ""
				}
				return textOf(a)
			}
		}
	case n.Is(code.Binary) && (n.Text == "in" || n.Text == "not in") && runnerVariable(textOf(n.Kid(0))) && readsEnvironment(p.FullName(n.Kid(1))):
		return textOf(n.Kid(0))
	}
	return ""
}

// modules: a test framework among the loaded modules, classes or globals.
func (p *pass) modules(n *code.Node) string {
	switch {
	case n.Is(code.Binary) && (n.Text == "in" || n.Text == "not in") && last(p.FullName(n.Kid(1))) == "modules" && framework(textOf(n.Kid(0))):
		return textOf(n.Kid(0)) + " among the loaded modules"
	case n.Is(code.Binary) && n.Text == "in" && p.script() && testName(textOf(n.Kid(0))) && (code.Dotted(n.Kid(1)) == "globalThis" || code.Dotted(n.Kid(1)) == "global"):
		return "the global “" + textOf(n.Kid(0)) + "”"
	case n.Is(code.Call) && (code.Dotted(n.Kid(0)) == "any" || code.Dotted(n.Kid(0)) == "next") && n.Any(func(c *code.Node) bool { return strings.HasSuffix(p.FullName(c), "sys.modules") }) && textIn(n, framework) != "":
		return textIn(n, framework) + " among the loaded modules"
	case n.Is(code.Index) && strings.HasSuffix(p.FullName(n.Kid(0)), "sys.modules") && framework(textOf(n.Kid(1))):
		return textOf(n.Kid(1)) + " among the loaded modules"
	case n.Is(code.Import) && p.lang(syntax.Python) && n.Outer(code.Try) != nil && framework(n.Text) && !forTesting(p.Path):
		return "whether " + n.Text + " can be imported"
	case n.Is(code.Call):
		return p.moduleCall(n)
	case n.Is(code.Unary) && n.Text == "typeof" && p.script():
		if v := n.Kid(0); v.Is(code.Name) && testName(v.Text) && !p.declares(v.Text) && p.Scope(v) == nil {
			return "the global “" + v.Text + "”"
		}
	case n.Is(code.Member) && p.script() && testName(n.Text):
		if d := code.Dotted(n.Kid(0)); d == "globalThis" || d == "global" || d == "window" {
			return "the global “" + n.Text + "”"
		}
	}
	return ""
}

// testName reports whether a global of that name is there only in test runs.
func testName(name string) bool {
	switch name {
	case "describe", "it", "expect", "jest", "vi", "beforeEach", "afterEach", "beforeAll", "afterAll", "mocha", "jasmine", "vitest", "__vitest_worker__", "__coverage__":
		return true
	}
	return false
}

func (p *pass) moduleCall(n *code.Node) string {
	callee := p.Callee(n)
	arg := textOf(n.Kid(1))
	switch {
	case strings.HasSuffix(callee, "sys.modules.get") && framework(arg),
		p.lang(syntax.Java, syntax.CSharp) && (strings.HasSuffix(callee, "Class.forName") || strings.HasSuffix(callee, "loadClass") || strings.HasSuffix(callee, "Type.GetType")) && framework(arg):
		return arg + " among the loaded modules"
	case callee == "defined?" && framework(code.Dotted(n.Kid(1))), last(callee) == "const_defined?" && framework(arg):
		return "whether a test framework is loaded"
	case strings.Contains(callee, "GetAssemblies") && textIn(n, speaksOfTests) != "":
		return "a test framework among the loaded assemblies"
	case strings.Contains(callee, "LOADED_FEATURES") && textIn(n, speaksOfTests) != "":
		return "a test framework among the loaded files"
	case n.Text == "!" && callee == "cfg" && n.Any(func(c *code.Node) bool { return c.Is(code.Name) && c.Text == "test" }):
		return "cfg!(test)"
	}
	return ""
}

// runtime: what the language itself says.
func (p *pass) runtime(n *code.Node) string {
	if !n.Is(code.Call) {
		return ""
	}
	switch callee := p.Callee(n); {
	case p.lang(syntax.Go) && (callee == "testing.Testing" || callee == "testing.CoverMode" || callee == "testing.Short" || callee == "testing.Verbose"):
		return callee + "()"
	case p.lang(syntax.Go) && callee == "flag.Lookup" && runnerFlag(textOf(n.Kid(1))):
		return "the test runner's flags"
	}
	return ""
}

// arguments: the name of the running program or thread, compared with that of
// a test runner.
func (p *pass) arguments(n *code.Node) string {
	if !n.Is(code.Binary, code.Call) || n.Is(code.Binary) && (n.Text == "&&" || n.Text == "||") {
		return ""
	}
	thread := false
	var programName func(c *code.Node) bool
	programName = func(c *code.Node) bool {
		switch d := p.FullName(c); {
		case d == "sys.argv", d == "os.Args", d == "process.argv", d == "process.argv0", d == "$0", d == "$PROGRAM_NAME", d == "sys.orig_argv", d == "process.title", d == "require.main.filename":
			return true
		case c.Is(code.Call):
			thread = strings.HasSuffix(d, "thread.current().name()") || strings.HasSuffix(d, "Thread.currentThread().getName()")
			return thread || strings.HasSuffix(d, "env.current_exe()") || strings.HasSuffix(d, "env.args()") || d == "os.Executable()" || strings.HasSuffix(d, "GetEntryAssembly()") || strings.HasSuffix(d, "Process.GetCurrentProcess()")
		case strings.HasSuffix(d, "AppDomain.CurrentDomain.FriendlyName"):
			return true
		case c.Is(code.Name) && p.Scope(c) != nil && n.Is(code.Call): // asked of a variable
			as := p.Assigned(c.Text)
			return len(as) == 1 && p.Scope(as[0].Kid(0)) == p.Scope(c) && !as[0].Kid(1).Is(code.Name) && as[0].Kid(1).Any(func(v *code.Node) bool { return !v.Is(code.Name) && programName(v) })
		}
		return false
	}
	names := n.Any(programName)
	if !names || n.Any(func(c *code.Node) bool { return c.Is(code.Func) && len(c.Kids) > 1 }) {
		return ""
	}
	test := programOfTests
	if thread {
		test = func(s string) bool { return speaksOfTests(s) || p.known.tests.Funcs[last(s)] && len(s) > 4 }
	}
	if t := textIn(n, test); t != "" {
		return "“" + t + "” in the name of the running program or thread"
	}
	return ""
}

// programOfTests reports whether a text is (a part of) the name of a test runner.
func programOfTests(s string) bool {
	if strings.HasPrefix(s, "--") {
		return false
	}
	for _, w := range words(s) {
		switch w {
		case "pytest", "unittest", "nose", "jest", "vitest", "mocha", "jasmine", "ava", "junit", "surefire", "rspec", "minitest", "testhost", "xunit", "nunit", "deps":
			return true
		}
	}
	return strings.HasSuffix(s, ".test") || strings.HasSuffix(s, ".test.exe") || s == "_test" || s == "-test.v" || strings.HasPrefix(s, "-test.") || s == "Test worker" || s == "test" || s == "py.test"
}
