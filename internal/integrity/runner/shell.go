package runner

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"workflow-reviewer/internal/lazyregexp"
)

type command struct {
	words  []value // of a simple command
	env    []value // assignments in front of it, or instead of one
	redirs []value // files written to
	text   string  // what it is compared by
	line   int
	// lost says why a failure does not fail the script, "" if it does.
	lost     string
	lostLine int
	// guard is the condition under which it is run at all, "" if none.
	guard     string
	guardLine int
	dir       string   // the folder that the script changed to before
	tail      bool     // it only receives what another command prints
	run       *run     // the call of a test runner that it is
	means     *command // what a package's script runs whose call it is; nil if that is not one call of a runner
	setLine   int      // where the shell was told to stop at failures, 0 if it was not
	varLine   int      // of the variable it is made of, 0 if none
	raw       string   // the line before variables were filled in
}

// run is a call of a test runner.
type run struct {
	tool   *tool
	prefix string // what starts it: npx, python -m
	args   []arg
	idle   bool // it is told not to run any test
}

// script is what a script does, in its order.
type script []command

// tests reports whether a test runner is called.
func (s script) tests() bool {
	return slices.ContainsFunc(s, func(c command) bool { return c.run != nil })
}

// shell says how a script's text is run, in which folder, and which files there are to call.
type shell struct {
	errexit, pipefail bool
	files             *Tree
	base              string
}

const (
	maxScript   = 256 << 10
	maxCommands = 2000
)

func readShell(text string, line int, s shell) (script, error) {
	text = blankExpressions(text)
	if len(text) > maxScript {
		return nil, errTooLarge
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	r := reader{shell: s, offset: line - 1}
	r.stmts(file.Stmts, scope{})
	return r.out, nil
}

func readAny(text string, line int, s shell) script {
	if out, err := readShell(text, line, s); err == nil {
		return out
	}
	if len(text) > maxScript {
		return script{{text: "more text than is read", line: line}}
	}
	var out script
	for i, l := range strings.Split(text, "\n") {
		if one, err := readShell(l, line+i, s); err == nil {
			out = append(out, one...)
		} else {
			out = append(out, command{text: l, line: line + i})
		}
	}
	return out
}

// blankExpressions makes words of the expressions that a CI system fills in,
// ${{ … }}: equal expressions are equal words.
func blankExpressions(text string) string {
	return expressions.ReplaceAllStringFunc(text, func(e string) string {
		return "___" + other.ReplaceAllStringFunc(strings.TrimSpace(e[3:len(e)-2]), func(r string) string {
			if r == "\n" {
				return r
			}
			return fmt.Sprintf("_%x", r)
		}) + "__"
	})
}

var (
	expressions = lazyregexp.New(`(?s)\$\{\{.*?\}\}`)
	other       = lazyregexp.New(`(?s)[^A-Za-z0-9.-]`)
)

// scope is what holds for a list of statements.
type scope struct {
	lost      string
	lostLine  int
	guard     string
	guardLine int
	tail      bool
	maybe     bool // what is before it decides whether it is run
	depth     int
}

func (s scope) losing(why string, line int) scope {
	if s.lost == "" {
		s.lost, s.lostLine = why, line
	}
	return s
}

func (s scope) guarded(by string, line int) scope {
	if s.guard == "" {
		s.guardLine = line
	}
	s.guard = strings.TrimPrefix(s.guard+" > "+by, " > ")
	return s
}

const (
	goesOn = "the script goes on and ends with another status"
	inPipe = "its status is lost in a pipe"
)

// reader goes through a script in the order in which it is run.
type reader struct {
	shell
	offset  int
	unset   int // the line of set +e
	setLine int // the line of set -e or -o pipefail
	dir     string
	dirs    []string // of pushd
	out     script
}

func (r *reader) line(n syntax.Node) int { return r.offset + int(n.Pos().Line()) }

func (r *reader) command(n syntax.Node, in scope) command {
	c := command{lost: in.lost, lostLine: in.lostLine, guard: in.guard, guardLine: in.guardLine}
	c.dir, c.tail, c.setLine = r.dir, in.tail, r.setLine
	if n != nil {
		c.line = r.line(n)
	}
	return c
}

func (r *reader) opaque(n syntax.Node, text string, in scope) {
	c := r.command(n, in)
	if c.text = text; n == nil {
		c.line = r.offset + 1
	}
	r.add(c)
}

func (r *reader) add(c command) {
	if len(r.out) == maxCommands {
		r.out = append(r.out, command{text: "more commands than are read", line: c.line})
	} else if len(r.out) < maxCommands {
		r.out = append(r.out, c)
	}
}

func render(n syntax.Node) string {
	var b strings.Builder
	if syntax.NewPrinter(syntax.SingleLine(true)).Print(&b, n) != nil { // it cannot be printed alone
		_ = syntax.DebugPrint(&b, n) // a builder does not fail
	}
	return strings.TrimSpace(b.String())
}

func renderAll(list []*syntax.Stmt) string {
	var out []string
	for _, s := range list {
		out = append(out, render(s))
	}
	return strings.Join(out, "; ")
}

// readScript reads a file, with the flags of its first line.
func readScript(src []byte, files *Tree) (script, error) {
	first, _, _ := strings.Cut(string(src), "\n")
	s := shell{files: files}
	if strings.HasPrefix(first, "#!") {
		for _, f := range strings.Fields(first)[1:] {
			s.errexit = s.errexit || strings.HasPrefix(f, "-") && strings.Contains(f, "e")
		}
	}
	return readShell(string(src), 1, s)
}

// joinDir is a folder below another; a variable or a rooted path begins anew.
func joinDir(dir, to string) string {
	if strings.HasPrefix(to, "/") || strings.HasPrefix(to, "~") || strings.HasPrefix(to, "$") {
		return to
	}
	return path.Join(dir, to)
}
