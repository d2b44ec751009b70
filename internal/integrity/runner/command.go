package runner

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call reads one simple command.

func (r *reader) call(s *syntax.Stmt, call *syntax.CallExpr, in scope) {
	c := r.command(s, in)
	for _, a := range call.Assigns {
		c.env = append(c.env, value{text: render(a), line: r.line(a)})
	}
	for _, a := range call.Args {
		c.words = append(c.words, value{text: wordText(a), line: r.line(a), code: !literalWord(a)})
	}
	c.redirs = r.written(s)
	c.text = textOf(s, call)
	c.status = r.kept != "" && slices.Contains([]string{r.kept + "=$?", r.kept + "=1", r.kept + "=0", "exit $" + r.kept, `exit "$` + r.kept + `"`, "exit ${" + r.kept + "}"}, c.text)
	for n := range syntax.Preorder(call) {
		if sub, ok := n.(*syntax.CmdSubst); ok && in.depth <= maxDepth && tests(sub.Stmts) {
			r.stmts(sub.Stmts, in.losing("its output is used, not its status", c.line).guarded("in "+c.text, c.line))
		}
	}
	if len(c.words) == 0 {
		r.add(c)
		return
	}
	switch name := c.words[0].text; {
	case name == "set" && r.set(c.words[1:], c.line), len(c.words) == 2 && (name == "cd" || name == "pushd") && len(c.env) == 0:
		if name != "set" {
			r.dir = joinDir(r.dir, c.words[1].text)
		}
		return
	case name == "popd" && len(c.words) == 1:
		r.dir = ""
		return
	}
	if inner, ok := shellArgument(c.words); ok {
		if nested, err := readShell(inner, c.line, shell{}); err == nil && nested.tests() {
			for _, n := range nested {
				n.line, n.guard, n.guardLine = c.line, strings.TrimPrefix(n.guard+" in "+c.words[0].text, " "), c.line
				if n.lost == "" {
					n.lost, n.lostLine = in.lost, in.lostLine
				}
				r.add(n)
			}
			return
		}
	}
	if args, ok := measured(c.words); ok {
		m := c
		m.run = &run{tool: nyc(), args: nyc().parse(args)}
		r.add(m)
	}
	if t, args, prefix := recognise(c.words); t != nil {
		parsed := t.parse(args)
		c.run = &run{tool: t, args: parsed, prefix: prefix, idle: t.idle(parsed)}
	}
	r.add(c)
}

// tests reports whether statements call a test runner.

func tests(list []*syntax.Stmt) bool {
	inner := reader{}
	inner.stmts(list, scope{depth: maxDepth / 2})
	return inner.out.tests()
}

// set obeys the flags of the shell; false if there are others.

func (r *reader) set(words []value, line int) bool {
	for i := 0; i < len(words); i++ {
		text := words[i].text
		on := strings.HasPrefix(text, "-")
		if len(text) < 2 || !on && text[0] != '+' || strings.Trim(text[1:], "euxvoE") != "" {
			return false
		}
		name := ""
		if strings.HasSuffix(text, "o") && i+1 < len(words) {
			i++
			name = words[i].text
		}
		if on && (name == "pipefail" || strings.Contains(text, "e")) {
			r.setLine = line
		}
		switch {
		case name == "pipefail":
			r.pipefail = on
		case name != "" && name != "errexit" && name != "nounset" && name != "xtrace":
			return false
		}
		if strings.Contains(text, "e") || name == "errexit" {
			if r.errexit && !on {
				r.unset = line
			}
			r.errexit = on
		}
	}
	return true
}

// written are the files that a statement's output goes to.

func (r *reader) written(s *syntax.Stmt) []value {
	var out []value
	for _, d := range s.Redirs {
		switch d.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn, syntax.DplOut:
		default:
			out = append(out, value{text: wordText(d.Word), line: r.line(d)})
		}
	}
	return out
}

// textOf is what a simple command is compared by: its words without their

// quotes where these say nothing.

// keptStatus is the variable whose value a script ends with: "exit $status",

// if nothing but a status, 1, or a 0 at first is ever given to it.

func keptStatus(file *syntax.File) string {
	n := len(file.Stmts)
	if n == 0 {
		return ""
	}
	name := exitsWith(file.Stmts[n-1])
	if name == "" {
		return ""
	}
	first := true
	for node := range syntax.Preorder(file) {
		a, ok := node.(*syntax.Assign)
		if !ok || a.Name == nil || a.Name.Value != name {
			continue
		}
		switch text := render(a); {
		case text == name+"=$?", text == name+"=1":
		case text == name+"=0" && first:
		default:
			return ""
		}
		first = false
	}
	return name
}

// exitsWith is the variable of exit $name.

func exitsWith(s *syntax.Stmt) string {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 2 || len(call.Assigns) > 0 || call.Args[0].Lit() != "exit" || s.Background || s.Negated {
		return ""
	}
	text := strings.Trim(wordText(call.Args[1]), `"{}`)
	return strings.Trim(strings.TrimPrefix(text, "$"), "{}")
}

// keepsStatus reports whether a statement only keeps a status: status=$?.

func (r *reader) keepsStatus(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && r.kept != "" && len(call.Args) == 0 && len(call.Assigns) == 1 && !s.Background && len(s.Redirs) == 0 &&
		(render(call.Assigns[0]) == r.kept+"=$?" || render(call.Assigns[0]) == r.kept+"=1")
}

// keeps reports whether a statement's failure is kept by itself, or by the one

// after it, for the end of the script.

func (r *reader) keeps(s, next *syntax.Stmt) bool {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.OrStmt && r.keepsStatus(b.Y) {
		return true
	}
	call, ok := next.Cmd.(*syntax.CallExpr)
	if exitsWith(next) == "?" {
		return r.kept == "?"
	}
	return ok && !r.errexit && r.keepsStatus(next) && render(call.Assigns[0]) == r.kept+"=$?"
}

// shellArgument is the script in bash -c '…' or eval '…'.

// wordText is a word without its quotes; expansions stand as they are written.

// argsOf splits the values of a setting into words as a shell would.

// quotes are those that a command line may have around a word or a part of it.

// splitWords splits a command line at white space outside of quotes.

// shellOf reads the lines of a setting as commands that run one after another

// until one fails, each without a shell, as tox does.

// posargs is what tox fills in, or its default.
