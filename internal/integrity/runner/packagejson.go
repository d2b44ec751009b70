package runner

import (
	"context"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// packageJSON compares the scripts of a package.json, the sections of test runners in it, and where packages come from.
func (c *comparison) packageJSON(ctx context.Context, before, after []byte) error {
	is, err := parseJSON(ctx, after)
	if err != nil {
		return err
	}
	var was options
	if before != nil {
		if was, err = parseJSON(ctx, before); err != nil {
			return err
		}
	}
	if name := is.find("name"); before == nil &&
		dependencies(ctx, c.around.Read.at("package.json"))["/"+keyOf([]string{name.last().text})] {
		c.report(finding{violation.ConfigNarrowed, 0, name.line, "Package replaced: a workspace takes the place of the dependency " +
			cut(name.last().text)})
	}
	isScript := func(o option) bool { return strings.HasPrefix(o.key, "scripts/") }
	tests := testScripts(was, c.around.Read)
	for i := range was {
		if o := &was[i]; isScript(*o) {
			c.npmScript(tests, o, is.find(o.key))
		}
	}
	for i := range is {
		if o := &is[i]; isScript(*o) && was.find(o.key) == nil {
			c.npmScript(tests, nil, o)
		}
	}
	apart := func(o option) bool {
		return isScript(o) || before == nil && slices.Contains([]string{"main", "module", "browser", "exports"}, o.key) // of a new package
	}
	c.options(rulesOf(c.path), slices.DeleteFunc(slices.Clone(was), apart), slices.DeleteFunc(slices.Clone(is), apart))
	return nil
}

// dependencies are the packages that a package asks for, each after a slash.
func dependencies(ctx context.Context, src []byte) map[string]bool {
	o, err := parseJSON(ctx, src)
	if src == nil || err != nil {
		return nil
	}
	out := map[string]bool{}
	for _, x := range o {
		if group, _, ok := strings.Cut(x.key, "/"); ok && strings.HasSuffix(group, "dependencies") {
			out[strings.TrimPrefix(x.key, group)] = true
		}
	}
	return out
}

// npmScript compares a script in the shell that npm uses: it does not stop at errors. Of one that neither is
// among those of tests nor runs before them, the approved commands do not matter; what it touches does.
func (c *comparison) npmScript(tests map[string]bool, was, is *option) {
	if was != nil && is != nil && was.last().text == is.last().text {
		return
	}
	o := is
	if o == nil {
		o = was
	}
	name := strings.TrimPrefix(o.key, "scripts/")
	before := readAny(was.last().text, max(was.last().line, 1), shell{files: c.around.Read})
	after := readAny(is.last().text, max(is.last().line, 1), shell{files: c.around.Read})
	isTest, called := tests[name]
	isTest = isTest || testScriptName(name) && was != nil
	switch {
	case is == nil && isTest:
		c.report(finding{violation.TestScriptNeutered, was.line, 0, "Test script removed: " + name})
	case !isTest && !called && !runsBefore(name, tests) && !testPath.MatchString(withoutRuns(after)):
		c.harmless("script %s runs no tests, and not before them", name)
	case isTest && !before.tests() && !equalTexts(before.steering(before), after.steering(before)) && !after.tests():
		c.report(finding{violation.TestScriptNeutered, was.line, is.last().line, "Test script changed: " + name + " " + became(was, is)})
	default:
		c.scripts(violation.TestScriptNeutered, before, after)
		c.harmless("script %s still does the same about tests", name)
	}
}

// withoutRuns are the commands of a script that are not inert and run no tests.
func withoutRuns(s script) string {
	var out []string
	for _, c := range s.steering(s) {
		if c.run == nil {
			out = append(out, c.text)
		}
	}
	return strings.Join(out, "\n")
}

// runsBefore reports whether a package manager runs a script by itself before
// tests: when it installs, or because a script of tests follows it.
func runsBefore(name string, tests map[string]bool) bool {
	if slices.Contains([]string{"preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"}, name) {
		return true
	}
	of, ok := strings.CutPrefix(name, "pre")
	return ok && (tests[of] || testScriptName(of))
}

// testScripts are the scripts that run tests, as true, and those that these call, as false.
func testScripts(o options, files *Tree) map[string]bool {
	out := map[string]bool{}
	scripts := o.section("scripts/", "")
	for _, x := range scripts {
		if testScriptName(x.key) || readAny(x.last().text, 1, shell{files: files}).tests() {
			out[x.key] = true
		}
	}
	for n := -1; n != len(out); {
		n = len(out)
		for _, x := range scripts {
			if _, steers := out[x.key]; !steers {
				continue
			}
			words := strings.FieldsFunc(strings.ToLower(x.last().text),
				func(r rune) bool { return strings.ContainsRune(" \t\n;&|\"'()", r) })
			for _, called := range scripts {
				if _, known := out[called.key]; !known && slices.ContainsFunc(words,
					func(w string) bool { return w == called.key || strings.ContainsAny(w, "*?") && matches(w, called.key) }) {
					out[called.key] = false
				}
			}
		}
	}
	return out
}

// testScriptName reports whether a script is one of tests by its name.
func testScriptName(name string) bool {
	switch name {
	case "test", "tests", "pretest", "posttest", "check", "verify", "coverage", "spec":
		return true
	default:
		test := strings.HasPrefix(name, "test:") || strings.HasSuffix(name, ":test") || strings.HasPrefix(name, "test-")
		return test && !otherGoal.MatchString(name)
	}
}
