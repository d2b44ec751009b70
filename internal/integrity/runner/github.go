package runner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// pipeline is a workflow of GitHub Actions, or a composite action.
type pipeline struct {
	shared options
	events []string // by which a change may be kept out
	jobs   []*job
}

// job is a job of a workflow with what may make its tests run otherwise.
type job struct {
	name  string
	line  int
	tests bool
	needs []string
	steps []step // up to the last that runs tests
	rest  builder
}

// step is what a job does once: the lines of its command, or the action that it calls.
type step struct {
	does  []value
	tests bool
	sure  bool // that it runs tests; else that cannot be told
	rest  builder
}

// parsePipeline reads a workflow of GitHub Actions: triggers, settings of all jobs, and jobs with
// their steps.
func parsePipeline(src []byte, files *Tree) (pipeline, error) {
	root, err := parseYAML(src)
	if err != nil {
		return pipeline{}, err
	}
	var w pipeline
	var shared builder
	for k, v := range pairs(root) {
		switch {
		case k.Value == "on" || k.Value == "true":
			w.triggers(v, &shared)
		case k.Value == "jobs":
			for name, n := range pairs(v) {
				w.jobs = append(w.jobs, files.job(name, n))
			}
		case k.Value == "runs" && child(v, "steps") != nil: // a composite action
			w.jobs = append(w.jobs, files.job(&yaml.Node{Line: v.Line}, v))
		default:
			flattenYAML(v, []string{k.Value}, k.Line, &shared)
		}
	}
	w.shared = shared.out
	return w, nil
}

// gating are the events that run a workflow for a change.
var gating = []string{
	"pull_request",
	"pull_request_target",
	"merge_group",
	"workflow_call",
	"workflow_run",
	"push",
}

// triggers adds the events that start the workflow, with their filters.
func (w *pipeline) triggers(on *yaml.Node, out *builder) {
	names := list(on)
	for name, filters := range pairs(on) {
		names = append(names, name.Value)
		if filters.Kind == yaml.MappingNode {
			flattenYAML(filters, []string{"on", name.Value}, name.Line, out)
		}
	}
	for _, name := range names {
		out.add([]string{"on", name}, on.Line, value{name, on.Line})
		filters := child(on, name)
		ofTags := name == "push" && child(filters, "tags") != nil &&
			child(filters, "branches") == nil
		if slices.Contains(gating, name) && !ofTags {
			w.events = append(w.events, name)
		}
	}
}

// job reads one job. It runs tests if one of its steps, or the workflow it calls, does.
func (f *Tree) job(name, n *yaml.Node) *job {
	j := &job{
		name: name.Value, line: name.Line, needs: list(child(n, "needs")),
		tests: f.isTests(scalar(child(n, "uses"))),
	}
	last := 0
	for k, v := range pairs(n) {
		switch k.Value {
		case "steps":
			for _, n := range v.Content {
				if s := f.step(n, &j.rest); s.does != nil {
					j.steps = append(j.steps, s)
				}
			}
		case "uses":
			v.Value, _, _ = strings.Cut(v.Value, "@")
			flattenYAML(v, []string{k.Value}, k.Line, &j.rest)
		case "runs-on", "container":
			if v.Kind == yaml.ScalarNode {
				v.Value = version.ReplaceAllString(v.Value, "")
			}
			fallthrough
		default:
			flattenYAML(v, []string{k.Value}, k.Line, &j.rest)
		}
	}
	if !j.tests && !slices.ContainsFunc(j.steps, func(s step) bool { return s.tests }) {
		for i, s := range j.steps { // what cannot be told may run them
			j.steps[i].tests = s.unknown()
		}
	}
	for i, s := range j.steps {
		if s.tests {
			last, j.tests = i+1, true
		}
	}
	if j.tests {
		j.steps = j.steps[:last]
	}
	return j
}

// version is that of a system or an image.
var version = lazyregexp.New(`-(?:latest|[0-9.]+)$|[:@][^/]*$`)

// fetching is an input that says where packages come from.
var fetching = lazyregexp.New(
	`(?i)^(?:registry-url|.*index-url|.*(?:mirror|source|download-url).*)$`,
)

// step reads a step. Of one that only prepares a job nothing is left but where it fetches from, as
// a setting of the job.
func (f *Tree) step(n *yaml.Node, job *builder) step {
	var s step
	uses, run := child(n, "uses"), child(n, "run")
	action, _, _ := strings.Cut(scalar(uses), "@")
	label := "steps[" + strings.ToLower(action) + "]"
	switch {
	case run != nil:
		s.does = textLines(run.Value, textLine(run))
		s.tests = f.textRuns(scalar(child(n, "working-directory")), run.Value)
	case isInertAction(action) || strings.HasPrefix(action, "actions/cache") &&
		knownValues["cached"].MatchString(scalar(child(child(n, "with"), "path"))):
		for k, v := range pairs(child(n, "with")) {
			if fetching.MatchString(k.Value) {
				job.add([]string{label, "with", k.Value}, k.Line, value{v.Value, v.Line})
			}
		}
		return s
	case uses != nil:
		s.does = []value{{"uses: " + action, uses.Line}}
		s.tests = f.isTests(action)
	default:
		s.does = []value{{"a step", n.Line}}
	}
	s.sure = s.tests
	for k, v := range pairs(n) {
		if k.Value != "run" && k.Value != "uses" {
			flattenYAML(v, []string{label, k.Value}, k.Line, &s.rest)
		}
	}
	return s
}

// unknown reports whether it cannot be told from a step that it runs no tests.
func (s step) unknown() bool {
	return slices.ContainsFunc(s.does, func(v value) bool {
		return !strings.HasPrefix(v.text, "uses: ") && !otherWork.MatchString(v.text)
	})
}

// otherWork is what plainly builds, checks, publishes or prepares, and runs no tests.
var otherWork = expression("otherWork")

// textLine is the line on which a scalar's text begins.
func textLine(n *yaml.Node) int {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Line + 1
	}
	return n.Line
}

// isInertAction reports whether an action only prepares a job or publishes what it made, by the
// closed list.
func isInertAction(name string) bool {
	return knownValues["actions"].MatchString(strings.ToLower(name))
}

// isTests reports whether an action or a workflow runs tests, by its name or,
// of one of the tree, by what it does. What runs the tests' guard counts as such.
func (f *Tree) isTests(uses string) bool {
	local := strings.TrimPrefix(uses, "./")
	name, _, _ := strings.Cut(strings.ToLower(uses), "@")
	return !isInertAction(name) && knownValues["testactions"].MatchString(name) || local != uses &&
		slices.ContainsFunc([]string{"", "/action.yml", "/action.yaml"}, func(end string) bool {
			return f.runsTests(local + end)
		})
}

// gates reports whether a workflow may keep a change out.
func (w pipeline) gates() bool {
	triggered := slices.ContainsFunc(w.shared,
		func(o option) bool { return strings.HasPrefix(o.key, "on/") })
	return (len(w.events) > 0 || !triggered) &&
		slices.ContainsFunc(w.jobs, func(j *job) bool { return j.tests })
}

// job is the job of a name, nil if there is none.
func (w pipeline) job(name string) *job {
	i := slices.IndexFunc(w.jobs, func(j *job) bool { return j.name == name })
	if i < 0 {
		return nil
	}
	return w.jobs[i]
}

// always is the condition of a job whose result stands for those that it needs.
var always = lazyregexp.New(`always\(\)|cancelled\(\)|failure\(\)`)

// steering are the jobs that run tests, those that these need, and those that tell of tests whether
// they passed.
func (w pipeline) steering() map[*job]bool {
	out := map[*job]bool{}
	for _, j := range w.jobs {
		sumsUp := always.MatchString(strings.Join(j.rest.out.find("if").texts(), " "))
		out[j] = j.tests ||
			sumsUp &&
				slices.ContainsFunc(j.needs,
					func(n string) bool { return w.job(n) != nil && w.job(n).tests })
	}
	for range w.jobs {
		for _, j := range w.jobs {
			for _, n := range j.needs {
				if needed := w.job(n); out[j] && needed != nil {
					out[needed] = true
				}
			}
		}
	}
	return out
}

// workflow compares workflows: the jobs that ran tests must do the same up to their last step of
// tests.
func (c *comparison) workflow(before, after []byte) error {
	is, err := parsePipeline(after, c.around.Read)
	if err != nil {
		return err
	}
	was, err := parsePipeline(before, c.around.Read)
	if err != nil {
		return err
	}
	all := c.around.Called && len(is.events) == 0 &&
		!slices.ContainsFunc(was.jobs, func(j *job) bool { return j.tests })
	if !was.gates() && !all {
		c.harmless("nothing in the approved version runs tests of a change")
		return nil
	}
	c.kind = violation.CINeutered
	rules := ruleLists()["github"]
	c.options(rules, was.shared, is.shared)
	steering := was.steering()
	for _, b := range was.jobs {
		if !all && !steering[b] {
			continue
		}
		if a := is.counterpart(was, b); a != nil {
			c.options(rules, b.rest.out, a.rest.out)
			c.steps(rules, b.steps, a.steps)
		} else {
			c.goneJob(b)
		}
	}
	return nil
}

// counterpart is a job of the new version: by its name, or one that was renamed.
func (w pipeline) counterpart(old pipeline, b *job) *job {
	if a := w.job(b.name); a != nil {
		return a
	}
	i := slices.IndexFunc(w.jobs,
		func(j *job) bool { return b.tests && j.tests && old.job(j.name) == nil })
	if i < 0 {
		return nil
	}
	return w.jobs[i]
}

// goneJob tells of a job that is gone and that ran tests, or that tests need.
func (c *comparison) goneJob(b *job) {
	if !b.tests {
		c.report(
			violation.ConfigChanged,
			b.line,
			0,
			"Test run changed: a job is gone that tests need: "+b.name,
		)
		return
	}
	line := b.line
	if i := slices.IndexFunc(b.steps, func(s step) bool { return s.tests }); i >= 0 {
		line = b.steps[i].first().line
	}
	c.report(c.kind, line, 0, "Tests no longer run: the job is gone that was "+b.name)
}

// steps compares steps in order, each with what decides whether and how it is run.
func (c *comparison) steps(rules []rule, was, is []step) {
	pre, post := around(keys(was), keys(is))
	for i := range was {
		j := i
		if i >= len(was)-post {
			j = len(is) - len(was) + i
		}
		if i < pre || i >= len(was)-post || len(was) == len(is) {
			c.options(rules, was[i].rest.out, is[j].rest.out)
			c.sequence(c.kind, was[i].does, is[j].does)
		}
	}
	if len(was) == len(is) {
		return
	}
	old, now := was[pre:len(was)-post], is[pre:len(is)-post]
	for i := range max(len(old), len(now)) {
		var b, a step
		if i < len(old) {
			b = old[i]
		}
		if i < len(now) {
			a = now[i]
		}
		c.line(c.kind, b.first(), a.first())
	}
}

// keys are what steps do, each as one text.
func keys(steps []step) []value {
	var out []value
	for _, s := range steps {
		out = append(out, value{text: strings.Join(texts(s.does), "\n")})
	}
	return out
}

// first is the line that stands for a step: of tests, if it has one.
func (s step) first() value {
	i := slices.IndexFunc(s.does, func(v value) bool { return testRun.MatchString(v.text) })
	return cmp.Or(at(s.does, max(i, 0)), value{fmt.Sprint(len(s.does)), 0})
}
