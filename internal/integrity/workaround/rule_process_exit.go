package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

func processExit() rule {
	return rule{Rule: Rule{
		ID: "process-exit", Kind: violation.ProcessExit, Name: "Exit with status 0",
		Explanation: `A file that ends the process with status 0 when it is loaded, or in a hook that runs at the end, makes every test run green:
no test runs, or none of the failures counts. Reported: such a call at import time, in init functions, static initialisers and exit hooks, and
one that cannot be caught (os._exit, exit!, halt) wherever tests may call it. Spared: main functions and what only they call, command line
scripts, branches on the command line's arguments, other statuses, signal handlers, the child of a fork.`,
		Example: Example{"python", "import os\n\nos._exit(0)\n", "if __name__ == \"__main__\":\n    sys.exit(main())\n"},
	}, check: func(p *pass) {
		p.Root.Walk(func(n *code.Node) bool {
			if n.Is(code.Assign) {
				p.statusSet(n)
			}
			if hard, ok := p.successExit(n); ok {
				p.checkExit(n, hard)
			}
			return true
		})
	}}
}

// statusSet reports the registration of a hook that sets the process's status
// to success.
func (p *pass) statusSet(a *code.Node) {
	d := code.Dotted(a.Kid(0))
	fn := a.Outer(code.Func)
	if d != "process.exitCode" && !strings.HasSuffix(d, "Environment.ExitCode") || fn == nil || !a.Kid(1).Is(code.Literal) || !a.Kid(1).Value.IsZero() {
		return
	}
	if p.isHook(fn.Up, fn) {
		p.report(fn.Up.Line, "a hook at the end of the process sets its status to success", a.Line)
	}
}

func (p *pass) checkExit(n *code.Node, hard bool) {
	when := p.runs(n, map[*code.Node]bool{})
	switch {
	case when == atLoad && p.isScript(n):
	case when == atLoad:
		p.report(n.Line, "the process ends with status 0 as soon as the file is loaded")
	case when == atEnd:
		p.report(n.Line, "a hook ends the process with status 0, whatever the tests found")
		if fn := n.Outer(code.Func); fn != nil && p.isHook(fn.Up, fn) {
			p.report(fn.Up.Line, "a hook is registered that ends the process with status 0", n.Line)
		}
	case hard && !forCommands(p.Path) && !p.inCommand(n) && !p.forks(n):
		p.report(n.Line, "the process is ended with status 0 in a way that no test can catch")
	}
}

// successExit reports whether a node ends the process with status 0, and
// whether it does so without a chance to be caught.
func (p *pass) successExit(n *code.Node) (hard, ok bool) {
	if n.Is(code.Raise) && p.lang(syntax.Python) {
		e := n.Kid(0)
		if e.Is(code.Name) {
			return false, e.Text == "SystemExit"
		}
		return false, e.Is(code.Call) && p.Callee(e) == "SystemExit" && p.succeeds(e.Args(), true)
	}
	if !n.Is(code.Call) {
		return false, false
	}
	args := n.Args()
	switch name := p.Callee(n); {
	case p.lang(syntax.Python):
		switch name {
		case "sys.exit", "exit", "quit":
			return false, p.succeeds(args, true)
		case "os._exit":
			return true, p.succeeds(args, false)
		}
	case p.script():
		switch name {
		case "process.exit", "process.reallyExit", "Deno.exit":
			return name == "process.reallyExit", p.succeeds(args, true)
		}
	case p.lang(syntax.Go):
		return false, (name == "os.Exit" || name == "syscall.Exit") && p.succeeds(args, false)
	case p.lang(syntax.Java):
		name = strings.ReplaceAll(name, "java.lang.", "")
		hard = name == "Runtime.getRuntime().halt"
		return hard, (hard || name == "System.exit" || name == "Runtime.getRuntime().exit") && p.succeeds(args, false)
	case p.lang(syntax.Rust):
		return p.owesValue(n), (name == "std.process.exit" || name == "process.exit" || name == "libc._exit" || name == "libc.exit") && p.succeeds(args, false)
	case p.lang(syntax.Ruby):
		name = strings.TrimPrefix(strings.TrimPrefix(name, "Kernel."), "Process.")
		return name == "exit!", name == "exit" && p.succeeds(args, true) || name == "exit!" && p.succeeds(args, false)
	case p.lang(syntax.CSharp):
		return false, strings.TrimPrefix(name, "System.") == "Environment.Exit" && p.succeeds(args, false)
	}
	return false, false
}

// owesValue: the Rust function around a node has arguments and is to return
// something, so that its callers, among them the tests, go on after it.
func (p *pass) owesValue(n *code.Node) bool {
	fn := n.Outer(code.Func)
	if fn == nil || len(fn.Def.Params) == 0 {
		return false
	}
	value := fn.Src.Field("return_type").Text()
	return value != "" && value != "!"
}

// succeeds reports whether the arguments of an exit mean success; none means
// what the language says.
func (p *pass) succeeds(args []*code.Node, none bool) bool {
	if len(args) == 0 {
		return none
	}
	a := args[0]
	switch {
	case a.Is(code.Literal):
		return a.Value.IsZero() || p.lang(syntax.Ruby) && a.Value.True()
	case a.Is(code.Name, code.Member):
		if name := code.Dotted(a); last(name) == "EX_OK" || last(name) == "EXIT_SUCCESS" {
			return true
		}
		return a.Is(code.Name) && p.constantZero(a.Text)
	default:
		return false
	}
}

// constantZero reports whether a name is only ever assigned 0.
func (p *pass) constantZero(name string) bool {
	zero := false
	for _, a := range p.Assigns {
		if t := a.Kid(0); t.Is(code.Name) && t.Text == name {
			if v := a.Kid(1); !v.Is(code.Literal) || v.Value != (code.Value{Type: code.Number, Text: "0"}) {
				return false
			}
			zero = true
		}
	}
	return zero
}

// isScript reports whether code at the top of the file is there to be run:
// the file says so, and what runs depends on more than being loaded.
func (p *pass) isScript(n *code.Node) bool {
	if h := n.Outer(code.Handler); h != nil && (!p.exports() || strings.Contains(h.Text, "ImportError") || strings.Contains(h.Text, "ModuleNotFound") || strings.Contains(h.Text, "KeyboardInterrupt")) {
		return true
	}
	if fn := n.Outer(code.Func); fn != nil && p.lang(syntax.Go, syntax.Java, syntax.CSharp, syntax.Rust) {
		return false
	}
	return forCommands(p.Path) || strings.HasPrefix(p.lines.At(1), "#!") && !p.exports() || p.worksAtTop()
}

// exports reports whether the file offers something to others.
func (p *pass) exports() bool {
	for _, a := range p.Assigns {
		if d := code.Dotted(a.Kid(0)); d == "module.exports" || strings.HasPrefix(d, "exports.") || strings.HasPrefix(d, "module.exports.") {
			return true
		}
	}
	for c := range p.Root.Src.Children() {
		if c.Is("export_statement", "class_definition", "function_definition", "class", "module", "method") {
			return true
		}
	}
	return false
}

// worksAtTop reports whether the file is a script that has no definitions and
// does its work at the top.
func (p *pass) worksAtTop() bool {
	if p.exports() || strings.HasSuffix(p.Path, "__init__.py") {
		return false
	}
	calls := 0
	for _, k := range p.Root.Kids {
		if k.Is(code.Call) || k.Is(code.Assign) && k.Kid(1).Is(code.Call) && code.Dotted(k.Kid(1).Kid(0)) != "require" {
			calls++
		}
	}
	return calls >= 3
}

// inCommand reports whether a function is there for the command line.
func (p *pass) inCommand(n *code.Node) bool {
	for fn := n.Outer(code.Func); fn != nil; fn = fn.Outer(code.Func) {
		for _, w := range words(fn.Text) {
			switch w {
			case "main", "cli", "command", "cmd", "run", "quit", "exit", "shutdown", "stop", "terminate", "kill", "daemonize", "signal", "handler", "sigterm", "sigint", "restart", "reload":
				return true
			}
		}
	}
	return false
}

// forks reports whether the function around a node, or the file's top, forks.
func (p *pass) forks(n *code.Node) bool {
	around := p.Root
	if fn := n.Outer(code.Func); fn != nil {
		around = fn
	}
	return around.Any(func(c *code.Node) bool { return c.Is(code.Call) && strings.Contains(last(p.Callee(c)), "fork") })
}
