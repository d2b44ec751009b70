package runner

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// arguments compares two command lines of a tool that stand in a setting.
func (c *comparison) arguments(t *tool, kind violation.Kind, before, after []value, wasLine, isLine int) {
	for _, f := range t.compareArgs(t.parse(before), t.parse(after)) {
		c.reportArg(f, kind, wasLine, isLine)
	}
}

// reportArg reports a difference of arguments. wasLine and isLine are where
// the two command lines stand, 0 for one that is not there.
func (c *comparison) reportArg(f argFinding, kind violation.Kind, wasLine, isLine int) {
	if f.kind != "" {
		kind = f.kind
	}
	was, is := f.was, f.is
	if was == 0 {
		was = wasLine
	}
	if is == 0 && isLine > 0 && wasLine > 0 && (c.differs(wasLine, isLine) || f.was == wasLine) {
		is = isLine
	}
	c.report(finding{kind, was, is, f.text})
}

// differs reports whether a line of before is another than one of after.
func (c *comparison) differs(was, is int) bool {
	return c.place(c.before, was).Text != c.place(c.after, is).Text
}

// scripts compares what two versions of a script do about tests: every call
// of a runner that counted must still be made, count, and run as much.
func (c *comparison) scripts(kind violation.Kind, before, after script) {
	for _, b := range before.runs {
		if b.lost == "" && !b.idle {
			c.run(kind, b, before, after)
		}
	}
	for _, t := range after.tampers {
		if !slices.ContainsFunc(before.tampers, func(o tamper) bool { return o.text == t.text }) {
			c.report(finding{kind, 0, t.line, "Test run tampered with: " + t.why})
		}
	}
}

// run looks for the call of after that does most of what a call of before did.
func (c *comparison) run(kind violation.Kind, b run, before, after script) {
	var m match
	for _, a := range after.runs {
		if a.tool.family() == b.tool.family() {
			now, cost := between(kind, b, a)
			m.offer(now, cost)
		}
	}
	if m.found {
		for _, f := range m.findings {
			c.report(before.unset(after, f))
		}
		return
	}
	for _, a := range after.runs {
		if a.lost == "" && a.guard == "" {
			c.report(finding{violation.ConfigChanged, b.line, a.line, fmt.Sprintf("Test command changed: %s is run in place of %s", a.tool.name, b.tool.name)})
			return
		}
	}
	c.report(finding{kind, b.line, c.counterpart(b.line), fmt.Sprintf("Tests no longer run: the call of %s is gone", b.tool.name)})
}

// match is the call that comes closest to one of the approved version.
type match struct {
	found    bool
	cost     int
	findings []finding
}

func (m *match) offer(findings []finding, cost int) {
	if !m.found || cost < m.cost {
		*m = match{true, cost, findings}
	}
}

// otherArgs is how much farther a call with other arguments is than the same
// call whose failure is lost.
const otherArgs = 3

// unset points a finding at the line whose removal is its cause.
func (s script) unset(after script, f finding) finding {
	switch {
	case strings.HasSuffix(f.text, goesOn) && s.errexit > 0 && after.errexit == 0:
		f.was, f.is = s.errexit, 0
	case strings.HasSuffix(f.text, inPipe) && s.pipefail > 0 && after.pipefail == 0:
		f.was, f.is = s.pipefail, 0
	}
	return f
}

// between lists what a call does less than the one before, and how far apart
// the two are.
func between(kind violation.Kind, b, a run) (out []finding, cost int) {
	if a.lost != "" {
		out = append(out, finding{kind, b.line, a.lostLine, fmt.Sprintf("Test failures are ignored: after the call of %s, %s", a.tool.name, a.lost)})
	}
	if a.guard != "" && a.guard != b.guard {
		out = append(out, finding{kind, b.line, a.guardLine, fmt.Sprintf("Tests run only under a condition: %s", cut(a.guard))})
	}
	if a.dir != b.dir {
		out = append(out, finding{kind, b.line, a.line, fmt.Sprintf("Test command changed: %s runs in folder %q instead of %q", a.tool.name, a.dir, b.dir)})
	}
	for _, f := range b.tool.merged(a.tool).compareArgs(b.args, a.args) {
		k := kind
		if f.kind != "" {
			k = f.kind
		}
		was, is := f.was, f.is
		if was == 0 {
			was = b.line
		}
		if is == 0 {
			is = a.line
		}
		if a.raw != "" && a.raw == b.raw {
			was, is = b.varLine, a.varLine
		}
		out = append(out, finding{k, was, is, f.text})
		cost += otherArgs
	}
	return out, cost + len(out)
}

// merged is the tool of whose flags the other's are known, too.
func (t *tool) merged(o *tool) *tool {
	if len(o.flags) > len(t.flags) {
		return o
	}
	return t
}

// counterpart is the line of after that stands where a line of before stood,
// if that line itself is gone and another took its place; else 0.
func (c *comparison) counterpart(was int) int {
	pre := 0
	for pre < len(c.before) && pre < len(c.after) && c.before[pre] == c.after[pre] {
		pre++
	}
	post := 0
	for post < len(c.before)-pre && post < len(c.after)-pre && c.before[len(c.before)-1-post] == c.after[len(c.after)-1-post] {
		post++
	}
	i := was - 1
	removed, added := len(c.before)-pre-post, len(c.after)-pre-post
	if i < pre || i >= pre+removed || added == 0 || removed != added {
		return 0
	}
	return i + 1
}
