package runner

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// run is one call of a test runner in a script.
type run struct {
	tool *tool
	args []arg
	line int
	// lost says why a failure of the call does not fail the script, "" if it
	// does; lostLine is where that stands.
	lost     string
	lostLine int
	// guard is the condition under which the call is made at all, "" if none.
	guard     string
	guardLine int
	dir       string // the folder that the script changed to before
	varLine   int    // the line of a variable that the call is made of, 0 if none
	idle      bool   // it is told not to run any test
	raw       string // the recipe line before variables were filled in, "" if there were none
}

// script is what a shell script does about tests.
type script struct {
	runs    []run
	tampers []tamper // in the order of the source
	// errexit and pipefail are the lines that turn them on, 0 if none does.
	errexit, pipefail int
}

// tamper is a command that changes what tests see.
type tamper struct {
	text string // without positions, to compare
	why  string
	line int
}

// shell says how a script's text is run.
type shell struct {
	errexit, pipefail bool
}

// maxScript bounds the text of one script.
const maxScript = 256 << 10

// read finds the calls of test runners in a script whose first line has the
// given number. A script that is no shell is an error.
func (s shell) read(text string, line int) (script, error) {
	text = blankExpressions(text)
	if len(text) > maxScript {
		text = text[:maxScript]
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return script{}, err
	}
	w := walker{offset: line - 1, errexit: s.errexit, pipefail: s.pipefail, called: map[string]bool{}, reported: map[string]bool{}}
	w.prepare(file)
	w.stmts(file.Stmts, scope{})
	return w.out, nil
}

// blankExpressions makes words of the expressions that a CI system fills in,
// ${{ … }}, without moving anything.
func blankExpressions(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "${{")
		if i < 0 {
			break
		}
		end := strings.Index(text[i:], "}}")
		if end < 0 {
			break
		}
		b.WriteString(text[:i])
		for _, r := range text[i : i+end+2] {
			if r == '\n' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				b.WriteRune(r)
			} else {
				b.WriteByte('_')
			}
		}
		text = text[i+end+2:]
	}
	b.WriteString(text)
	return b.String()
}

// scope is what holds for a list of statements.
type scope struct {
	lost      string
	lostLine  int
	guard     string
	guardLine int
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
		s.guard, s.guardLine = by, line
	}
	return s
}

// goesOn is how a failure is lost where the shell does not stop at errors.
const goesOn = "the script goes on and ends with another status"

// walker goes through a script in the order in which it is run.
type walker struct {
	offset            int
	errexit, pipefail bool
	unset             int // the line of set +e
	dir               string
	called            map[string]bool
	reported          map[string]bool // variables whose value decides the script's status
	out               script
}

func (w *walker) line(n syntax.Node) int { return w.offset + int(n.Pos().Line()) }

// stmts goes through statements of which each but the last loses its failure
// unless the shell stops at errors.
func (w *walker) stmts(list []*syntax.Stmt, in scope) {
	if in.depth++; in.depth > maxDepth {
		return
	}
	for i, s := range list {
		at := in
		last := i == len(list)-1
		switch {
		case s.Background:
			at = at.losing("it runs in the background", w.line(s))
		case s.Negated:
			at = at.losing("its result is negated", w.line(s))
		case !last && !passesOn(list[i+1:]) && !w.keeps(s):
			if !w.errexit {
				line := w.line(list[i+1])
				if w.unset > 0 {
					line = w.unset
				}
				at = at.losing(goesOn, line)
			} else if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt {
				w.and(b, at.losing("a failure before && does not stop the script", w.line(s)), at)
				continue
			}
		}
		w.stmt(s, at)
		if ends(s) && !last {
			in = in.guarded("the script ends before", w.line(s))
		}
	}
}

// passesOn reports whether the statements after one end with its status: they
// keep $? and exit with it.
func passesOn(rest []*syntax.Stmt) bool {
	kept := false
	for i, s := range rest {
		text := render(s)
		if i == 0 && strings.Contains(text, "$?") {
			kept = true
		}
		if kept && (strings.HasPrefix(text, "exit $") || strings.HasPrefix(text, `exit "$`) || strings.HasPrefix(text, "return $") || strings.Contains(text, "exit $")) {
			return true
		}
	}
	return false
}

// ends reports whether a statement ends the script whatever happened.
func ends(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "exit", "return":
		return true
	case "exec":
		return len(call.Args) > 1
	default:
		return false
	}
}

func render(n syntax.Node) string {
	var b strings.Builder
	_ = syntax.NewPrinter(syntax.SingleLine(true)).Print(&b, n) // a builder does not fail
	return strings.TrimSpace(b.String())
}
