package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// unitRows compares the cases of a parametrisation.
func (u *unitDiff) unitRows() {
	u.compareRows(caseRows(u.was, &u.d.was.file), caseRows(u.is, &u.d.is.file), true)
}

// rows compares the elements of two statements.
func (u *unitDiff) rows(i, j int) {
	was, is := u.b[i].Rows, u.a[j].Rows
	if u.b[i].Kind == testmodel.Loop && !u.exact[i] {
		if len(was) == 0 {
			was = rowsNamed(u.b, &u.d.was.file, u.b[i].Head)
		}
		is = u.rowsOfLoop(&u.a[j])
	}
	if len(was) > 0 || len(is) > 0 {
		was, is = alikeKeyed(was, is, u.b[i].Head, u.a[j].Head)
		u.compareRows(was, is, u.iterated(u.b[i].Stmt))
	}
}

// alikeKeyed takes the names of fields off the rows of the side that has them
// if the other side's rows have none; wasType and isType tell the fields'
// order.
func alikeKeyed(was, is []testmodel.Row, wasType, isType []string) (w, i []testmodel.Row) {
	keyed := func(rows []testmodel.Row, order []string) (plain []testmodel.Row, all, none bool) {
		all, none = len(rows) > 0, true
		for _, r := range rows {
			tokens, ok := keyless(r.Tokens, order)
			all, none = all && ok, none && !ok
			r.Tokens = tokens
			plain = append(plain, r)
		}
		return plain, all, none
	}
	plainWas, wasAll, wasNone := keyed(was, wasType)
	plainIs, isAll, isNone := keyed(is, isType)
	switch {
	case wasAll && isNone:
		return plainWas, is
	case isAll && wasNone:
		return was, plainIs
	default:
		return was, is
	}
}

// keyless are a row's tokens without the names of its fields, if it names as
// many as the type has and in the same order.
func keyless(tokens, order []string) ([]string, bool) {
	if len(tokens) < 2 || tokens[0] != "{" {
		return tokens, false
	}
	out, at, fields := []string{"{"}, -1, 0
	for k, e := range split(strip(tokens)) {
		if len(e) < 3 || !isName(e[0]) || e[1] != ":" {
			return tokens, false
		}
		next := slices.Index(order[at+1:], e[0])
		if next < 0 {
			return tokens, false
		}
		at += 1 + next
		if k > 0 {
			out = append(out, ",")
		}
		out = append(out, e[2:]...)
		fields++
	}
	return append(out, "}"), fields > 0
}

// iterated reports whether a list's elements are cases, each on its own, so
// that more of them demand more.
func (u *unitDiff) iterated(s *testmodel.Stmt) bool {
	if s.Kind == testmodel.Loop {
		return true
	}
	if u.was.Role == testmodel.Helper || u.was.Role == testmodel.Setup {
		return u.d.supplies(u.was)
	}
	for _, b := range s.Binds {
		for i := range u.b {
			if (u.b[i].Kind == testmodel.Loop || u.b[i].Kind == testmodel.With) && slices.Contains(u.b[i].Head, b) {
				return true
			}
		}
		if u.toplevel() && u.d.iterates(b) {
			return true
		}
	}
	return false
}

// iterates reports whether a unit of the approved file loops over a name or is
// parametrised with it.
func (d *fileDiff) iterates(name string) bool {
	for i := range d.was.file.Units {
		unit := &d.was.file.Units[i]
		for _, m := range unit.Marks {
			if slices.Contains(m.Tokens, name) {
				return true
			}
		}
		if loopsOver(unit.Body, name) {
			return true
		}
	}
	return false
}

// supplies reports whether a helper is where a test of the approved file gets
// its cases from: a method source, member data.
func (d *fileDiff) supplies(helper *testmodel.Unit) bool {
	name := lastName(plainName(helper.Name))
	for i := range d.was.file.Units {
		for _, m := range d.was.file.Units[i].Marks {
			if d.was.file.Units[i].Role == testmodel.Test && (slices.Contains(m.Tokens, name) || slices.Contains(m.Tokens, `"`+name+`"`)) {
				return true
			}
		}
	}
	return false
}

func loopsOver(body []testmodel.Stmt, name string) bool {
	for i := range body {
		if body[i].Kind == testmodel.Loop && slices.Contains(body[i].Head, name) || loopsOver(body[i].Body, name) {
			return true
		}
	}
	return false
}

// compareRows judges rows that are gone, changed or new; their order counts for
// nothing where they are cases.
func (u *unitDiff) compareRows(was, is []testmodel.Row, cases bool) {
	gone, came := unmatchedRows(was, is)
	fixture := u.d.kindFor(violation.TestModified, u.was) != violation.TestModified
	for _, g := range gone {
		k := versionOf(g, came)
		if k < 0 && !cases && !fixture && len(came) > 0 {
			k = 0
		}
		if k < 0 {
			u.goneRow(g, cases, fixture)
			continue
		}
		now := came[k]
		came = slices.Delete(slices.Clone(came), k, k+1)
		switch {
		case onlyNamesDiffer(g.Tokens, now.Tokens):
		case fixture:
			u.d.report(violation.FixtureChanged, u.was, u.d.was.at(g.Line, g.Text), violation.Place{}, "Test data changed: "+g.Text+" became "+now.Text)
		case cases:
			u.d.report(violation.ExpectedChanged, u.was, u.d.was.at(g.Line, g.Text), u.d.is.at(now.Line, now.Text), "Test case changed: "+now.Text)
		default:
			u.d.report(violation.ExpectedChanged, u.was, u.d.was.at(g.Line, g.Text), u.d.is.at(now.Line, now.Text), "Test data changed: "+now.Text)
		}
	}
	if cases {
		return
	}
	for _, r := range came {
		u.d.report(violation.ExpectedChanged, u.was, violation.Place{}, u.d.is.at(r.Line, r.Text), "Test data added: "+r.Text)
	}
}

// goneRow judges a row that is nowhere any more.
func (u *unitDiff) goneRow(g testmodel.Row, cases, fixture bool) {
	kind, description := violation.ExpectedChanged, "Test data removed: "+g.Text
	switch {
	case fixture:
		kind = violation.FixtureChanged
	case cases:
		kind, description = violation.ParamsDropped, "Parameter row removed: "+g.Text
	}
	u.d.report(kind, u.was, u.d.was.at(g.Line, g.Text), violation.Place{}, description)
}

func unmatchedRows(was, is []testmodel.Row) (gone, came []testmodel.Row) {
	count := map[string]int{}
	for _, r := range is {
		count[joined(r.Tokens)]++
	}
	for _, r := range was {
		if k := joined(r.Tokens); count[k] > 0 {
			count[k]--
		} else {
			gone = append(gone, r)
		}
	}
	for _, r := range slices.Backward(is) {
		if k := joined(r.Tokens); count[k] > 0 {
			count[k]--
			came = append(came, r)
		}
	}
	slices.Reverse(came)
	return gone, came
}

// versionOf is the new row that a gone one has most likely become, -1 if there
// is none.
func versionOf(gone testmodel.Row, came []testmodel.Row) int {
	best, most := -1, 0.6
	for k, r := range came {
		if k >= 500 {
			break
		}
		was, is := contentOf(gone.Tokens), contentOf(r.Tokens)
		s := similarity(was, is)
		if len(was) > 1 && len(is) > 1 && was[0] == is[0] { // the same input
			s += 0.2
		}
		if s >= most {
			best, most = k, s
		}
	}
	return best
}

// contentOf are a row's tokens without punctuation.
func contentOf(tokens []string) []string {
	out := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if len(t) > 1 || isName(t) || t >= "0" && t <= "9" {
			out = append(out, t)
		}
	}
	return out
}

// onlyNamesDiffer reports whether the only difference between two rows is how
// the case is called: the value of a field for that.
func onlyNamesDiffer(was, is []string) bool {
	if len(was) != len(is) {
		return false
	}
	for k := range was {
		if was[k] == is[k] {
			continue
		}
		if k < 2 || !isString(was[k]) || !isString(is[k]) || !(was[k-1] == ":" || was[k-1] == "=" || was[k-1] == "=>") || !isCaption(was[k-2]) {
			return false
		}
	}
	return true
}

func isCaption(token string) bool {
	switch strings.ToLower(strings.Trim(token, "\"':")) {
	case "name", "desc", "description", "title", "label", "msg", "message", "testname", "scenario", "displayname", "casename", "comment", "reason":
		return true
	default:
		return false
	}
}
