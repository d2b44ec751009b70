package testdiff

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/workflow"
)

// uses reports whether a unit of the approved file uses a name.
func (d *fileDiff) uses(name string) bool {
	if d.used == nil {
		d.used = map[string]bool{}
		for i := range d.was.file.Units {
			for t := range namesOf(&d.was.file.Units[i]) {
				d.used[t] = true
			}
		}
	}
	return d.used[name]
}

// usedInHead reports whether a unit of the head's file uses a name, other than
// by binding it.
func (d *fileDiff) usedInHead(name string) bool {
	for i := range d.is.file.Units {
		u := &d.is.file.Units[i]
		if u.Role != testmodel.Module && namesOf(u)[name] {
			return true
		}
	}
	return false
}

// defines reports whether the approved file itself binds a name at its top.
func (d *fileDiff) defines(name string) bool {
	for i := range d.was.file.Units {
		u := &d.was.file.Units[i]
		if u.Role != testmodel.Module && lastPart(plainName(u.Name)) == name {
			return true
		}
		if u.Role != testmodel.Module && u.Role != testmodel.Suite {
			continue
		}
		for k := range u.Body {
			if slices.ContainsFunc(u.Body[k].Binds, func(b string) bool { return baseName(b) == name }) {
				return true
			}
		}
	}
	return false
}

// unitCalled reports whether the approved file has a test, fixture or suite of
// that name.
func (d *fileDiff) unitCalled(bind string) bool {
	bind = strings.TrimSuffix(bind, "[]")
	for i := range d.was.file.Units {
		u := &d.was.file.Units[i]
		if u.Role == testmodel.Module || u.Role == testmodel.Helper && u.Name != bind {
			continue
		}
		name := strings.ReplaceAll(plainName(u.Name), " › ", ".")
		if name == bind || strings.HasPrefix(bind, name+".") || lastPart(u.Name) == bind {
			return true
		}
	}
	return false
}

// renames learns what became of helpers and fixtures that have another name.
func (d *fileDiff) renames() {
	for _, p := range d.pairs {
		if p.was == nil || p.is == nil || p.was.Role == testmodel.Test || p.was.Role == testmodel.Suite || p.was.Role == testmodel.Module {
			continue
		}
		was, is := lastName(plainName(p.was.Name)), lastName(plainName(p.is.Name))
		if was != is && !d.uses(is) {
			d.renamed = append(d.renamed, rename{[]string{was}, is})
		}
	}
}

// moved judges a unit that has another name, or stands in another suite: the
// suite may do something to it.
func (d *fileDiff) moved(is *testmodel.Unit) {
	for suite, ok := suiteOf(is.Name); ok; suite, ok = suiteOf(suite) {
		s := unitNamed(d.is.file.Units, suite)
		if s == nil || unitNamed(d.was.file.Units, suite) != nil || d.pairedUnit(s) {
			continue
		}
		none := &testmodel.Unit{Role: testmodel.Suite, Name: suite}
		newUnitDiff(d, none, s).marks()
		for i := range d.is.file.Units {
			if h := &d.is.file.Units[i]; h.Role == testmodel.Setup && strings.HasPrefix(h.Name, suite+" › ") && !d.pairedUnit(h) {
				d.report(violation.FixtureChanged, h, violation.Place{}, d.is.at(h.Line, h.Text), "Set-up added around approved tests: "+h.Text)
			}
		}
	}
}

// pairedUnit reports whether a unit of the head has an approved counterpart.
func (d *fileDiff) pairedUnit(is *testmodel.Unit) bool {
	for _, p := range d.pairs {
		if p.is == is {
			return p.was != nil
		}
	}
	return false
}

// added judges a unit that the approved file does not have.
func (d *fileDiff) added(is *testmodel.Unit) {
	for _, m := range is.Marks {
		if m.Effect == testmodel.Focuses {
			d.c.add(violation.Added(violation.TestFocused, d.is.at(m.Line, m.Text), "Test focused, so that approved ones do not run: "+m.Text))
		}
	}
	name := lastName(plainName(is.Name))
	switch is.Role {
	case testmodel.Setup:
		d.addedSetup(is, name)
	case testmodel.Helper:
		if d.shadows(is, name) {
			d.c.add(violation.Added(violation.MockOfSUT, d.is.at(is.Line, is.Text), "A new "+name+" takes the place of what approved tests use: "+is.Text))
		}
	}
}

// shadows reports whether a new helper is what approved tests reach under a
// name that meant something else.
func (d *fileDiff) shadows(is *testmodel.Unit, name string) bool {
	suite, nested := suiteOf(is.Name)
	if nested && unitNamed(d.was.file.Units, suite) == nil {
		return false // in a new suite or class
	}
	if d.ofNewType(is) {
		return false // approved tests have no value of it
	}
	if name == "" || name == "new" || name == "New" || d.defines(name) {
		return false
	}
	return d.uses(name) && !d.onlyLocal(name) || frameworkAssert.MatchString(name) || !nested && slices.Contains(builtins, name)
}

// ofNewType reports whether a unit is a method of a type that approved tests do
// not know, and that does not look like what assertions are made of. A class of
// Ruby's may be an old one that is opened again.
func (d *fileDiff) ofNewType(is *testmodel.Unit) bool {
	owner, method, ok := strings.Cut(lastPart(plainName(is.Name)), ".")
	return ok && owner != "" && !d.hasSuite(owner) && !d.uses(owner) && !strings.HasSuffix(d.is.path, ".rb") &&
		!assertive.MatchString(owner) && !assertive.MatchString(method)
}

var assertive = regexp.MustCompile(`(?i)assert|expect|require|refute|should|^(deep_?)?equals?$`)

// hasSuite reports whether the approved file has a suite of that name.
func (d *fileDiff) hasSuite(name string) bool {
	return slices.ContainsFunc(d.was.file.Units, func(u testmodel.Unit) bool {
		suite, ok := suiteOf(u.Name)
		return u.Role == testmodel.Suite && lastPart(u.Name) == name || u.Role == testmodel.Test && ok && lastPart(suite) == name
	})
}

// onlyLocal reports whether all units of the approved file that use a name bind
// it themselves.
func (d *fileDiff) onlyLocal(name string) bool {
	for i := range d.was.file.Units {
		if u := &d.was.file.Units[i]; namesOf(u)[name] && !slices.Contains(u.Locals, name) {
			return false
		}
	}
	return true
}

// frameworkAssert are the assertions that frameworks define: a helper of that
// name takes their place.
var frameworkAssert = regexp.MustCompile(`^(assert|refute)_?(Equals?|NotEquals?|True|False|In|NotIn|Is|IsNot|IsNone|IsNotNone|Null|NotNull|Nil|Same|` +
	`Raises|Throws|That|AlmostEqual|Dict\w*|List\w*|Greater\w*|Less\w*|Regex|Count\w*|equal|not_equal|nil|raises|includes?|match|in_delta|empty|predicate)$`)

// builtins are functions that assertions are made of.
var builtins = []string{
	"len", "sorted", "set", "abs", "round", "isinstance", "type", "str", "int", "float", "any", "all", "repr", "range", "zip", "enumerate",
	"open", "expect", "assert", "require", "describe", "it", "test", "approx", "raises", "eq", "fail", "panic", "append", "cap",
}

// addedSetup judges a new fixture or hook.
func (d *fileDiff) addedSetup(is *testmodel.Unit, name string) {
	suite, nested := suiteOf(is.Name)
	switch {
	case nested && unitNamed(d.was.file.Units, suite) == nil:
	case strings.HasPrefix(name, "pytest_"), name == "load_tests", name == "TestMain":
		d.addedHook(is)
	case d.onlyOnDemand(is) && !d.demanded(name):
	default:
		d.c.add(violation.Added(violation.FixtureChanged, d.is.at(is.Line, is.Text), "Set-up added that runs around approved tests: "+is.Text))
	}
}

// demanded reports whether an approved unit of the file asks for a fixture of
// that name, or uses the name without binding it.
func (d *fileDiff) demanded(name string) bool {
	for i := range d.was.file.Units {
		u := &d.was.file.Units[i]
		if slices.Contains(u.Params, name) || !slices.Contains(u.Locals, name) && namesOf(u)[name] {
			return true
		}
	}
	return false
}

// overrides is what is to be said of a new fixture in a file that others load:
// tests of other files that ask for that name get it instead of another.
func (d *fileDiff) overrides(is *testmodel.Unit) []workflow.Violation {
	name := lastName(plainName(is.Name))
	if is.Role != testmodel.Setup || d.role == roleTest || !d.onlyOnDemand(is) {
		return nil
	}
	word, err := regexp.Compile(`[(,]\s*` + regexp.QuoteMeta(name) + `\s*[,):]`)
	if err != nil {
		return nil
	}
	asked := func(src []byte) bool { return word.Match(src) }
	if slices.ContainsFunc(d.c.in.Approved, func(s Source) bool { return asked(s.Source) }) ||
		slices.ContainsFunc(d.c.in.Changed, func(p Pair) bool { return p.Role == roleTest && asked(p.Before) }) {
		return []workflow.Violation{violation.Added(violation.FixtureChanged, d.is.at(is.Line, is.Text),
			"A new fixture takes the place of what approved tests ask for: "+is.Text)}
	}
	return nil
}

// onlyOnDemand reports whether a fixture runs only for tests that ask for it.
func (d *fileDiff) onlyOnDemand(is *testmodel.Unit) bool {
	for _, m := range is.Marks {
		if slices.Contains(m.Tokens, "autouse") {
			return false
		}
		if slices.Contains(m.Tokens, "fixture") {
			return true
		}
	}
	first := is.Text
	return strings.HasPrefix(first, "let(") || strings.HasPrefix(first, "let ") || strings.HasPrefix(first, "subject(:")
}

// addedHook judges a new hook of the runner.
func (d *fileDiff) addedHook(is *testmodel.Unit) {
	line, text, harmful := harm(is)
	if lastName(is.Name) == "TestMain" && !harmful {
		d.c.add(violation.Added(violation.FixtureChanged, d.is.at(is.Line, is.Text), "Set-up added that runs around approved tests: "+is.Text))
		return
	}
	if !harmful && onlyTells(is) {
		return
	}
	d.c.add(violation.Added(violation.ConftestHook, d.is.at(line, text), "A new hook of the runner steers approved tests: "+text))
}

// tellers are hooks of pytest whose value, if any, is only shown.
var tellers = []string{
	"pytest_report_header", "pytest_sessionstart", "pytest_sessionfinish", "pytest_terminal_summary", "pytest_configure", "pytest_unconfigure", "pytest_addoption",
	"pytest_runtest_logstart", "pytest_runtest_logfinish", "pytest_warning_recorded",
}

// onlyTells reports whether a hook does nothing but print, declare options and
// markers, or give a text to be shown.
func onlyTells(is *testmodel.Unit) bool {
	if name := lastName(plainName(is.Name)); !slices.Contains(tellers, name) || len(is.Marks) > 0 {
		return false
	}
	items := flatten(is.Body)
	return len(items) > 0 && !slices.ContainsFunc(items, func(s item) bool {
		switch s.Kind {
		case testmodel.Plain:
			return !isReport(s.Head) && !slices.ContainsFunc(s.Head, func(t string) bool {
				return t == "addoption" || t == "addini" || t == "addinivalue_line" || t == "write_line" || t == "write_sep" || t == "section"
			})
		case testmodel.Returns:
			return false
		case testmodel.Assigns:
			return len(s.Binds) == 0 || s.Binds[0] != baseName(s.Binds[0])
		default:
			return true
		}
	})
}

// harm is the line of a hook that does something to the outcome, or most
// likely does.
func harm(is *testmodel.Unit) (line int, text string, certain bool) {
	items := flatten(is.Body)
	for i := range items {
		if items[i].Swallows {
			return items[i].Line, items[i].Text, true
		}
	}
	for _, m := range is.Marks {
		if m.Effect == testmodel.Hides {
			return m.Line, m.Text, true
		}
	}
	for i := range items {
		switch s := items[i]; s.Kind {
		case testmodel.Assigns:
			if s.Binds == nil || s.Binds[0] != baseName(s.Binds[0]) {
				return s.Line, s.Text, false
			}
		case testmodel.Exits, testmodel.Mocks, testmodel.Skip:
			return s.Line, s.Text, false
		}
	}
	if len(items) > 0 {
		return items[0].Line, items[0].Text, false
	}
	return is.Line, is.Text, false
}
