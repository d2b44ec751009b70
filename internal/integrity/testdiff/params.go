package testdiff

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
)

// harmlessParams are what a runner hands to tests that only observe, or that
// do nothing unless they are used.
var harmlessParams = []string{
	"tmp_path", "tmpdir", "tmp_path_factory", "capsys", "capfd", "caplog", "request", "recwarn", "monkeypatch", "mocker", "benchmark",
	"subtests", "record_property", "pytestconfig", "t", "b", "tb", "_", "assert", "done", "self",
}

// params compares the parameters: what a test asks its runner for, what a
// helper is called with.
func (u *unitDiff) params() {
	was, is := slices.Clone(u.was.Params), slices.Clone(u.is.Params)
	if equalTokens(was, is) || u.was.Role == testmodel.Test && equalTokens(sorted(was), sorted(is)) {
		return
	}
	at := func(description string) {
		u.d.report(violation.TestModified, u.was, u.d.was.at(u.was.Line, u.was.Text), u.d.is.at(u.is.Line, u.is.Text), description)
	}
	for _, p := range was {
		if !slices.Contains(is, p) && (u.was.Role != testmodel.Test || slices.Contains(bodyNames(u.was.Body), p)) && !u.nowBound(p) {
			at("Parameter " + p + " is gone")
			return
		}
	}
	for _, p := range is {
		if slices.Contains(was, p) || u.optional(p) {
			continue
		}
		at("Parameter " + p + " added")
		return
	}
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

// nowBound reports whether a parametrised name became a local, which the body
// tells.
func (u *unitDiff) nowBound(param string) bool {
	return slices.Contains(u.is.Locals, param) && u.was.Role == testmodel.Test
}

// optional reports whether a new parameter changes nothing by itself.
func (u *unitDiff) optional(param string) bool {
	name := strings.TrimLeft(param, "*")
	if v := u.fixtureValue(name); v != nil && equalTokens(v, u.wasValue[name]) {
		return true // what the test made itself
	}
	if u.was.Role == testmodel.Helper && strings.ContainsAny(param, "=*?") {
		return true // callers that do not give it are served as before, as far as the body says
	}
	return u.was.Role == testmodel.Test && (slices.Contains(harmlessParams, name) || slices.Contains(u.is.Locals, name) ||
		slices.ContainsFunc(u.is.Marks, func(m testmodel.Mark) bool { return m.Mock != "" }))
}

func bodyNames(body []testmodel.Stmt) []string {
	var out []string
	for i := range body {
		out = append(append(out, tokensOf(&body[i])...), bodyNames(body[i].Body)...)
	}
	return out
}
