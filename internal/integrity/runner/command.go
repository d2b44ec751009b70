package runner

import (
	"encoding/json"
	"path"
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
		c.words = append(c.words, value{text: wordText(a), line: r.line(a), code: !literalWord(a), bare: bare(a)})
	}
	c.redirs = r.written(s)
	c.text = textOf(s, call)
	for n := range syntax.Preorder(call) {
		if sub, ok := n.(*syntax.CmdSubst); ok && in.depth <= maxDepth && r.tests(sub.Stmts) {
			r.stmts(sub.Stmts, in.losing("its output is used, not its status", c.line).guarded("in "+c.text, c.line))
		}
	}
	if len(c.words) == 0 {
		r.add(c)
		return
	}
	if r.obeys(c) {
		if in.maybe || in.guard != "" {
			r.add(c) // it may not be reached
		}
		return
	}
	if inner, ok := shellArgument(c.words); ok {
		if nested, err := readShell(inner, c.line, shell{files: r.files, base: r.base}); err == nil && nested.tests() {
			for _, n := range nested {
				n.line, n.guard, n.guardLine = c.line, strings.TrimPrefix(n.guard+" in "+strings.Replace(c.text, inner, "…", 1), " "),
					c.line
				n.redirs = append(n.redirs, c.redirs...)
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
		m.run = &run{tool: toolNamed("nyc"), args: toolNamed("nyc").parse(args)}
		r.add(m)
	}
	if t, args, prefix := recognise(c.words); t != nil {
		parsed := t.parse(args)
		c.run = &run{tool: t, args: parsed, prefix: prefix, idle: t.idle(parsed)}
		c.means = r.meaning(c)
	} else if i := r.script(c.words); i >= 0 {
		t = &tool{name: "the script", goals: true}
		c.run = &run{tool: t, args: t.parse(c.words[i:]), prefix: strings.Join(texts(c.words[:i]), " ")}
	}
	r.add(c)
}

// meaning is the one call of a runner that a script of the approved package.json is, run as c runs it.
func (r *reader) meaning(c command) *command {
	words := slices.DeleteFunc(texts(c.words), func(w string) bool { return w == "run" })
	if c.run.tool.name != "npm" || len(words) != 2 {
		return nil
	}
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	name := words[1]
	if json.Unmarshal(r.files.at(path.Join(r.base, c.dir, "package.json")), &p) != nil ||
		p.Scripts["pre"+name]+p.Scripts["post"+name] != "" {
		return nil
	}
	inner, err := readShell(p.Scripts[name], c.line, shell{})
	if err != nil || len(inner) != 1 || inner[0].run == nil {
		return nil
	}
	m := c
	m.words, m.text, m.run = inner[0].words, inner[0].text, inner[0].run
	m.env = slices.Concat(c.env, inner[0].env)
	return &m
}

// obeys follows a command that changes what holds for those after it.
func (r *reader) obeys(c command) bool {
	switch name := c.words[0].text; {
	case name == "set":
		return r.set(c.words[1:], c.line)
	case len(c.words) == 2 && (name == "cd" || name == "pushd") && len(c.env) == 0:
		if name == "pushd" {
			r.dirs = append(r.dirs, r.dir)
		}
		r.dir = joinDir(r.dir, c.words[1].text)
		return true
	case len(c.words) == 1 && name == "popd" && len(r.dirs) > 0:
		r.dir, r.dirs = r.dirs[len(r.dirs)-1], r.dirs[:len(r.dirs)-1]
		return true
	default:
		return false
	}
}

// tests reports whether statements call a test runner.
func (r *reader) tests(list []*syntax.Stmt) bool {
	inner := reader{shell: r.shell}
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
