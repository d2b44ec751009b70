package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// moment says when code runs.
type moment uint8

const (
	onCall moment = iota // when someone calls it
	atLoad               // when the file is loaded
	atEnd                // when the process ends, in a hook
)

// runs says when a node runs, as far as the file tells. Code that only runs as
// a program, or depends on its arguments, runs on call.
func (p *pass) runs(n *code.Node, visited map[*code.Node]bool) moment {
	for at := n; at.Up != nil; at = at.Up {
		if at.Up.Is(code.If, code.Ternary) && at != at.Up.Kid(0) && p.asProgram(at.Up.Kid(0), at == at.Up.Kid(2)) {
			return onCall
		}
		if !at.Is(code.Func) {
			continue
		}
		switch when := p.functionRuns(at, visited); {
		case when == onCall:
			return onCall
		case when == atEnd:
			return atEnd
		case !called(at):
			return atLoad
		}
	}
	if p.lang(syntax.Python, syntax.Ruby, syntax.JavaScript, syntax.TypeScript, syntax.TSX) || n.Outer(code.Func) != nil {
		return atLoad
	}
	return onCall
}

// called reports whether a function is called where it stands.
func called(fn *code.Node) bool {
	return fn.Up.Is(code.Call) && fn.Up.Kids[0] == fn ||
		fn.Up.Is(code.Member) && fn.Up.Up.Is(code.Call) && (fn.Up.Text == "call" || fn.Up.Text == "apply" || fn.Up.Text == "Invoke")
}

func (p *pass) functionRuns(fn *code.Node, visited map[*code.Node]bool) moment {
	if visited[fn] {
		return onCall
	}
	visited[fn] = true
	switch {
	case called(fn), p.initialises(fn):
		return atLoad
	case p.isHook(fn.Up, fn):
		return atEnd
	}
	for _, m := range fn.Def.Marks {
		if strings.HasPrefix(p.FullName(m), "atexit.register") || strings.HasPrefix(code.Dotted(m), "atexit.register") {
			return atEnd
		}
	}
	name := fn.Text
	if name == "" && fn.Up.Is(code.Assign) && fn.Up.Kid(0).Is(code.Name) {
		name = fn.Up.Kid(0).Text
	}
	if name == "" || name == "main" || name == "Main" {
		return onCall
	}
	when := onCall
	for _, c := range p.Calls {
		if callee := c.Kid(0); callee.Is(code.Name) && callee.Text == name && !c.Within(fn) {
			when = max(when, p.runs(c, visited))
		}
		for _, a := range c.Args() {
			if a.Is(code.Name) && a.Text == name && p.isHook(c, a) {
				when = atEnd
			}
		}
	}
	for _, a := range p.Assigns {
		if v := a.Kid(1); v.Is(code.Name) && v.Text == name && p.isHook(a, v) {
			when = atEnd
		}
	}
	return when
}

// initialises reports whether the language calls a function by itself when the
// file is loaded.
func (p *pass) initialises(fn *code.Node) bool {
	switch {
	case p.lang(syntax.Go):
		return fn.Text == "init" && fn.Def.Type == "" && fn.Up == p.Root
	case fn.Src.Is("static_initializer", "class_static_block"):
		return true
	case fn.Src.Is("constructor_declaration") && p.lang(syntax.CSharp):
		return fn.Def.Has("static")
	}
	for _, m := range fn.Def.Marks {
		switch strings.TrimSuffix(last(strings.ReplaceAll(code.Dotted(m), "::", ".")), "()") {
		case "ModuleInitializer", "ctor":
			return true
		}
	}
	return false
}

// isHook reports whether a node registers fn, a function or its name, to run
// when the process ends, or when an error would end it.
func (p *pass) isHook(n, fn *code.Node) bool {
	switch {
	case n.Is(code.Assign):
		switch d := p.FullName(n.Kid(0)); {
		case d == "sys.excepthook", d == "sys.exitfunc", d == "window.onerror", d == "threading.excepthook":
			return n.Kid(1) == fn
		case strings.HasSuffix(d, ".ProcessExit"), strings.HasSuffix(d, ".UnhandledException"):
			return true
		}
	case n.Is(code.Call):
		switch name := p.Callee(n); {
		case name == "atexit.register", name == "at_exit", name == "Kernel.at_exit", name == "Minitest.after_run", strings.HasSuffix(name, ".addShutdownHook"):
			return true
		case strings.HasPrefix(name, "process.") && p.script():
			switch textOf(n.Kid(1)) {
			case "exit", "beforeExit", "uncaughtException", "unhandledRejection", "uncaughtExceptionMonitor":
				return true
			}
		case last(name) == "Thread" && n.Up.Is(code.Call):
			return p.isHook(n.Up, n)
		}
	}
	return false
}

// asProgram reports whether a condition holds only if the file is run as a
// program, or with certain arguments; otherwise stands for its else branch.
func (p *pass) asProgram(cond *code.Node, otherwise bool) bool {
	if cond.Is(code.Unary) && cond.Text == "not" {
		return p.asProgram(cond.Kid(0), !otherwise)
	}
	if cond.Is(code.Binary) && cond.Text == "&&" && !otherwise {
		return p.asProgram(cond.Kid(0), false) || p.asProgram(cond.Kid(1), false)
	}
	byArguments := cond.Any(func(c *code.Node) bool {
		switch code.Dotted(c) {
		case "process.argv", "sys.argv", "os.Args", "ARGV", "argv", "Bun.argv", "Deno.args", "sys.platform", "sys.version_info", "process.platform", "process.version", "os.name", "RUBY_PLATFORM", "args":
			return true
		}
		return false
	})
	if byArguments {
		return true
	}
	isMain := cond.Any(func(c *code.Node) bool {
		switch d := code.Dotted(c); d {
		case "__name__", "require.main", "import.meta.main", "import.meta.url", "$0", "$PROGRAM_NAME", "module.parent", "import.meta.filename":
			return true
		}
		return false
	})
	if !isMain {
		return false
	}
	unequal := cond.Is(code.Binary) && cond.Text == "!="
	if code.Dotted(cond) == "module.parent" {
		unequal = true
	}
	return unequal == otherwise
}
