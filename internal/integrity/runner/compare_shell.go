package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// compareScripts lists what a script does otherwise than before. Every command of before must be made, in its
// place, under the same condition and with its failure as fatal; what else there is must be on the closed list.
// A call of a test runner may differ in flags that are on its list.
func compareScripts(kind violation.Kind, before, after script) []finding {
	if !before.tests() && !after.tests() && equalTexts(before, after) {
		return nil
	}
	was, is := before.steering(before), after.steering(before)
	taken, matched := make([]bool, len(is)), make([]int, len(was))
	at := 0
	for i, b := range was { // the same command
		matched[i] = -1
		for j := at; j < len(is); j++ {
			if b.same(is[j]) {
				matched[i], taken[j], at = j, true, j+1
				break
			}
		}
	}
	var out []finding
	for i, b := range was { // the same runner, most alike
		best := matched[i]
		if best < 0 && b.means != nil && !slices.ContainsFunc(is, b.runsLike) { // called without it
			b = *b.means
		}
		for j, a := range is {
			if matched[i] < 0 && !taken[j] && b.runsLike(a) &&
				(best < 0 || len(between(kind, b, a)) < len(between(kind, b, is[best]))) {
				best = j
			}
		}
		switch {
		case best >= 0:
			taken[best] = true
			out = append(out, between(kind, b, is[best])...)
		case b.run == nil:
			gone := "Test run changed: a command beside the tests is gone: " + cut(b.text)
			out = append(out, finding{orKind(kind, violation.TestScriptNeutered), b.line, 0, gone})
		case !b.run.idle && b.lost == "": // else it never counted
			out = append(out, finding{kind, b.line, sameLine, fmt.Sprintf("Tests no longer run: the call of %s is gone", b.run.tool.name)})
		}
	}
	for j, a := range is {
		if !taken[j] {
			out = append(out, a.added(kind)...)
		}
	}
	return out
}

func equalTexts(a, b script) bool {
	return slices.EqualFunc(a, b, func(x, y command) bool { return x.same(y) && x.lost == y.lost })
}

// steering are the commands that are not inert beside a script.
func (s script) steering(beside script) script {
	used := func(name string) bool {
		return slices.ContainsFunc(beside, func(c command) bool {
			return strings.Contains(c.text, "$"+name) || strings.Contains(c.text, "${"+name) || strings.Contains(c.dir, "$"+name) ||
				strings.Contains(c.guard, "$"+name)
		})
	}
	var out script
	for _, c := range s {
		if !c.inert(used) {
			out = append(out, c)
		} else if k := c.kept(beside); k != nil && !slices.ContainsFunc(out, k.same) {
			out = append(out, *k)
		}
	}
	return slices.DeleteFunc(out, func(c command) bool {
		return c.run == nil && literalCase.MatchString(c.guard) && !slices.ContainsFunc(s, func(o command) bool {
			return o.run != nil && (o.guard == c.guard || !literalCase.MatchString(o.guard))
		})
	})
}

// literalCase is a branch for one word alone: another word's does not run.
var literalCase = lazyregexp.New(`^case \S+ in [\w-]+$`)

// same reports whether two commands are equal but for what becomes of their failure.
func (c command) same(o command) bool {
	return c.text == o.text && c.dir == o.dir && c.guard == o.guard && c.tail == o.tail
}

// runsLike reports whether two commands call runners that run the same tests.
func (c command) runsLike(o command) bool {
	return c.run != nil && o.run != nil && c.run.tool.like == o.run.tool.like
}

// sameLine stands for the line of the head that took the place of one that is gone, if there is such a line.
const sameLine = -1

// added judges a command that was not there.
func (c command) added(kind violation.Kind) []finding {
	if c.run == nil {
		return []finding{{kind, 0, c.line, c.tampering()}}
	}
	flags := slices.DeleteFunc(slices.Clone(c.run.args), func(a arg) bool { return a.name == "" })
	if c.run.idle || len(c.run.tool.compareArgs(nil, flags)) == 0 && launchers.MatchString(c.run.prefix) {
		return nil // tests more
	}
	return []finding{{kind, 0, c.line, "Test run changed: a further call of " + c.run.tool.name + " is not known to be harmless: " +
		cut(c.text)}}
}

// launchers are the ways to start a runner that make no difference.
var launchers = expression("launchers")

// measuring is a coverage tool in front of a runner, whose flags are compared by themselves.
var measuring = lazyregexp.New(`\b(?:nyc|c8)\b.*$`)

// between lists what a call does less than the one before.
func between(kind violation.Kind, b, a command) (out []finding) {
	name := "a command"
	if a.run != nil {
		name = a.run.tool.name
	}
	if a.lost != "" && b.lost == "" {
		f := finding{kind, b.line, a.lostLine, fmt.Sprintf("Test failures are ignored: after the call of %s, %s", name, a.lost)}
		if b.setLine > 0 && a.setLine == 0 && (a.lost == goesOn || a.lost == inPipe) {
			f.was, f.is = b.setLine, 0
		}
		out = append(out, f)
	}
	if a.guard != "" && a.guard != b.guard {
		out = append(out, finding{kind, b.line, a.guardLine, "Tests run only under a condition: " + cut(a.guard)})
	}
	if a.dir != b.dir {
		out = append(out, finding{kind, b.line, a.line, fmt.Sprintf("Test command changed: %s runs in folder %q instead of %q", name, a.dir,
			b.dir)})
	}
	if b.text == a.text || a.run == nil || b.run == nil {
		return out
	}
	for _, v := range a.words {
		if slices.ContainsFunc(b.words, func(w value) bool { return w.text == v.text && w.bare != v.bare }) {
			out = append(out, finding{violation.ConfigChanged, b.line, a.line, "Test command changed: other quotes around " + cut(v.text)})
		}
	}
	for _, v := range a.env {
		if !hasText(b.env, v.text) && !inertEnv(v) {
			out = append(out, finding{kind, 0, v.line, "Test run tampered with: " + cut(v.text) + " is set for it"})
		}
	}
	for _, v := range b.env {
		if n, _, _ := strings.Cut(v.text, "="); !inertEnv(v) && !slices.ContainsFunc(a.env,
			func(w value) bool { return strings.HasPrefix(w.text, n+"=") }) {
			out = append(out, finding{kind, b.line, a.line, "Test run changed: " + cut(v.text) + " is no longer set for it"})
		}
	}
	for _, f := range a.redirs {
		if !hasText(b.redirs, f.text) && !knownValues["output"].MatchString(f.text) {
			out = append(out, finding{kind, b.line, a.line, "Test run tampered with: its output is written to " + cut(f.text)})
		}
	}
	was, is := measuring.ReplaceAllString(b.run.prefix, ""), measuring.ReplaceAllString(a.run.prefix, "")
	if was != is && !(launchers.MatchString(was) && launchers.MatchString(is)) {
		text := fmt.Sprintf("Test command changed: %s is started by %q instead of %q", name, a.run.prefix, b.run.prefix)
		out = append(out, finding{violation.ConfigChanged, b.line, a.line, text})
	}
	for _, f := range b.run.tool.merged(a.run.tool).compareArgs(b.run.args, a.run.args) {
		f.kind = orKind(f.kind, kind)
		f.was = cmp.Or(f.was, b.line)
		f.is = cmp.Or(f.is, a.line)
		if a.raw != "" && a.raw == b.raw {
			f.was, f.is = b.varLine, a.varLine
		}
		out = append(out, f)
	}
	return out
}

func hasText(list []value, text string) bool {
	return slices.ContainsFunc(list, func(v value) bool { return v.text == text })
}

// tampering says in words what a command that is not on the closed list is.
func (c command) tampering() string {
	if testPath.MatchString(c.text) {
		return "Test run tampered with: a command touches files of the tests: " + cut(c.text)
	}
	return "Test run changed: not known to be harmless beside the tests is " + cut(c.text)
}

// testPath matches what names files of tests.
var testPath = expression("testPath")

// scripts reports the differences of two scripts.
func (c *comparison) scripts(kind violation.Kind, before, after script) {
	for _, f := range compareScripts(kind, before, after) {
		if f.is == sameLine {
			f.is = c.counterpart(f.was)
		}
		c.report(f)
	}
}

func (c *comparison) shell(before, after []byte) error {
	is, err := readScript(after, c.around.Read)
	if err != nil {
		return err
	}
	was, err := readScript(before, c.around.Read)
	if err != nil {
		return err
	}
	named := isTestScript("./" + c.path)
	switch {
	case !was.tests() && !(named && before != nil) && !c.around.Called:
		c.harmless("the approved version runs no tests")
	case !was.tests() && !c.around.Called && !equalTexts(was, is):
		from, to := c.firstDifference()
		c.report(finding{violation.ConfigChanged, from, to, "Test script changed: what it runs is not known"})
	default:
		c.scripts(violation.TestScriptNeutered, was, is)
	}
	return nil
}
