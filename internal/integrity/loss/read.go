package loss

import (
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// unit is a test, suite, fixture or helper of one version of a file.
type unit struct {
	role       kernel.Role
	name       string // with the suites that it stands in
	at         violation.Place
	skip       violation.Place // what skips it whatever happens; Line 0: nothing does
	focus      violation.Place // what keeps others from running
	body       string
	text       string // all of it in normal form
	literals   []string
	statements []statement
}

// statement is one that holds no others.
type statement struct {
	at      violation.Place
	text    string // normal form
	asserts bool
	claim   claim
}

// has reports whether a unit has a statement.
func (u *unit) has(text string) bool {
	return slices.ContainsFunc(u.statements, func(s statement) bool { return s.text == text })
}

// reader takes the units of one version of a file.
type reader struct {
	*kernel.Tree
	path  string
	lines []string
	units []*unit
}

// read takes the units of a source. ok is false of one that cannot be parsed whole.
func read(ctx context.Context, path string, src []byte) (units []*unit, ok bool) {
	language, ok := syntax.LanguageOf(path)
	if !ok || src == nil {
		return nil, ok
	}
	tree, err := syntax.Parse(ctx, language, src)
	if err != nil || tree.HasError() {
		return nil, false
	}
	r := &reader{Tree: kernel.Read(tree), path: path, lines: strings.Split(string(src), "\n")}
	r.below(r.Root, &unit{role: kernel.Module})
	return r.units, true
}

func (r *reader) place(n *kernel.Node) violation.Place {
	return violation.Place{Path: r.path, Line: n.Line, Text: strings.TrimSpace(r.lines[min(n.Line, len(r.lines))-1])}
}

// below takes what stands below a node of a unit.
func (r *reader) below(n *kernel.Node, within *unit) {
	for _, k := range n.Kids {
		if u, ok := r.Unit(k); ok {
			r.below(k, r.open(u, within))
			continue
		}
		asserts := r.asserts(k)
		compound := !isAsserting(r.Callee(k)) && k.Any(func(d *kernel.Node) bool { return d != k && r.InBlock(d) })
		if !compound && (r.InBlock(k) || asserts) {
			r.statement(k, within, asserts)
		} else {
			r.below(k, within)
		}
	}
}

// open begins a unit.
func (r *reader) open(u kernel.Unit, within *unit) *unit {
	name := strings.Trim(u.Name, "\"'`")
	if within.name != "" {
		name = within.name + " › " + name
	}
	out := &unit{
		role: u.Role, name: name, at: r.place(u.Node), body: u.Node.Child("body").Normalized(), text: u.Node.Normalized(),
	}
	out.literals = literals(out.text)
	if at := u.Node.Child("name"); at != nil {
		out.at = r.place(at)
	}
	switch callee := r.Callee(u.Node); {
	case kernel.Focuses(r.Lang, callee):
		out.focus = r.place(u.Node)
	case r.skips(callee):
		out.skip = r.place(u.Node)
	}
	for _, mark := range r.Marks(u.Node) {
		if name, _ := r.IsMark(mark); r.skips(name) || r.skips(name[strings.LastIndexByte(name, '.')+1:]) {
			out.skip = r.place(mark)
		}
	}
	r.units = append(r.units, out)
	return out
}

// skips reports whether a mark or call keeps a test from running under any condition.
func (r *reader) skips(name string) bool {
	return r.File.Has("skip", name) && !kernel.Focuses(r.Lang, name) && !onCondition.MatchString(name)
}

// onCondition is the name of what skips under a condition.
var onCondition = lazyregexp.New(`(?i)if|unless|importor|cfg`)

// statement takes a statement; one that skips its test by itself is none.
func (r *reader) statement(n *kernel.Node, within *unit, asserts bool) {
	text := n.Normalized()
	switch {
	case within.skip.Line == 0 && r.skips(r.Callee(n)) && !r.conditional(n):
		within.skip = r.place(n)
	case text != "" && text != "pass" && n.Kind != n.Text:
		within.statements = append(within.statements, statement{r.place(n), text, asserts, r.claim(n)})
	}
}

// conditional reports whether something between a statement and its unit decides whether it runs.
func (r *reader) conditional(n *kernel.Node) bool {
	unit := r.UnitOf(n).Node
	for at := n.Up; at != nil && at != unit; at = at.Up {
		if branch.MatchString(at.Kind) {
			return true
		}
	}
	return false
}

// branch is the kind of a node whose body need not run, or not once.
var branch = lazyregexp.New(`^(?:if|unless|try|for|switch|case|when)`)

// asserts reports whether a node is, or holds, what fails a test: an assertion of the catalogue, or a call whose name
// begins as such names do.
func (r *reader) asserts(n *kernel.Node) bool {
	_, ok := r.AssertionOf(n)
	return ok || n.Any(func(k *kernel.Node) bool { return isAsserting(r.Callee(k)) || k.Text == "is_expected" })
}

func isAsserting(callee string) bool { return asserting.MatchString(callee) }

// asserting is a callee that asserts, in the libraries of the catalogue and in those beside them: a link of a chain that
// says so, or the beginning of the last one's name.
var asserting = lazyregexp.New(`(?:^|[.:])(?i:assert|expect|require|should|and_?expect)(?:!|\(\))?(?:[.:]|$)|` +
	`(?:^|[.:])(?:[aA]ssert|[eE]xpect|[vV]erify|[sS]hould|[mM]ust|refute)(?:[_A-Z]\w*)?(?:!|\(\))?$`)
