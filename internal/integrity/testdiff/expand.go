package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
)

// maxExpanded bounds the rows that are put into a body.
const maxExpanded = 200

// covers reports whether one case of a parametrised test is exactly what
// another test does.
func covers(is, was *testmodel.Unit) bool {
	if is.Role != testmodel.Test || is.Uncollected != "" || len(is.Rows) == 0 || len(was.Rows) > 0 || len(was.Body) == 0 ||
		slices.ContainsFunc(is.Marks, func(m testmodel.Mark) bool { return m.Effect != "" || m.Mock != "" }) {
		return false
	}
	names := caseNames(is)
	own := resolvedBody(was.Body)
	for _, row := range is.Rows[:min(len(is.Rows), maxExpanded)] {
		values := split(row.Tokens)
		if len(values) != len(names) {
			if values = split(strip(row.Tokens)); len(values) != len(names) {
				continue
			}
		}
		if resolvedBody(substituted(is.Body, names, values)) == own {
			return true
		}
	}
	return false
}

// caseNames are the names that the rows of a parametrised test fill.
func caseNames(u *testmodel.Unit) []string {
	for _, m := range u.Marks {
		if len(m.Tokens) > 1 && m.Tokens[0] == "parametrize" {
			return m.Tokens[1:]
		}
	}
	out := make([]string, 0, len(u.Params))
	for _, p := range u.Params {
		fields := strings.FieldsFunc(p, func(r rune) bool { return r == ' ' || r == ':' })
		if len(fields) > 0 {
			out = append(out, fields[len(fields)-1])
		}
	}
	return out
}

// resolvedBody identifies what statements do with their plain locals replaced.
func resolvedBody(body []testmodel.Stmt) string {
	items := flatten(body)
	values := values(items)
	var b strings.Builder
	for i := range items {
		s := items[i].Stmt
		if s.Kind == testmodel.Assigns && len(s.Binds) == 1 && values[s.Binds[0]] != nil {
			continue
		}
		b.WriteString("\x03" + resolvedKey(s, values))
		for _, r := range s.Rows {
			b.WriteString("\x02" + joined(r.Tokens))
		}
	}
	return b.String()
}

// substituted is a body with names replaced by values.
func substituted(body []testmodel.Stmt, names []string, values [][]string) []testmodel.Stmt {
	by := map[string][]string{}
	for k, n := range names {
		by[n] = values[k]
	}
	out := slices.Clone(body)
	for i := range out {
		s := &out[i]
		s.Head = resolve(s.Head, by)
		if s.Assert != nil {
			a := *s.Assert
			a.Subject, a.Expected = resolve(a.Subject, by), resolve(a.Expected, by)
			s.Assert = &a
		}
		s.Body = substituted(s.Body, names, values)
	}
	return out
}

// unrolled are the assertions that loops of the head over literal rows come to.
func (u *unitDiff) unrolled() []loopAssert {
	if u.loops != nil {
		return *u.loops
	}
	out := []loopAssert{}
	for j := range u.a {
		if u.a[j].Assert == nil || u.a[j].parent < 0 {
			continue
		}
		l := u.a[j].parent
		if u.a[l].Kind == testmodel.With && neutralContext(u.a[l].Head) && u.a[l].parent >= 0 {
			l = u.a[l].parent
		}
		if u.a[l].Kind != testmodel.Loop || u.toB[l] >= 0 {
			continue
		}
		for _, row := range u.rowsOfLoop(&u.a[l]) {
			values := split(row.Tokens)
			if len(values) != len(u.a[l].Binds) || len(out) >= maxExpanded {
				continue
			}
			one := substituted([]testmodel.Stmt{{Kind: testmodel.Asserts, Assert: u.a[j].Assert}}, u.a[l].Binds, values)
			out = append(out, loopAssert{l, u.resolved(one[0].Assert, u.isValue)})
		}
	}
	u.loops = &out
	return out
}

// loopAssert is an assertion that a loop of the head makes of one row.
type loopAssert struct {
	loop   int
	assert *testmodel.Assert
}

// rowsOfLoop are a loop's rows, or those of the list that it names.
func (u *unitDiff) rowsOfLoop(l *item) []testmodel.Row {
	if len(l.Rows) > 0 {
		return l.Rows
	}
	return rowsNamed(u.a, &u.d.is.file, l.Head)
}

// rowsNamed are the rows of a list that tokens name: one that the unit's own
// statements make, or one at the top of the file.
func rowsNamed(items []item, file *testmodel.File, tokens []string) []testmodel.Row {
	named := func(s *testmodel.Stmt) bool {
		return s.Kind == testmodel.Assigns && len(s.Rows) > 0 && len(s.Binds) == 1 && slices.Contains(tokens, s.Binds[0])
	}
	for i := range items {
		if named(items[i].Stmt) {
			return items[i].Rows
		}
	}
	for i := range file.Units {
		if r := file.Units[i].Role; r != testmodel.Module && r != testmodel.Suite {
			continue
		}
		for k := range file.Units[i].Body {
			if named(&file.Units[i].Body[k]) {
				return file.Units[i].Body[k].Rows
			}
		}
	}
	return nil
}

// caseRows are a unit's rows, or those of the list that its parametrisation
// names.
func caseRows(u *testmodel.Unit, file *testmodel.File) []testmodel.Row {
	if len(u.Rows) > 0 {
		return u.Rows
	}
	for _, m := range u.Marks {
		if slices.ContainsFunc(m.Tokens, func(t string) bool { return strings.Contains(strings.ToLower(t), "parametrize") || t == "each" }) {
			if rows := rowsNamed(nil, file, m.Tokens); rows != nil {
				return rows
			}
		}
	}
	return nil
}
