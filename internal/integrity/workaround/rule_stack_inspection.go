package workaround

import (
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func stackInspection() rule {
	return rule{Rule: Rule{
		ID: "stack-inspection", Kind: violation.StackInspection, Name: "Caller inspected",
		Explanation: `A function that looks up the call stack can see the test that calls it, even the value that the test expects. Reported: stack frames that
decide what is returned, when they are compared with names of tests or test files, when the caller's local variables are read, or when the caller's
line number is compared with a literal. Spared: stacks for messages, logs and error reports, frames that are returned as they are, the caller's module
name, and warnings that name the caller.`,
		Example: Example{"python", "expected = sys._getframe(1).f_locals.get(\"expected\")\nreturn expected\n", "warnings.warn(\"use parse()\", DeprecationWarning, stacklevel=2)\n"},
	}, check: func(p *pass) {
		var sources []*code.Node
		p.Root.Walk(func(n *code.Node) bool {
			if len(sources) < maxSources && p.stackSource(n) {
				sources = append(sources, n)
				return false
			}
			return true
		})
		for _, s := range sources {
			p.stackFrom(s)
		}
		p.callerParameters()
	}}
}

// stackSource reports whether a node takes hold of the call stack.
func (p *pass) stackSource(n *code.Node) bool {
	name := ""
	switch {
	case n.Is(code.Call):
		name = p.Callee(n)
	case n.Is(code.Member, code.Name):
		return p.stackMember(n)
	}
	if name == "" {
		return false
	}
	switch p.Lang {
	case syntax.Python:
		switch name {
		case "sys._getframe", "inspect.currentframe", "inspect.stack", "inspect.trace", "traceback.extract_stack", "traceback.format_stack", "traceback.walk_stack",
			"sys._current_frames", "gc.get_objects", "gc.get_referrers", "sys._getframemodulename":
			return true
		}
	case syntax.Go:
		switch name {
		case "runtime.Caller", "runtime.Callers", "runtime.CallersFrames", "runtime.Stack", "debug.Stack", "runtime.FuncForPC":
			return true
		}
	case syntax.Java:
		return strings.HasSuffix(name, ".getStackTrace") || strings.HasPrefix(name, "StackWalker.getInstance") || last(name) == "getCallerClass"
	case syntax.CSharp:
		return n.Text == "new" && (last(name) == "StackTrace" || last(name) == "StackFrame")
	case syntax.Ruby:
		switch strings.TrimPrefix(name, "Kernel.") {
		case "caller", "caller_locations", "binding.of_caller", "ObjectSpace.each_object", "binding.callers":
			return true
		}
	case syntax.Rust:
		return strings.HasSuffix(name, "Backtrace.capture") || strings.HasSuffix(name, "Backtrace.force_capture") || name == "backtrace.trace" ||
			strings.HasSuffix(name, "Location.caller") || strings.HasSuffix(name, "Backtrace.new")
	}
	return false
}

func (p *pass) stackMember(n *code.Node) bool {
	switch {
	case p.script() && n.Is(code.Member) && n.Text == "stack":
		o := n.Kid(0)
		return o.Is(code.Call) && code.Dotted(o.Kid(0)) == "Error" || o.Is(code.Name) && p.madeForStack(o)
	case p.script() && n.Is(code.Member) && n.Text == "caller":
		return code.Dotted(n.Kid(0)) == "arguments.callee" || n.Kid(0).Is(code.Name) && len(p.Named(n.Kid(0).Text)) > 0
	case p.lang(syntax.CSharp) && n.Is(code.Member):
		return strings.HasSuffix(code.Dotted(n), "Environment.StackTrace")
	case p.lang(syntax.Ruby) && n.Is(code.Name) && (n.Text == "caller" || n.Text == "caller_locations"):
		return p.Scope(n) == nil && !(n.Up.Is(code.Call) && n.Up.Kids[0] == n) && !n.Up.Is(code.Pair)
	}
	return false
}

// madeForStack: the variable holds an error that was made here and is not
// thrown, or an object whose stack was captured.
func (p *pass) madeForStack(n *code.Node) bool {
	for _, a := range p.Assigns {
		if t, v := a.Kid(0), a.Kid(1); t.Is(code.Name) && t.Text == n.Text && v.Is(code.Call) && strings.HasSuffix(code.Dotted(v.Kid(0)), "Error") && v.Text == "new" && p.Scope(t) == p.Scope(n) {
			return true
		}
	}
	for _, c := range p.Calls {
		if code.Dotted(c.Kid(0)) == "Error.captureStackTrace" && c.Kid(1).Is(code.Name) && c.Kid(1).Text == n.Text {
			return true
		}
	}
	return false
}

func (p *pass) stackFrom(source *code.Node) {
	flow := p.Follow(func(n *code.Node) bool { return n == source })
	why, line := p.looksForTest(flow)
	if why == "" {
		return
	}
	for _, fn := range p.Funcs {
		for _, o := range code.Outcomes(fn) {
			if o.Raises || o.Value == nil {
				continue
			}
			if g := flowGuard(flow, o.Guards); g != nil || flow.Has(o.Value) {
				if g == nil {
					g = o.Value
				}
				p.report(source.Line, fmt.Sprintf("the implementation inspects its caller (%s), and that decides a returned value", why), line, g.Line)
				if !source.Within(fn) {
					p.report(g.Line, "who calls decides a returned value ("+why+")", source.Line)
				}
				return
			}
		}
	}
}

// looksForTest tells what about a stack speaks of tests, "" if nothing does.
func (p *pass) looksForTest(flow *code.Flow) (why string, line int) {
	p.Root.Walk(func(n *code.Node) bool {
		if why != "" {
			return false
		}
		switch {
		case p.callersVariable(n) != "" && flow.Has(n):
			why, line = "its variable “"+p.callersVariable(n)+"”", n.Line
		case n.Is(code.Binary) && n.Text != "&&" && n.Text != "||" && flow.Has(n), n.Is(code.Call) && flow.Has(n) && !p.message(n), n.Is(code.Case) && flow.Has(n.Up.Kid(0)):
			if t := textIn(shallow(n), namesTest); t != "" {
				why, line = "“"+t+"”", n.Line
			} else if l := lineNumber(n); l != "" {
				why, line = "line "+l, n.Line
			}
		}
		return true
	})
	return why, line
}

// callersVariable is the name of a variable that is looked up among those of a
// frame, if it is one that tests have.
func (p *pass) callersVariable(n *code.Node) string {
	name := ""
	switch {
	case n.Is(code.Index) && n.Kid(0).Is(code.Member) && (n.Kids[0].Text == "f_locals" || n.Kids[0].Text == "f_globals"):
		name = textOf(n.Kid(1))
	case n.Is(code.Call) && n.Kid(0).Is(code.Member) && n.Kids[0].Text == "get" && n.Kids[0].Kid(0).Is(code.Member) && strings.HasPrefix(n.Kids[0].Kids[0].Text, "f_"),
		n.Is(code.Call) && code.Method(n) == "local_variable_get":
		name = textOf(n.Kid(1))
	}
	switch name {
	case "want", "wanted", "expect", "answer", "result", "actual", "exp", "cases", "case":
		return name
	}
	if strings.HasPrefix(name, "__") || !speaksOfTests(name) && !p.known.tests.Names[name] {
		return ""
	}
	return name
}

// namesTest: a text that names a test, and is no sentence.
func namesTest(s string) bool { return !strings.ContainsAny(s, " \n\t") && speaksOfTests(s) }

// shallow is a case without its statements, anything else as it is.
func shallow(n *code.Node) *code.Node {
	if n.Is(code.Case) {
		return &code.Node{Kind: code.List, Kids: n.Kids[:len(n.Kids)-1]}
	}
	return n
}

// message: the call makes or writes a text for people.
func (p *pass) message(n *code.Node) bool {
	switch name := strings.ToLower(code.Method(n)); {
	case strings.Contains(name, "print"), strings.Contains(name, "log"), strings.Contains(name, "format"), strings.Contains(name, "error"), strings.Contains(name, "warn"),
		strings.Contains(name, "debug"), strings.Contains(name, "write"), strings.Contains(name, "info"), strings.Contains(name, "panic"), strings.Contains(name, "fatal"):
		return true
	}
	return false
}

// lineNumber: a comparison with a number as only line numbers have them.
func lineNumber(n *code.Node) string {
	if !n.Is(code.Binary) || n.Text == "+" || n.Text == "-" || n.Text == "*" || n.Text == "in" {
		return ""
	}
	line := false
	number := ""
	for _, k := range n.Kids {
		if k.Is(code.Literal) && k.Value.Type == code.Number {
			if i, err := strconv.Atoi(k.Value.Text); err == nil && i >= 5 {
				number = k.Value.Text
			}
		}
		line = line || k.Any(func(c *code.Node) bool {
			return (c.Is(code.Name) || c.Is(code.Member)) && strings.Contains(strings.ToLower(c.Text), "line")
		})
	}
	if !line {
		return ""
	}
	return number
}

// callerParameters: C# hands the caller's file and name to a parameter.
func (p *pass) callerParameters() {
	if !p.lang(syntax.CSharp) {
		return
	}
	for a := range p.Root.Src.All("attribute") {
		name := a.Field("name").Text()
		param := a.Up("parameter")
		if !strings.HasPrefix(name, "Caller") || param.IsZero() {
			continue
		}
		id := param.Field("name").Text()
		flow := p.Follow(func(n *code.Node) bool { return n.Is(code.Name) && n.Text == id })
		why, line := p.looksForTest(flow)
		if why == "" {
			continue
		}
		for _, fn := range p.Funcs {
			for _, o := range code.Outcomes(fn) {
				if g := flowGuard(flow, o.Guards); g != nil && !o.Raises && o.Value != nil {
					p.report(line, fmt.Sprintf("the implementation inspects its caller (%s), and that decides a returned value", why), a.StartLine(), g.Line)
				}
			}
		}
	}
}
