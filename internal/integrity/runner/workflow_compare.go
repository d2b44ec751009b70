package runner

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

// workflow compares two versions of a GitHub workflow: what ran tests must
// still run them, under no other condition, and count.
func (c *comparison) workflow(before, after []byte) error {
	is, err := parseWorkflow(after)
	if err != nil {
		return err
	}
	was, err := parseWorkflow(before)
	if err != nil {
		return err
	}
	if !was.gates() {
		c.harmless("no step of the approved version runs tests of a change")
		return nil
	}
	n := len(c.result.Violations)
	c.triggers(was.root, is.root)
	for _, b := range was.calls {
		if b.lost == "" && !b.idle {
			c.call(is, b)
		}
	}
	c.environment(child(was.root, "env"), child(is.root, "env"))
	for _, t := range is.tampers {
		if !slices.ContainsFunc(was.tampers, func(o tamper) bool { return o.text == t.text }) {
			c.report(finding{violation.CINeutered, 0, t.line, "Test run tampered with: " + t.why})
		}
	}
	if len(c.result.Violations) == n {
		c.harmless("every step that ran tests still does")
	}
	return nil
}

// call looks for the call of the new version that does most of what one of the
// approved version did.
func (c *comparison) call(is pipelineOf, b call) {
	var m match
	for _, a := range is.calls {
		if a.tool.family() == b.tool.family() {
			now, cost := between(violation.CINeutered, b.run, a.run)
			gates := append(stepGate(b, a), jobGate(is, b, a)...)
			m.offer(append(now, gates...), cost+len(gates))
		}
	}
	for _, f := range m.findings {
		c.report(f)
	}
	if m.found {
		return
	}
	for _, a := range is.calls {
		if a.job.name == b.job.name && a.lost == "" && a.guard == "" {
			c.report(finding{violation.ConfigChanged, b.line, a.line, fmt.Sprintf("Test step changed: %s is run in place of %s", a.tool.name, b.tool.name)})
			return
		}
	}
	c.report(finding{violation.CINeutered, b.line, c.counterpart(b.line), fmt.Sprintf("Tests no longer run in CI: the step that called %s is gone", b.tool.name)})
}

// stepGate lists what keeps a step from running or failing.
func stepGate(b, a call) []finding {
	was, is := b.step, a.step
	out := conditions("step", was, is)
	out = append(out, tolerant("step", was, is)...)
	return append(out, steered(child(was, "env"), child(is, "env"))...)
}

// jobGate lists what keeps a job from running or failing.
func jobGate(w pipelineOf, b, a call) []finding {
	was, is := b.job.node, a.job.node
	out := conditions("job", was, is)
	out = append(out, tolerant("job", was, is)...)
	out = append(out, steered(child(was, "env"), child(is, "env"))...)
	out = append(out, matrix(was, is)...)
	for _, need := range a.job.needs {
		i := slices.IndexFunc(w.jobs, func(j job) bool { return j.name == need })
		if slices.Contains(b.job.needs, need) || i < 0 || child(w.jobs[i].node, "if") == nil {
			continue
		}
		k, _ := pair(is, "needs")
		out = append(out, finding{violation.CINeutered, b.job.line, k.Line, fmt.Sprintf("Tests run only under a condition: their job now needs %q, which may be skipped", need)})
	}
	for _, key := range []string{"runs-on", "container"} {
		k, v := pair(is, key)
		if _, old := pair(was, key); k != nil && imageOf(key, old) != imageOf(key, v) && !strings.Contains(flat(v), "${{") {
			out = append(out, finding{violation.ConfigChanged, 0, k.Line, fmt.Sprintf("Test job changed: %s went from %q to %q", key, cut(flat(old)), cut(flat(v)))})
		}
	}
	return out
}

// imageOf is a runner label or image without its version.
func imageOf(key string, n *yaml.Node) string {
	if image := child(n, "image"); image != nil {
		n = image
	}
	s := flat(n)
	if key == "runs-on" {
		if i := strings.LastIndexByte(s, '-'); i > 0 {
			s = s[:i]
		}
		return s
	}
	slash := strings.LastIndexByte(s, '/') + 1
	name, _, _ := strings.Cut(s[slash:], ":")
	name, _, _ = strings.Cut(name, "@")
	return s[:slash] + name
}

// flat is a node as one text.
func flat(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	var parts []string
	for _, e := range n.Content {
		parts = append(parts, flat(e))
	}
	return strings.Join(parts, " ")
}

// conditions compares the conditions of two steps or jobs.
func conditions(what string, was, is *yaml.Node) []finding {
	k, v := pair(is, "if")
	oldKey, old := pair(was, "if")
	if k == nil || expression(old) == expression(v) {
		return nil
	}
	switch expression(v) {
	case "", "true", "always()", "success()", "!cancelled()", "success()||failure()", "failure()||success()":
		return nil
	}
	line := 0
	if oldKey != nil {
		line = oldKey.Line
	}
	return []finding{{violation.CINeutered, line, k.Line, fmt.Sprintf("Tests run only under a condition: the %s has if: %s", what, cut(scalar(v)))}}
}

// expression is a condition without what does not count.
func expression(n *yaml.Node) string {
	s := strings.TrimSpace(scalar(n))
	s = strings.TrimSuffix(strings.TrimPrefix(s, "${{"), "}}")
	return strings.Join(strings.Fields(s), "")
}

// tolerant compares continue-on-error.
func tolerant(what string, was, is *yaml.Node) []finding {
	k, v := pair(is, "continue-on-error")
	if k == nil || expression(v) == "false" || expression(v) == "" || expression(child(was, "continue-on-error")) == expression(v) {
		return nil
	}
	return []finding{{violation.CINeutered, 0, k.Line, fmt.Sprintf("Test failures are ignored: the %s has continue-on-error: %s", what, cut(scalar(v)))}}
}

// steered lists variables that steer test runners and were not set so.
func steered(was, is *yaml.Node) []finding {
	var out []finding
	for i := 0; is != nil && is.Kind == yaml.MappingNode && i+1 < len(is.Content); i += 2 {
		k, v := is.Content[i], is.Content[i+1]
		why := steering(k.Value, scalar(v))
		if why == "" || scalar(child(was, k.Value)) == scalar(v) {
			continue
		}
		out = append(out, finding{violation.CINeutered, 0, k.Line, "Test run tampered with: " + why})
	}
	return out
}

func (c *comparison) environment(was, is *yaml.Node) {
	for _, f := range steered(was, is) {
		c.report(f)
	}
}
