package runner

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// packageJSON compares the scripts of a package.json, the sections of test runners in it, and where
// packages come from.
func (c *comparison) packageJSON(before, after []byte) error {
	was, err := readOptions("package", before)
	if err != nil {
		return err
	}
	is, err := readOptions("package", after)
	if err != nil {
		return err
	}
	name := is.find("name")
	if before == nil &&
		dependencies(c.around.Read.at("package.json"))["/"+keyOf([]string{name.last().text})] {
		c.report(
			violation.ConfigNarrowed,
			0,
			name.line,
			"Package replaced: a workspace takes the place of the dependency "+cut(
				name.last().text,
			),
		)
	}
	c.scripts(was, is)
	apart := func(o option) bool {
		return strings.HasPrefix(o.key, "scripts/") ||
			before == nil &&
				slices.Contains([]string{"main", "module", "browser", "exports"},
					o.key) // of a new package
	}
	c.options(rulesOf(c.path), slices.DeleteFunc(slices.Clone(was), apart),
		slices.DeleteFunc(slices.Clone(is), apart))
	return nil
}

// dependencies are the packages that a package asks for, each after a slash.
func dependencies(src []byte) map[string]bool {
	o, err := parseJSON(src)
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

// scripts compares the scripts that run tests, what they call, and what a package manager runs
// before them. Of one that is new, what was approved must say its name.
func (c *comparison) scripts(was, is options) {
	tests := c.around.Read.testScripts(path.Dir(c.path), was)
	for _, o := range was.below("scripts/") {
		now := is.find("scripts/" + o.key)
		switch old := o.last(); {
		case now != nil && now.name == o.name && now.squeezed() == o.squeezed():
		case !tests[o.key] && !installs(o.key):
			c.harmless("script %s runs no tests, and not before them", o.key)
		case now == nil:
			c.report(violation.TestScriptNeutered, o.line, 0, "Test script removed: "+o.key)
		default:
			c.line(violation.TestScriptNeutered, old, now.last())
		}
	}
	for _, o := range is.below("scripts/") {
		switch {
		case was.find("scripts/"+o.key) != nil:
		case installs(o.key),
			tests[strings.TrimPrefix(o.key, "pre")],
			tests[strings.TrimPrefix(o.key, "post")]:
			c.report(
				violation.TestScriptNeutered,
				0,
				o.last().line,
				"Test script added that runs beside the tests: "+o.key,
			)
		default:
			c.harmless("script %s is new", o.key)
		}
	}
}

// squeezed are all that a script is set to, with one space between its words.
func (o *option) squeezed() string { return squeezed(strings.Join(o.texts(), "\n")) }

// installs reports whether a package manager runs a script by itself when it installs.
func installs(name string) bool {
	return slices.Contains(
		[]string{"preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"},
		name,
	)
}

// testScripts are the scripts of a package in a folder that run tests, and those that these call.
func (f *Tree) testScripts(dir string, o options) map[string]bool {
	out := map[string]bool{}
	scripts := o.below("scripts/")
	for _, x := range scripts {
		if testGoal.MatchString(x.key) && !otherGoal.MatchString(x.key) ||
			f.textRuns(dir, x.last().text) {
			out[x.key] = true
		}
	}
	for n := -1; n != len(out); {
		n = len(out)
		for _, x := range scripts {
			if !out[x.key] {
				continue
			}
			words := wordsOf(
				[]string{strings.ToLower(strings.ReplaceAll(x.last().text, ":", "\x00"))},
			)
			for _, called := range scripts {
				name := strings.ReplaceAll(called.key, ":", "\x00")
				if called.key == "pre"+x.key || called.key == "post"+x.key ||
					slices.ContainsFunc(
						words,
						func(w string) bool {
							return w == name || strings.Contains(w, "*") && matches(w, name)
						},
					) {
					out[called.key] = true
				}
			}
		}
	}
	return out
}

// otherGoal is a script that does something else, by its name.
var otherGoal = expression("otherGoal")
