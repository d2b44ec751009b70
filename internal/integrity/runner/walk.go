package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) stmt(s *syntax.Stmt, in scope) {
	for _, r := range s.Redirs {
		w.redirect(r)
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(cmd, in)
	case *syntax.BinaryCmd:
		w.binary(cmd, in)
	case *syntax.Block:
		w.stmts(cmd.Stmts, in)
	case *syntax.Subshell:
		dir, errexit := w.dir, w.errexit
		w.stmts(cmd.Stmts, in)
		w.dir, w.errexit = dir, errexit
	case *syntax.IfClause:
		w.conditional(cmd, in, "")
	case *syntax.WhileClause:
		cond := in.losing("it is only a condition", w.line(cmd))
		w.stmts(cmd.Cond, cond)
		w.stmts(cmd.Do, in.guarded(renderAll(cmd.Cond), w.line(cmd)))
	case *syntax.ForClause:
		w.stmts(cmd.Do, in)
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			w.stmts(item.Stmts, in.guarded("case "+render(cmd.Word), w.line(item)))
		}
	case *syntax.FuncDecl:
		w.function(cmd, in)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.stmt(cmd.Stmt, in)
		}
	case *syntax.DeclClause:
		for _, a := range cmd.Args {
			w.assign(a, true)
		}
	}
}

// inPipe is how a failure is lost before a pipe.
const inPipe = "its status is lost in a pipe"

func (w *walker) binary(b *syntax.BinaryCmd, in scope) {
	switch b.Op {
	case syntax.AndStmt:
		w.and(b, in, in)
	case syntax.OrStmt:
		left := in
		if !w.fails(b.Y) && !w.captures(b.Y) {
			left = in.losing("a failure is caught by || "+cut(render(b.Y)), w.line(b.Y))
		}
		w.stmt(b.X, left)
		n := len(w.out.runs)
		w.stmt(b.Y, in.guarded("only after a failure", w.line(b.Y)))
		if n > 0 && len(w.out.runs) > n && w.out.runs[n-1].lost == "" {
			w.out.runs[n-1].lost, w.out.runs[n-1].lostLine = "after a failure it is run again", w.line(b.Y)
		}
	default: // a pipe
		left := in
		if !w.pipefail {
			left = in.losing(inPipe, w.line(b.Y))
		}
		w.stmt(b.X, left)
		w.stmt(b.Y, in)
	}
}

// and goes through a && b; what is not the last may be in another scope.
func (w *walker) and(b *syntax.BinaryCmd, left, right scope) {
	w.stmt(b.X, left)
	if cond := condition(b.X); cond != "" {
		right = right.guarded(cond, w.line(b.X))
	}
	w.stmt(b.Y, right)
}

// condition is the text of a statement that asks instead of doing something.
func condition(s *syntax.Stmt) string {
	switch cmd := s.Cmd.(type) {
	case *syntax.TestClause:
		return render(s)
	case *syntax.BinaryCmd:
		if c := condition(cmd.Y); c != "" {
			return render(s)
		}
		return condition(cmd.X)
	case *syntax.CallExpr:
		if len(cmd.Args) > 0 && slices.Contains([]string{"[", "test", "false", "grep", "exit", "return"}, cmd.Args[0].Lit()) {
			return render(s)
		}
	}
	return ""
}

// fails reports whether a statement that is run after a failure makes the
// script fail, too.
func (w *walker) fails(s *syntax.Stmt) bool {
	failing := false
	for n := range syntax.Preorder(s) {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			continue
		}
		switch call.Args[0].Lit() {
		case "false":
			failing = true
		case "exit", "return":
			failing = len(call.Args) < 2 || call.Args[1].Lit() != "0"
		}
	}
	return failing
}

// conditional goes through an if with its elif and else.
func (w *walker) conditional(c *syntax.IfClause, in scope, earlier string) {
	if s := c.Cond; len(s) == 1 && (s[0].Negated && slices.ContainsFunc(c.Then, w.fails) || !s[0].Negated && c.Else != nil && w.branchFails(c.Else)) {
		w.stmt(s[0], in)
	} else {
		w.stmts(c.Cond, in.losing("it is only a condition", w.line(c)))
	}
	guard := strings.TrimSpace(earlier + " " + renderAll(c.Cond))
	w.stmts(c.Then, in.guarded(guard, w.line(c)))
	if c.Else != nil {
		if len(c.Else.Cond) > 0 {
			w.conditional(c.Else, in, guard)
			return
		}
		w.stmts(c.Else.Then, in.guarded("else of "+guard, w.line(c)))
	}
}

func (w *walker) branchFails(c *syntax.IfClause) bool {
	if slices.ContainsFunc(c.Then, w.fails) {
		return true
	}
	return c.Else != nil && w.branchFails(c.Else)
}

func (w *walker) function(f *syntax.FuncDecl, in scope) {
	name := f.Name.Value
	if toolNamed(name) != nil {
		w.tamper(f, "a function takes the place of the command "+name)
		return
	}
	if !w.called[name] {
		in = in.guarded("in a function that is not called", w.line(f))
	}
	w.stmt(f.Body, in)
}

func renderAll(list []*syntax.Stmt) string {
	var out []string
	for _, s := range list {
		out = append(out, render(s))
	}
	return strings.Join(out, "; ")
}

func (w *walker) tamper(n syntax.Node, why string) {
	w.out.tampers = append(w.out.tampers, tamper{render(n), why, w.line(n)})
}

// prepare notes which commands a script calls, and which variables decide its
// status: exit "$failed", if [ "$failed" = 1 ]; then exit 1; fi.
func (w *walker) prepare(file *syntax.File) {
	for n := range syntax.Preorder(file) {
		switch x := n.(type) {
		case *syntax.CallExpr:
			if len(x.Args) == 0 {
				continue
			}
			name := x.Args[0].Lit()
			w.called[name] = true
			if name == "exit" || name == "return" {
				w.report(x)
			}
		case *syntax.IfClause:
			if w.branchFails(x) {
				for _, c := range x.Cond {
					w.report(c)
				}
			}
		}
	}
}

func (w *walker) report(n syntax.Node) {
	for p := range syntax.Preorder(n) {
		if e, ok := p.(*syntax.ParamExp); ok && e.Param != nil {
			w.reported[e.Param.Value] = true
		}
	}
}

// captures reports whether a statement only keeps a failure in a variable that
// decides the script's status.
func (w *walker) captures(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 0 && slices.ContainsFunc(call.Assigns, func(a *syntax.Assign) bool {
		return a.Name != nil && w.reported[a.Name.Value] && a.Value != nil && a.Value.Lit() != "0"
	})
}

// keeps reports whether a statement keeps its own failure so: x || failed=1.
func (w *walker) keeps(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && b.Op == syntax.OrStmt && w.captures(b.Y)
}
