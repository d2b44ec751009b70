package runner

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call judges one simple command.
func (w *walker) call(c *syntax.CallExpr, in scope) {
	words := w.expand(c, in)
	if len(words) == 0 || w.builtin(c, words) {
		return
	}
	if inner, ok := shellArgument(words); ok {
		w.nested(inner, words[0].line, in)
		return
	}
	if args, ok := measured(words); ok {
		w.ran(nyc(), args, words[0].line, in)
	}
	if t, args := recognise(words); t != nil {
		w.ran(t, args, words[0].line, in)
	} else if why := tampering(words); why != "" {
		w.tamper(c, why)
	}
}

func (w *walker) ran(t *tool, args []value, line int, in scope) {
	parsed := t.parse(args)
	w.out.runs = append(w.out.runs, run{
		tool: t, args: parsed, idle: t.idle(parsed), line: line, lost: in.lost, lostLine: in.lostLine,
		guard: in.guard, guardLine: in.guardLine, dir: w.dir,
	})
}

// expand makes words of a command, after its assignments and the commands in
// it were looked at.
func (w *walker) expand(c *syntax.CallExpr, in scope) []value {
	for _, a := range c.Assigns {
		w.assign(a, len(c.Args) > 0)
		if a.Value != nil {
			w.substituted(a.Value, in)
		}
	}
	words := make([]value, 0, len(c.Args))
	for _, a := range c.Args {
		words = append(words, value{text: wordText(a), line: w.line(a)})
	}
	for _, a := range c.Args {
		w.substituted(a, in.losing("its output is used, not its status", w.line(c)))
	}
	return words
}

// substituted goes through the commands in $(…) of a word.
func (w *walker) substituted(word *syntax.Word, in scope) {
	if in.depth > maxDepth {
		return
	}
	for n := range syntax.Preorder(word) {
		if s, ok := n.(*syntax.CmdSubst); ok {
			w.stmts(s.Stmts, in)
			return
		}
	}
}

// builtin obeys the commands that change how the script goes on.
func (w *walker) builtin(c *syntax.CallExpr, words []value) bool {
	switch words[0].text {
	case "set":
		w.set(words[1:], words[0].line)
	case "cd", "pushd":
		if len(words) > 1 {
			w.dir = path.Join(w.dir, words[1].text)
		}
	case "popd":
		w.dir = ""
	case "trap":
		if len(words) > 2 && strings.Contains(words[1].text, "exit 0") {
			w.tamper(c, "a trap makes the script succeed")
		}
	case "alias":
		for _, a := range words[1:] {
			if name, _, _ := strings.Cut(a.text, "="); toolNamed(name) != nil {
				w.tamper(c, "an alias takes the place of the command "+name)
			}
		}
	default:
		return false
	}
	return true
}

// set obeys set -e, set +e and set -o pipefail.
func (w *walker) set(words []value, line int) {
	errexit, pipefail := w.errexit, w.pipefail
	defer func() {
		if w.errexit && !errexit {
			w.out.errexit = line
		}
		if w.pipefail && !pipefail {
			w.out.pipefail = line
		}
		if errexit && !w.errexit {
			w.unset = line
		}
	}()
	for i, a := range words {
		on := strings.HasPrefix(a.text, "-")
		if !on && !strings.HasPrefix(a.text, "+") {
			continue
		}
		if strings.Contains(a.text, "e") {
			w.errexit = on
		}
		if strings.Contains(a.text, "o") && i+1 < len(words) {
			switch words[i+1].text {
			case "pipefail":
				w.pipefail = on
			case "errexit":
				w.errexit = on
			}
		}
	}
}

// assign notes a variable that steers test runners.
func (w *walker) assign(a *syntax.Assign, exported bool) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	val := ""
	if a.Value != nil {
		val = wordText(a.Value)
	}
	if why := steering(name, val); why != "" && (exported || name != "PATH") {
		w.tamper(a, why)
	}
}

// redirect notes that a file of the tests, or of the runner's environment, is
// written to.
func (w *walker) redirect(r *syntax.Redirect) {
	if r.Word == nil || r.Op == syntax.RdrIn || r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc || r.Op == syntax.WordHdoc {
		return
	}
	to := wordText(r.Word)
	switch {
	case strings.Contains(to, "GITHUB_PATH"):
		w.tamper(r, "the search path of later steps is changed")
	case isTestPath(to):
		w.tamper(r, "a file of the tests is overwritten")
	}
}

// nested goes through the text that sh -c is given.
func (w *walker) nested(text string, line int, in scope) {
	if in.depth++; in.depth > maxDepth {
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return
	}
	inner := walker{offset: line - 1, called: w.called, reported: w.reported, dir: w.dir}
	inner.stmts(file.Stmts, in)
	for i := range inner.out.runs {
		inner.out.runs[i].line = line
	}
	w.out.runs = append(w.out.runs, inner.out.runs...)
	w.out.tampers = append(w.out.tampers, inner.out.tampers...)
}

// shellArgument is the script in bash -c '…' or eval '…'.
func shellArgument(words []value) (string, bool) {
	switch path.Base(words[0].text) {
	case "eval":
		return strings.Join(texts(words[1:]), " "), len(words) > 1
	case "sh", "bash", "dash", "zsh":
		for i, a := range words[1:] {
			if strings.HasPrefix(a.text, "-") && strings.HasSuffix(a.text, "c") && i+2 < len(words) {
				return words[i+2].text, true
			}
		}
	}
	return "", false
}

func texts(words []value) []string {
	out := make([]string, len(words))
	for i, v := range words {
		out[i] = v.text
	}
	return out
}

// wordText is a word without its quotes; expansions stand as they are written.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch x := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(x.Value))
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
		case *syntax.DblQuoted:
			for _, q := range x.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(unescape(lit.Value))
				} else {
					b.WriteString(render(q))
				}
			}
		default:
			b.WriteString(render(p))
		}
	}
	return b.String()
}

func unescape(s string) string {
	return strings.NewReplacer("\\\n", "", `\"`, `"`, `\ `, " ", `\\`, `\`).Replace(s)
}
