package python

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// decorators models decorators as marks, and what a parametrisation says as
// the unit's rows and locals.
func (m *modeler) decorators(nodes []syntax.Node, u *testmodel.Unit) []testmodel.Mark {
	var out []testmodel.Mark
	for _, d := range nodes {
		if parts := d.Named(); len(parts) > 0 {
			out = append(out, m.mark(parts[0], u)...)
		}
	}
	return out
}

// mark models one decorator or member of pytestmark.
func (m *modeler) mark(n syntax.Node, u *testmodel.Unit) []testmodel.Mark {
	mark := testmodel.Mark{Line: n.StartLine(), Text: m.text(n), Tokens: canon(n)}
	name := n.Text()
	if n.Is("call") {
		name = n.Field("function").Text()
	}
	switch {
	case last(name) == "parametrize" && n.Is("call"):
		return m.parametrize(n, mark, u)
	case last(name) == "fixture" && n.Is("call"):
		return m.fixture(n, mark, u)
	}
	mark.Effect = effect(name)
	if n.Is("call") {
		mark.Mock = patched(n)
	}
	return []testmodel.Mark{mark}
}

// effect is what a mark of that name does.
func effect(name string) testmodel.Effect {
	switch n := strings.ToLower(last(name)); {
	case n == "xfail" || n == "expectedfailure":
		return testmodel.XFails
	case strings.HasPrefix(n, "skip") || strings.HasSuffix(n, "_skip") || n == "ignore" || n == "disabled":
		return testmodel.Skips
	case n == "flaky" || strings.Contains(n, "retry") || strings.Contains(n, "rerun"):
		return testmodel.Retries
	default:
		return ""
	}
}

// fixture models @pytest.fixture(…): params are rows, name and scope tokens.
func (m *modeler) fixture(n syntax.Node, mark testmodel.Mark, u *testmodel.Unit) []testmodel.Mark {
	_, keyword := arguments(n)
	mark.Tokens = []string{"fixture"}
	for _, k := range []string{"autouse", "name", "scope"} {
		if v, ok := keyword[k]; ok && v.Text() != "False" {
			mark.Tokens = append(append(mark.Tokens, k, "="), canon(v)...)
		}
	}
	if params, ok := keyword["params"]; ok {
		mark.Tokens = append(mark.Tokens, "params")
		if !m.rows(params, u) {
			mark.Tokens = append(mark.Tokens, canon(params)...)
		}
	}
	return []testmodel.Mark{mark}
}

// parametrize models @pytest.mark.parametrize(names, rows, …). A row that is
// skipped is a mark of its own.
func (m *modeler) parametrize(n syntax.Node, mark testmodel.Mark, u *testmodel.Unit) []testmodel.Mark {
	positional, keyword := arguments(n)
	argnames, argvalues := keyword["argnames"], keyword["argvalues"]
	if len(positional) > 0 {
		argnames = positional[0]
	}
	if len(positional) > 1 {
		argvalues = positional[1]
	}
	mark.Tokens = []string{"parametrize"}
	bound := argumentNames(argnames)
	u.Locals = append(u.Locals, bound...)
	mark.Tokens = append(mark.Tokens, bound...)
	if len(bound) == 0 {
		mark.Tokens = append(mark.Tokens, canon(argnames)...)
	}
	if v, ok := keyword["indirect"]; ok {
		mark.Tokens = append(append(mark.Tokens, "indirect"), canon(v)...)
	}
	before := len(u.Rows)
	if !m.rows(argvalues, u) {
		mark.Tokens = append(mark.Tokens, canon(argvalues)...)
		return []testmodel.Mark{mark}
	}
	return append([]testmodel.Mark{mark}, m.rowMarks(argvalues, u.Rows[before:])...)
}

func argumentNames(n syntax.Node) []string {
	var out []string
	if text, ok := unquote(n); ok {
		for _, name := range strings.Split(text, ",") {
			if name = strings.TrimSpace(name); name != "" {
				out = append(out, name)
			}
		}
		return out
	}
	if n.Is("list", "tuple") {
		for _, c := range n.Named() {
			out = append(out, argumentNames(c)...)
		}
	}
	return out
}

// rows adds the elements of a list to the unit's rows; false if it is no list.
func (m *modeler) rows(list syntax.Node, u *testmodel.Unit) bool {
	list = unwrap(list)
	if !list.Is("list", "tuple", "set") {
		return false
	}
	for _, c := range list.Named() {
		u.Rows = append(u.Rows, testmodel.Row{Tokens: rowTokens(c), Line: c.StartLine(), Text: m.text(c)})
	}
	return true
}

// rowTokens are a row's values: ("a", 1) and pytest.param("a", 1, id="x") are
// the same row.
func rowTokens(n syntax.Node) []string {
	switch {
	case n.Is("call") && last(callee(n)) == "param":
		positional, _ := arguments(n)
		return join(positional)
	case n.Is("tuple"):
		return join(n.Named())
	default:
		return canon(n)
	}
}

func join(nodes []syntax.Node) []string {
	var out []string
	for i, n := range nodes {
		if i > 0 {
			out = append(out, ",")
		}
		out = append(out, canon(n)...)
	}
	return out
}

// rowMarks are the marks of the rows of a parametrisation that do something.
func (m *modeler) rowMarks(list syntax.Node, rows []testmodel.Row) []testmodel.Mark {
	var out []testmodel.Mark
	for i, c := range unwrap(list).Named() {
		if !c.Is("call") || i >= len(rows) {
			continue
		}
		_, keyword := arguments(c)
		for n := range keyword["marks"].All("attribute", "identifier") {
			if e := effect(n.Text()); e != "" {
				out = append(out, testmodel.Mark{Effect: e, Line: n.StartLine(), Text: m.text(n), Tokens: slices.Concat([]string{n.Text(), "row"}, rows[i].Tokens)})
				break
			}
		}
	}
	return out
}

// looseMark takes a statement that marks the module or class around it.
func (m *modeler) looseMark(n syntax.Node, s suite) bool {
	if !n.Is("expression_statement") || !n.FirstChild().Is("assignment") {
		return false
	}
	left, right := n.FirstChild().Field("left").Text(), n.FirstChild().Field("right")
	u := &m.file.Units[s.unit]
	mark := testmodel.Mark{Line: n.StartLine(), Text: m.text(n), Tokens: canon(n)}
	switch left {
	case "pytestmark":
		marks := []syntax.Node{right}
		if right.Is("list", "tuple") {
			marks = right.Named()
		}
		for _, c := range marks {
			u.Marks = append(u.Marks, m.mark(c, u)...)
		}
		return true
	case "__test__":
		if right.Text() == "True" {
			return true
		}
		mark.Effect = testmodel.Hides
	case "collect_ignore", "collect_ignore_glob":
		mark.Effect = testmodel.Hides
	case "__unittest_skip__":
		mark.Effect = testmodel.Skips
	case "__unittest_expecting_failure__":
		mark.Effect = testmodel.XFails
	default:
		return false
	}
	u.Marks = append(u.Marks, mark)
	return true
}
