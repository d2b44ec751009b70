package runner

import (
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// target is a rule of a Makefile or a recipe of a Justfile.
type target struct {
	name    string
	line    int
	prereqs []string
	recipe  []recipeLine
}

type recipeLine struct {
	value
	guard string // conditions around it
}

// makeData is what a Makefile says.
type makeData struct {
	targets []target
	vars    map[string]value
	special []value // settings of make itself, and what is not known
}

var (
	makeVar   = lazyregexp.New(`^(?:export\s+|override\s+)*([A-Za-z_][\w.-]*)\s*(\?|\+|:{1,3})?=\s*(.*)$`)
	makeRule  = lazyregexp.New(`^([^\s:#=][^:=#]*?)\s*::?([^=].*|)$`)
	makeRef   = lazyregexp.New(`\$[({]([A-Za-z_][\w.-]*)[)}]`)
	makes     = lazyregexp.New(`\b(?:g?make|MAKE|just)\b`)
	runsShell = lazyregexp.New(`\$[({]shell\s`)
	// makeComment ends a rule's line; after a semicolon it is the shell's.
	makeComment = lazyregexp.New(`^([^#;]*)#.*`)
	makeIf      = lazyregexp.New(`^(?:ifn?eq|ifn?def|else|endif)\b`)
)

func parseMake(src []byte) makeData {
	m := makeData{vars: map[string]value{}}
	var open []int    // targets that the next recipe lines belong to
	var cond []string // conditions that hold
	var joined []value
	for i, l := range lines(src) {
		if n := len(joined); n > 0 && strings.HasSuffix(joined[n-1].text, `\`) {
			joined[n-1].text += "\n" + l
		} else {
			joined = append(joined, value{text: l, line: i + 1})
		}
	}
	for _, l := range joined {
		text := strings.TrimSpace(l.text)
		switch {
		case text == "" || text[0] == '#' && !strings.HasPrefix(text, "#!"):
		case makeIf.MatchString(text):
			if !strings.HasPrefix(text, "if") && len(cond) > 0 {
				cond = slices.Clone(cond[:len(cond)-1])
			}
			if text != "endif" {
				cond = append(cond, text)
			}
		case len(open) > 0 && (l.text[0] == '\t' || l.text[0] == ' '):
			for _, i := range open {
				m.targets[i].recipe = append(m.targets[i].recipe, recipeLine{value{text: text, line: l.line}, strings.Join(cond, " > ")})
			}
		default:
			open = m.top(strings.ReplaceAll(text, "\\\n", " "), l.line, cond)
		}
	}
	for i := range m.targets {
		t := &m.targets[i]
		expanded, _ := m.expand(strings.Join(t.prereqs, " "))
		t.prereqs = strings.Fields(expanded)
	}
	return m
}

// top reads a line that is not indented, and returns the targets it opens.
func (m *makeData) top(text string, line int, cond []string) []int {
	if v := makeVar.FindStringSubmatch(text); v != nil {
		exported := strings.HasPrefix(text, "export") && !inertEnv(value{text: v[1] + "=" + v[3]})
		if v[1] == "MAKEFLAGS" || v[1] == "SHELL" || v[1][0] == '.' || len(cond) > 0 || exported {
			m.special = append(m.special, value{text: strings.Join(append(cond, text), " > "), line: line})
		}
		if old, set := m.vars[v[1]]; v[2] == "+" && set {
			v[3] = old.text + " " + v[3]
		}
		m.vars[v[1]] = value{text: v[3], line: line}
		return nil
	}
	r := makeRule.FindStringSubmatch(text)
	if r == nil || text[0] == '$' || text[0] == '.' && !strings.HasPrefix(text, ".PHONY") {
		m.special = append(m.special, value{text: strings.Join(append(cond, text), " > "), line: line})
		return nil
	}
	rest, command, hasCommand := strings.Cut(makeComment.ReplaceAllString(r[2], "$1"), ";")
	var open []int
	for _, name := range strings.Fields(r[1]) {
		t := target{name: strings.TrimPrefix(name, "@"), line: line, prereqs: append(strings.Fields(rest), cond...)}
		if hasCommand {
			t.recipe = []recipeLine{{value{text: strings.TrimSpace(command), line: line}, ""}}
		}
		open = append(open, len(m.targets))
		m.targets = append(m.targets, t)
	}
	return open
}

// expand fills in the file's own variables. The second result is the line of
// the last variable that was filled in, 0 if there was none.
func (m makeData) expand(text string) (string, int) {
	line := 0
	for range 8 { // variables in variables
		before := text
		text = makeRef.ReplaceAllStringFunc(text, func(ref string) string {
			v, ok := m.vars[ref[2:len(ref)-1]]
			if !ok || len(v.text) > 1000 || len(text) > maxScript {
				return ref
			}
			line = max(line, v.line)
			return v.text
		})
		if text == before {
			break
		}
	}
	return strings.ReplaceAll(text, "$$", "$"), line
}

// script is what a target's recipe does: each line in a shell of its own, until one fails.
func (m makeData) script(t target, files *Tree) script {
	var out script
	if len(t.recipe) > 0 && strings.HasPrefix(t.recipe[0].text, "#!") { // of a justfile: one script
		return m.whole(t.recipe, files)
	}
	for _, l := range t.recipe {
		text := strings.TrimLeft(l.text, "@-+ \t")
		expanded, varLine := m.expand(text)
		s, err := readShell(expanded, l.line, shell{files: files})
		if err != nil {
			s = readAny(makeRef.ReplaceAllString(expanded, "_${1}_"), l.line, shell{files: files})
		}
		for i := range s {
			if strings.Contains(l.text[:len(l.text)-len(text)], "-") {
				s[i].lost, s[i].lostLine = "its failure is ignored by -", l.line
			}
			if l.guard != "" {
				s[i].guard, s[i].guardLine = strings.TrimSuffix(l.guard+" > "+s[i].guard, " > "), l.line
			}
			if varLine > 0 {
				s[i].varLine, s[i].raw = varLine, text
			}
		}
		out = append(out, s...)
	}
	return out
}

func (m makeData) whole(recipe []recipeLine, files *Tree) script {
	var text []string
	for _, l := range recipe {
		text = append(text, makeRef.ReplaceAllString(l.text, "_${1}_"))
	}
	out, err := readScript([]byte(strings.Join(text, "\n")), files)
	if err != nil {
		out = script{{text: strings.Join(text, "\n")}}
	}
	for i := range out {
		out[i].line += recipe[0].line - 1
	}
	return out
}

// tests are the targets that run tests, or depend on such.
func (m makeData) tests(files *Tree) map[string]bool {
	out := map[string]bool{}
	for n := -1; n != len(out); {
		n = len(out)
		for _, t := range m.targets {
			needs := func(p string) bool { return out[p] && m.find(p) != nil || m.find(p) == nil && plainGoal.MatchString(p) }
			if t.name != ".PHONY" && (m.script(t, files).tests() || slices.ContainsFunc(t.prereqs, needs)) {
				out[t.name] = true
			}
		}
	}
	return out
}

// steering are the targets that run tests and that somebody may ask for, and what
// these depend on or call before the last test.
func (m makeData) steering(files *Tree) map[string]bool {
	tests, asked := m.tests(files), m.asked(files)
	out := maps.Clone(tests)
	maps.DeleteFunc(out, func(name string, _ bool) bool { return asked != nil && !asked[name] })
	for n := -1; n != len(out); {
		n = len(out)
		for _, t := range m.targets {
			if !out[t.name] {
				continue
			}
			for _, p := range m.before(t, tests, files) {
				if m.find(p) != nil {
					out[p] = true
				}
			}
		}
	}
	return out
}

// before are the prerequisites of a target up to the last one that runs tests,
// and what its recipe may tell make to do: what comes later does not steer them.
func (m makeData) before(t target, tests map[string]bool, files *Tree) []string {
	last := len(t.prereqs)
	runs := m.script(t, files).tests()
	for i, p := range t.prereqs {
		if tests[p] && !runs {
			last = i + 1
		}
	}
	out := slices.Clone(t.prereqs[:last])
	for _, l := range t.recipe {
		if makes.MatchString(l.text) {
			out = append(out, strings.FieldsFunc(l.text, func(r rune) bool { return !targetRune(r) })...)
		}
	}
	return out
}

// always are the words of what make does whatever it is asked for.
func (m makeData) always() (words []string) {
	for _, s := range m.special {
		words = append(words, strings.Fields(s.text)...)
	}
	for _, v := range m.vars {
		if runsShell.MatchString(v.text) {
			words = append(words, strings.FieldsFunc(v.text, func(r rune) bool { return strings.ContainsRune(" \t\n()", r) })...)
		}
	}
	return words
}

// find is the rule of a target whose recipe counts: the last.
func (m makeData) find(name string) *target {
	var found *target
	for i := range m.targets {
		if m.targets[i].name == name && (found == nil || len(m.targets[i].recipe) > 0) {
			found = &m.targets[i]
		}
	}
	return found
}

// makefile compares the targets that run tests, and what they depend on.
func (c *comparison) makefile(before, after []byte) {
	was, is := parseMake(before), parseMake(after)
	tests, steering := was.tests(c.around.Read), was.steering(c.around.Read)
	if len(tests) == 0 {
		c.harmless("no target of the approved version runs tests")
		return
	}
	for _, t := range was.targets {
		b, a := was.find(t.name), is.find(t.name)
		switch {
		case t.name == ".PHONY": // a file of that name would stand for it
			for _, p := range t.prereqs {
				if steering[p] && !slices.ContainsFunc(is.targets, func(n target) bool {
					return n.name == ".PHONY" && slices.Contains(n.prereqs, p)
				}) {
					c.report(finding{violation.TestScriptNeutered, t.line, 0, "Tests may not run: a file may stand for target " + p})
				}
			}
		case a != nil && steering[t.name]:
			c.target(was, is, *b, *a)
		case tests[t.name]:
			c.report(finding{violation.TestScriptNeutered, b.line, 0, "Test target removed: " + b.name})
		}
	}
	for _, t := range is.targets { // another step may run it before the tests
		var old script
		if b := was.find(t.name); b != nil {
			old = was.script(*b, c.around.Read)
		}
		now := is.script(t, c.around.Read)
		for _, x := range now.steering(now) {
			if !steering[t.name] && x.run == nil && testPath.MatchString(x.text) && !slices.ContainsFunc(old, x.same) {
				c.report(finding{violation.TestScriptNeutered, 0, x.line, x.tampering()})
			}
		}
	}
	for _, s := range is.special {
		if !hasText(was.special, s.text) {
			c.report(finding{violation.TestScriptNeutered, 0, s.line, "Test failures may be ignored: make itself is told by " +
				cut(s.text)})
		}
	}
	for _, s := range was.special {
		if !hasText(is.special, s.text) && !strings.HasPrefix(s.text, ".IGNORE") {
			c.report(finding{violation.ConfigChanged, s.line, 0, "Test run changed: make is no longer told " + cut(s.text)})
		}
	}
}

// target compares one target. A recipe may have moved into a dependency.
func (c *comparison) target(was, is makeData, b, a target) {
	before, after := was.script(b, c.around.Read), is.script(a, c.around.Read)
	for _, p := range a.prereqs {
		if slices.Contains(b.prereqs, p) {
			continue
		}
		if t := is.find(p); t != nil {
			after = append(is.script(*t, c.around.Read), after...)
		} else {
			c.report(finding{violation.TestScriptNeutered, b.line, a.line, "Test run changed: target " + b.name + " now depends on " +
				cut(p)})
		}
	}
	c.scripts(violation.TestScriptNeutered, before, after)
	for _, p := range b.prereqs {
		isCalled := slices.ContainsFunc(a.recipe, func(v recipeLine) bool { return slices.Contains(strings.Fields(v.text), p) })
		t := was.find(p)
		inert := t != nil && len(was.script(*t, c.around.Read).steering(nil)) == 0
		if !slices.Contains(a.prereqs, p) && !isCalled && !inert {
			c.report(finding{violation.TestScriptNeutered, b.line, a.line, "Tests left out: target " + b.name + " no longer runs " +
				cut(p)})
		}
	}
}
