package code

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

var (
	atExit = lazyregexp.New(`^(?:atexit\.register|(?:Kernel\.)?at_exit|Minitest\.after_run|.*\.addShutdownHook|` +
		`sys\.(?:excepthook|exitfunc)|threading\.excepthook|window\.onerror|.*\.(?:ProcessExit|UnhandledException))$`)
	atSignal = lazyregexp.New(`^(?:exit|beforeExit|uncaughtException|unhandledRejection)$`)
)

// AtExit reports whether a function is registered to run when the process ends,
// or when an error would end it: handed over, assigned, or by its name.
func (f *File) AtExit(fn *Node) bool {
	registers := func(n, what *Node) bool {
		switch {
		case n.Is(Call):
			name := f.Callee(n)
			signal := strings.HasPrefix(name, "process.on") && n.Kid(1).Is(Literal) && atSignal.MatchString(n.Kids[1].Value.Text)
			return signal || atExit.MatchString(name) ||
				strings.HasSuffix(name, "Thread") && n.Up.Is(Call) && atExit.MatchString(f.Callee(n.Up))
		case n.Is(Assign):
			return atExit.MatchString(f.FullName(n.Kid(0))) && n.Kid(1) == what
		}
		return false
	}
	decorated := slices.ContainsFunc(fn.Def.Marks, func(m *Node) bool { return strings.HasPrefix(f.FullName(m), "atexit.register") })
	return decorated || registers(fn.Up, fn) || fn.Text != "" && f.Root.Any(func(n *Node) bool {
		return n.Is(Name) && n.Text == fn.Text && n.Up.Is(Call, Assign) && registers(n.Up, n)
	})
}
