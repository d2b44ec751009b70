package runner

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

type target struct {
	name    string
	line    int
	prereqs []string
	recipe  []value // its command lines
	guards  []string
}

func (m makeData) tests() map[string]bool {
	out := map[string]bool{}
	for range 8 { // dependencies of dependencies
		n := len(out)
		for _, t := range m.targets {
			if t.name != ".PHONY" && (m.script(t).tests() || slices.ContainsFunc(t.prereqs, func(p string) bool { return out[p] })) {
				out[t.name] = true
			}
		}
		if len(out) == n {
			break
		}
	}
	return out
}

func (m makeData) steering() map[string]bool {
	out := m.tests()
	for range 8 {
		for _, t := range m.targets {
			for _, p := range t.prereqs {
				if out[t.name] && m.find(p) != nil {
					out[p] = true
				}
			}
		}
	}
	return out
}

func (m makeData) find(name string) *target {
	var found *target
	for i := range m.targets {
		if m.targets[i].name == name && (found == nil || len(m.targets[i].recipe) > 0) { // the last recipe counts
			found = &m.targets[i]
		}
	}
	return found
}

func (c *comparison) makefile(before, after []byte) {
	was, is := parseMake(before), parseMake(after)
	tests := was.tests()
	if len(tests) == 0 {
		c.harmless("no target of the approved version runs tests")
		return
	}
	done := map[string]bool{}
	steering := was.steering()
	for _, t := range was.targets {
		if steering[t.name] && !done[t.name] {
			done[t.name] = true
			c.target(was, is, *was.find(t.name), is.find(t.name), tests)
		}
	}
	for _, t := range is.targets { // another step may run it before the tests
		var old script
		if b := was.find(t.name); b != nil {
			old = was.script(*b)
		}
		now := is.script(t)
		for _, x := range now.steering(now) {
			if !steering[t.name] && x.run == nil && testPath.MatchString(x.text) && !slices.ContainsFunc(old, x.same) {
				c.report(finding{violation.TestScriptNeutered, 0, x.line, x.tampering()})
			}
		}
	}
	for _, s := range is.special {
		if !hasText(was.special, s.text) {
			c.report(finding{violation.TestScriptNeutered, 0, s.line, "Test failures may be ignored: make itself is told by " + cut(s.text)})
		}
	}
	for _, s := range was.special {
		if !hasText(is.special, s.text) && !strings.HasPrefix(s.text, ".IGNORE") {
			c.report(finding{violation.ConfigChanged, s.line, 0, "Test run changed: make is no longer told " + cut(s.text)})
		}
	}
}

func (c *comparison) target(was, is makeData, b target, a *target, tests map[string]bool) {
	if a == nil {
		if tests[b.name] {
			c.report(finding{violation.TestScriptNeutered, b.line, 0, "Test target removed: " + b.name})
		}
		return
	}
	after := is.script(*a)
	before := was.script(b)
	for _, p := range a.prereqs { // a recipe may have moved into a dependency
		if t := is.find(p); t != nil && !slices.Contains(b.prereqs, p) {
			after = append(is.script(*t), after...)
		} else if t == nil && !slices.Contains(b.prereqs, p) {
			c.report(finding{violation.ConfigChanged, b.line, a.line, fmt.Sprintf("Test run changed: target %s now depends on %s", b.name, cut(p))})
		}
	}
	c.scripts(violation.TestScriptNeutered, before, after)
	for _, p := range b.prereqs {
		isCalled := slices.ContainsFunc(a.recipe, func(v value) bool { return slices.Contains(strings.Fields(v.text), p) })
		inert := was.find(p) != nil && len(was.script(*was.find(p)).steering(nil)) == 0
		if !slices.Contains(a.prereqs, p) && !isCalled && !inert {
			c.report(finding{violation.TestScriptNeutered, b.line, a.line, fmt.Sprintf("Tests left out: target %s no longer runs %s", b.name, cut(p))})
		}
	}
}

func (c *comparison) shell(before, after []byte) error {
	is, err := readScript(after)
	if err != nil {
		return err
	}
	was, err := readScript(before)
	if err != nil {
		return err
	}
	named := isTestScript("./" + c.path)
	switch {
	case !was.tests() && !(named && before != nil):
		c.harmless("the approved version runs no tests")
	case !was.tests() && !equalTexts(was, is):
		from, to := c.firstDifference()
		c.report(finding{violation.ConfigChanged, from, to, "Test script changed: what it runs is not known"})
	default:
		c.scripts(violation.TestScriptNeutered, was, is)
	}
	return nil
}
