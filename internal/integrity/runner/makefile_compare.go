package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// tests lists the targets that run tests: by their recipes, or by what they
// depend on.
func (m makeData) tests() map[string]bool {
	out := map[string]bool{}
	for range 8 { // dependencies of dependencies
		n := len(out)
		for _, t := range m.targets {
			if len(m.script(t).runs) > 0 || slices.ContainsFunc(t.prereqs, func(p string) bool { return out[p] }) {
				out[t.name] = true
			}
		}
		if len(out) == n {
			break
		}
	}
	return out
}

func (m makeData) find(name string) *target {
	var found *target
	for i := range m.targets {
		if m.targets[i].name == name && (found == nil || len(found.recipe) == 0) {
			found = &m.targets[i]
		}
	}
	return found
}

// makefile compares the targets that run tests.
func (c *comparison) makefile(before, after []byte) {
	was, is := parseMake(before), parseMake(after)
	tests := was.tests()
	if len(tests) == 0 {
		c.harmless("no target of the approved version runs tests")
		return
	}
	n := len(c.result.Violations)
	done := map[string]bool{}
	for _, t := range was.targets {
		if !tests[t.name] || done[t.name] || strings.HasPrefix(t.name, ".") {
			continue
		}
		done[t.name] = true
		c.target(was, is, *was.find(t.name), is.find(t.name), tests)
	}
	for _, s := range is.special {
		if !slices.ContainsFunc(was.special, func(o value) bool { return o.text == s.text }) && weakensMake(s.text) {
			c.report(finding{violation.TestScriptNeutered, 0, s.line, "Test failures are ignored: make itself is told so by " + cut(s.text)})
		}
	}
	if len(c.result.Violations) == n {
		c.harmless("the targets that run tests still do")
	}
}

func (c *comparison) target(was, is makeData, b target, a *target, tests map[string]bool) {
	if a == nil {
		c.report(finding{violation.TestScriptNeutered, b.line, 0, fmt.Sprintf("Test target removed: %s", b.name)})
		return
	}
	after := is.script(*a)
	for _, p := range a.prereqs { // a recipe may have moved into a dependency
		if t := is.find(p); t != nil {
			after.runs = append(after.runs, is.script(*t).runs...)
		}
	}
	c.scripts(violation.TestScriptNeutered, was.script(b), after)
	for _, p := range b.prereqs {
		called := slices.ContainsFunc(a.recipe, func(v value) bool { return slices.Contains(strings.Fields(v.text), p) })
		if tests[p] && !slices.Contains(a.prereqs, p) && !called {
			c.report(finding{violation.TestScriptNeutered, b.line, a.line, fmt.Sprintf("Tests left out: target %s no longer runs %s", b.name, p)})
		}
	}
}

var weakSpecial = regexp.MustCompile(`MAKEFLAGS.*(?:\s|=)-?[a-zA-Z]*[int]|--ignore-errors|--dry-run|--touch|^\.IGNORE|^SHELL\s*[:?]*=\s*\S*(?:true|echo|:)\b`)

// weakensMake reports whether a setting of make lets failures pass.
func weakensMake(text string) bool {
	return weakSpecial.MatchString(text)
}
