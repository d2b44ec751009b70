package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (r *reader) stmts(list []*syntax.Stmt, in scope) {
	if in.depth++; in.depth > maxDepth {
		r.opaque(nil, "nested too deep", in)
		return
	}
	for i, s := range list {
		at := in
		if rest := list[i+1:]; len(rest) > 0 {
			and, isAnd := s.Cmd.(*syntax.BinaryCmd)
			switch {
			case !r.errexit && r.unset > 0:
				at = at.losing(goesOn, r.unset)
			case !r.errexit:
				at = at.losing(goesOn, r.line(rest[0]))
			case isAnd && and.Op == syntax.AndStmt:
				r.and(and, at.losing("a failure before && does not stop the script", r.line(s)), at)
				continue
			}
		}
		r.stmt(s, at)
	}
}

func (r *reader) stmt(s *syntax.Stmt, in scope) {
	if s.Background || s.Coprocess {
		in = in.losing("it runs in the background", r.line(s))
		defer r.apart()()
	}
	if s.Negated {
		in = in.losing("its result is negated", r.line(s))
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(s, cmd, in)
		return
	case *syntax.BinaryCmd:
		r.binary(cmd, in)
	case *syntax.Block:
		r.stmts(cmd.Stmts, in)
	case *syntax.Subshell:
		if in.lost == goesOn { // its exit is not the script's
			in.lost = "after the subshell, " + goesOn
		}
		back := r.apart()
		r.stmts(cmd.Stmts, in)
		back()
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			r.stmt(cmd.Stmt, in)
		}
	case *syntax.IfClause:
		r.conditional(cmd, in)
	case *syntax.WhileClause:
		r.stmts(cmd.Cond, in.losing("it is only a condition", r.line(cmd)))
		r.stmts(cmd.Do, in.guarded("while "+renderAll(cmd.Cond), r.line(cmd)))
	case *syntax.ForClause:
		r.stmts(cmd.Do, in.guarded("for "+render(cmd.Loop), r.line(cmd)))
	case *syntax.CaseClause:
		for _, item := range cmd.Items {
			var words []string
			for _, p := range item.Patterns {
				words = append(words, render(p))
			}
			r.stmts(item.Stmts, in.guarded("case "+render(cmd.Word)+" in "+strings.Join(words, "|"), r.line(item)))
		}
	case *syntax.FuncDecl:
		r.opaque(cmd, "function "+cmd.Name.Value, in)
		r.stmt(cmd.Body, in.guarded("function "+cmd.Name.Value, r.line(cmd)))
	case *syntax.DeclClause:
		c := r.command(s, in)
		c.text, c.words = render(s), []value{{text: cmd.Variant.Value, line: c.line}}
		for _, a := range cmd.Args {
			c.words = append(c.words, value{text: strings.ReplaceAll(render(a), `"`, ""), line: c.line})
		}
		c.redirs = r.written(s)
		r.add(c)
		return
	default: // a test, arithmetic, declarations, and what nobody thought of
		r.opaque(s, render(s), in)
		return
	}
	if len(s.Redirs) > 0 {
		r.redirects(s, in)
	}
}

func (r *reader) redirects(s *syntax.Stmt, in scope) {
	c := r.command(s, in)
	c.redirs = r.written(s)
	for _, w := range c.redirs {
		c.text += " > " + w.text
	}
	r.add(c)
}

func (r *reader) binary(b *syntax.BinaryCmd, in scope) {
	switch b.Op {
	case syntax.AndStmt:
		r.and(b, in, in)
	case syntax.OrStmt:
		if r.fails(b.Y) {
			whole := in // such a failure ends the script, whatever comes after
			if whole.lost == goesOn {
				whole.lost, whole.lostLine = "", 0
			}
			r.stmt(b.X, whole)
			r.stmts([]*syntax.Stmt{b.Y}, in.guarded("after a failure", r.line(b.Y)))
			return
		}
		r.stmt(b.X, in.losing("a failure is caught by || "+cut(render(b.Y)), r.line(b.Y)))
		r.stmt(b.Y, in.guarded("only after a failure of "+render(b.X), r.line(b.Y)))
	default: // a pipe
		left := in
		if !r.pipefail {
			left = in.losing(inPipe, r.line(b.Y))
		}
		back := r.apart()
		r.stmt(b.X, left)
		back()
		in.tail = true
		r.stmt(b.Y, in)
		back()
	}
}

// apart is called where a process of its own begins; what it returns, where that
// ends: its folder and settings end with it.
func (r *reader) apart() (back func()) {
	dir, dirs, sh := r.dir, r.dirs, r.shell
	return func() { r.dir, r.dirs, r.shell = dir, dirs, sh }
}

func (r *reader) and(b *syntax.BinaryCmd, left, right scope) {
	r.stmt(b.X, left)
	n := len(r.out)
	if left.lost != "" || n > 0 && r.out[n-1].words == nil || n > 0 && asks(r.out[n-1].words) {
		right = right.guarded(render(b.X), r.line(b.X))
	}
	right.maybe = true
	r.stmt(b.Y, right)
}

func asks(words []value) bool {
	return len(words) > 0 && slices.Contains([]string{"[", "test", "false", "grep", "exit", "return", "command", "which", "diff"},
		words[0].text)
}

func (r *reader) conditional(c *syntax.IfClause, in scope) {
	if s := c.Cond; len(s) == 1 && s[0].Negated && c.Else == nil && len(c.Then) > 0 && r.fails(c.Then[len(c.Then)-1]) {
		plain, whole := *s[0], in
		if plain.Negated = false; whole.lost == goesOn {
			whole.lost, whole.lostLine = "", 0
		}
		r.stmt(&plain, whole)
		r.stmts(c.Then, in.guarded("after a failure", r.line(c)))
		return
	}
	r.stmts(c.Cond, in.losing("it is only a condition", r.line(c)))
	guard := renderAll(c.Cond)
	r.stmts(c.Then, in.guarded("if "+guard, r.line(c)))
	if c.Else == nil {
		return
	}
	if in = in.guarded("not "+guard, r.line(c.Else)); len(c.Else.Cond) > 0 {
		r.conditional(c.Else, in)
	} else {
		r.stmts(c.Else.Then, in)
	}
}

func (r *reader) fails(s *syntax.Stmt) bool {
	switch cmd := s.Cmd.(type) {
	case *syntax.Block:
		return !s.Background && len(cmd.Stmts) > 0 && r.fails(cmd.Stmts[len(cmd.Stmts)-1])
	case *syntax.CallExpr:
		if s.Background || s.Negated || len(cmd.Args) == 0 || len(cmd.Assigns) > 0 {
			return false
		}
		name, status := cmd.Args[0].Lit(), ""
		if len(cmd.Args) > 1 {
			status = cmd.Args[1].Lit()
		}
		n, isNumber := numberOf(status)
		return name == "exit" && len(cmd.Args) == 2 && isNumber && n > 0 && n < 256
	}
	return false
}
