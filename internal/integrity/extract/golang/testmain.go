package golang

import (
	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// steering marks what a TestMain or init does to the outcome of the tests: an
// exit whose status is not what m.Run returned loses their failures, and a
// TestMain without m.Run runs none of them.
func (f *file) steering(u *testmodel.Unit, n syntax.Node) {
	run := map[string]bool{}
	runs := false
	for c := range n.Field("body").All("call_expression") {
		if call := callOf(c); call.name == "Run" && len(call.args) == 0 {
			runs = true
			for at := c.Parent(); !at.IsZero() && !at.Is("block"); at = at.Parent() {
				for _, name := range at.Field("left").Named() {
					run[name.Text()] = true
				}
				for name := range at.Children() {
					if at.Is("var_spec") && name.FieldName() == "name" {
						run[name.Text()] = true
					}
				}
			}
		}
	}
	if !runs && u.Name == "TestMain" && len(u.Params) == 1 && f.passes(n, u.Params[0]) {
		runs = true // another function is given the handle
	}
	if !runs && u.Name == "TestMain" {
		u.Marks = append(u.Marks, f.Mark(testmodel.Hides, n.Field("name")))
	}
	losing(u.Body, run)
}

// passes reports whether a function gives a name away as an argument.
func (f *file) passes(n syntax.Node, name string) bool {
	for c := range n.Field("body").All("call_expression") {
		for _, a := range callOf(c).args {
			if a.Text() == name {
				return true
			}
		}
	}
	return false
}

// losing marks exits whose status has nothing to do with m.Run's.
func losing(body []testmodel.Stmt, run map[string]bool) {
	for i := range body {
		st := &body[i]
		losing(st.Body, run)
		if st.Kind != testmodel.Exits {
			continue
		}
		st.Swallows = true
		for j, tok := range st.Head {
			if run[tok] || tok == "Run" || j > 3 && tok != ")" && !isZeroOrSign(tok) && len(run) == 0 {
				st.Swallows = false
			}
		}
	}
}

// isZeroOrSign reports whether a token can stand in a status that is 0.
func isZeroOrSign(tok string) bool {
	switch tok {
	case "0", "-", "+", "(":
		return true
	default:
		return false
	}
}
