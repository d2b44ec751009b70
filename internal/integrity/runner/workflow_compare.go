package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

var (
	// inertActions prepare a job, or publish what it made: they may come, go and
	// change their inputs. None of them writes into the sources.
	inertActions = regexp.MustCompile(`(?i)^(?:actions/(?:setup-[\w-]+|cache(?:/(?:restore|save))?|upload-artifact|labeler|stale|attest[\w-]*|upload-pages-artifact)|astral-sh/(?:setup-uv|ruff-action)|pre-commit/action|golangci/golangci-lint-action|dtolnay/rust-toolchain|actions-rs/toolchain|swatinem/rust-cache|taiki-e/install-action|ruby/setup-ruby|pnpm/action-setup|oven-sh/setup-bun|denoland/setup-deno|gradle/(?:actions/)?(?:setup-gradle|wrapper-validation)(?:-action)?|snok/install-poetry|abatilo/actions-poetry|codecov/codecov-action|coverallsapp/github-action|docker/setup-[\w-]+-action|docker/login-action|dorny/test-reporter|mikepenz/action-junit-report|enricomi/publish-unit-test-result-action|step-security/harden-runner|github/codeql-action/[\w-]+|crate-ci/typos|psf/black|arduino/setup-protoc|maxim-lobanov/setup-xcode|microsoft/setup-msbuild|nuget/setup-nuget|browser-actions/[\w-]+|supercharge/[\w-]+-github-action|jlumbroso/free-disk-space)$`)
	// freeInputs say how fast an action is, how it reports, and which version of
	// an interpreter it takes.
	freeInputs = regexp.MustCompile(`(?i)^(?:fetch-depth|fetch-tags|persist-credentials|submodules|lfs|show-progress|token|github-token|name|version|cache[\w-]*|toolchain|[\w-]*-version|browser|record|reporter|distribution|architecture|verbose|check-latest|components)$`)
	// reviewInputs of this action say what is reviewed, and by what.
	reviewInputs = []string{"engine", "mode", "types", "paths", "config"}
	// always are conditions under which a step runs whenever the tests before it
	// would have; "" is none.
	always = []string{"", "true", "always()", "success()", "!cancelled()", "success()||failure()", "failure()||success()"}
)

// freeKeys of a workflow, a job and a step steer no test.
const (
	freeFlow = " name run-name on true env jobs runs permissions concurrency description author branding inputs outputs "
	freeJob  = " name needs runs-on container timeout-minutes permissions concurrency outputs steps env if continue-on-error strategy uses with services using "
	freeStep = " name run uses with env if continue-on-error timeout-minutes working-directory shell "
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
	c.triggers(was.root, is.root)
	c.reportAll(otherKeys("workflow", freeFlow+"defaults ", was.root, is.root))
	c.reportAll(variables(child(was.root, "env"), child(is.root, "env")))
	steering := was.steering()
	for _, b := range was.jobs {
		if steering[b.name] {
			c.job(was, is, b)
		}
	}
	if len(c.result.Violations) == 0 {
		c.harmless("every step that ran tests still does")
	}
	return nil
}

// job compares a job that steers tests with the one of its name, or, if there is
// none, with one that runs tests and is new.
func (c *comparison) job(was, is flow, b job) {
	a := is.job(b.name)
	if a == nil && b.tests() {
		for i := range is.jobs {
			if n := &is.jobs[i]; n.tests() && was.job(n.name) == nil && (a == nil || len(n.steps) == len(b.steps)) {
				a = n
			}
		}
	}
	if a == nil {
		for _, s := range b.steps {
			if s.tests {
				c.report(finding{violation.CINeutered, lineOfTests(s), c.counterpart(lineOfTests(s)), fmt.Sprintf("Tests no longer run in CI: the job %s is gone", b.name)})
				return
			}
		}
		if b.calls {
			c.report(finding{violation.CINeutered, b.line, 0, fmt.Sprintf("Tests no longer run in CI: the job %s is gone", b.name)})
		}
		return
	}
	c.steps(b, *a)
	c.reportAll(conditions("job", b.node, a.node))
	c.reportAll(tolerant("job", b.node, a.node))
	c.reportAll(variables(child(b.node, "env"), child(a.node, "env")))
	c.reportAll(matrix(b.node, a.node))
	c.reportAll(otherKeys("job", freeJob+"defaults ", b.node, a.node))
	c.reportAll(inputs(scalar(child(b.node, "uses")), b.node, a.node))
	for _, need := range a.needs {
		if n := is.job(need); !slices.Contains(b.needs, need) && (n == nil || child(n.node, "if") != nil || len(n.needs) > 0) {
			k, _ := pair(a.node, "needs")
			c.report(finding{violation.CINeutered, b.line, k.Line, fmt.Sprintf("Tests run only under a condition: their job now needs %q, which may be skipped", need)})
		}
	}
	for _, key := range []string{"runs-on", "container", "services"} {
		k, v := pair(a.node, key)
		if _, old := pair(b.node, key); k != nil && imageOf(key, old) != imageOf(key, v) && !strings.Contains(flat(v), "${{") && !(key == "services" && old == nil) {
			c.report(finding{violation.ConfigChanged, 0, k.Line, fmt.Sprintf("Test job changed: %s changed from %q to %q", key, cut(flat(old)), cut(flat(v)))})
		}
	}
}

func lineOfTests(s step) int {
	for _, x := range s.commands {
		if x.run != nil {
			return x.line
		}
	}
	return max(s.node.Line, lineOfKey(s.node, "uses"))
}

func lineOfKey(n *yaml.Node, key string) int {
	if k, _ := pair(n, key); k != nil {
		return k.Line
	}
	return 0
}

// steps compares the steps of two jobs up to the last that runs tests: what
// comes after it can no longer do anything to them.
func (c *comparison) steps(b, a job) {
	was, is := upToTests(b), upToTests(a)
	var before, after script
	gate := func(list []step, into *script) {
		for i, s := range list {
			if s.uses == "" {
				for _, x := range s.commands {
					*into = append(*into, x)
				}
			}
			_ = i
		}
	}
	gate(was, &before)
	gate(is, &after)
	c.scripts(violation.CINeutered, before, after)
	taken := make([]bool, len(is))
	for _, s := range was {
		j := counterpartOf(s, is, taken)
		if j < 0 {
			if s.uses != "" && !inertActions.MatchString(s.uses) {
				if i := slices.IndexFunc(is, func(x step) bool { return x.tests && x.uses != "" && s.tests }); i >= 0 {
					taken[i] = true
					c.report(finding{violation.ConfigChanged, lineOfKey(s.node, "uses"), lineOfKey(is[i].node, "uses"), fmt.Sprintf("Test step changed: %s is run in place of %s", is[i].uses, s.uses)})
					continue
				}
				at := lineOfKey(s.node, "uses")
				c.report(finding{violation.CINeutered, at, c.counterpart(at), "Test job changed: the step is gone that called " + s.uses})
			}
			continue
		}
		taken[j] = true
		c.stepGates(s, is[j])
	}
	for j, s := range is {
		if !taken[j] {
			c.newStep(s)
		}
	}
}

// upToTests are the steps up to the last that runs tests; all of a job that
// others need.
func upToTests(j job) []step {
	last := len(j.steps)
	for i, s := range j.steps {
		if s.tests {
			last = i + 1
		}
	}
	return j.steps[:last]
}

// counterpartOf finds the step that does what another did: the same action, or
// most of its commands.
func counterpartOf(s step, list []step, taken []bool) int {
	best, most := -1, 0
	for j, x := range list {
		if taken[j] || (s.uses == "") != (x.uses == "") {
			continue
		}
		score := 0
		switch {
		case s.uses != "" && strings.EqualFold(s.uses, x.uses):
			score = 3
		case s.uses == "" && s.tests && x.tests:
			score = 1
			if slices.ContainsFunc(s.commands, func(b command) bool {
				return b.run != nil && slices.ContainsFunc(x.commands, func(a command) bool { return a.run != nil && a.run.tool.family() == b.run.tool.family() })
			}) {
				score = 2
			}
		case s.uses == "" && equalTexts(s.commands, x.commands):
			score = 2
		}
		if score > most {
			best, most = j, score
		}
	}
	return best
}

// stepGates lists what keeps a step from running or failing, and how its action
// is called.
func (c *comparison) stepGates(b, a step) {
	inert := !b.tests && (inertActions.MatchString(b.uses) || b.uses == "" && len(b.commands.steering(nil)) == 0)
	if inert && b.uses != "" {
		return
	}
	c.reportAll(variables(child(b.node, "env"), child(a.node, "env")))
	if inert {
		return
	}
	c.reportAll(conditions("step", b.node, a.node))
	c.reportAll(tolerant("step", b.node, a.node))
	c.reportAll(otherKeys("step", freeStep, b.node, a.node))
	c.reportAll(inputs(b.uses, b.node, a.node))
}

// newStep judges a step that was not there.
func (c *comparison) newStep(s step) {
	switch {
	case s.uses == "":
		if len(s.commands.steering(nil)) > 0 {
			c.reportAll(variables(nil, child(s.node, "env")))
		}
	case strings.EqualFold(s.uses, "actions/checkout"):
		c.reportAll(inputs(s.uses, nil, s.node))
	case !inertActions.MatchString(s.uses) && !s.tests:
		c.report(finding{violation.CINeutered, 0, lineOfKey(s.node, "uses"), "Test job changed: an action is called before the tests that is not known to be harmless: " + cut(s.uses)})
	}
}

// inputs compares what an action is given.
func inputs(uses string, was, is *yaml.Node) []finding {
	b, a := child(was, "with"), child(is, "with")
	reviewer := isReviewer(strings.ToLower(strings.Split(uses, "@")[0]))
	var out []finding
	judge := func(name string, line, old int) {
		free := freeInputs.MatchString(name)
		if reviewer {
			free = !slices.Contains(reviewInputs, strings.ToLower(name))
		}
		if flat(child(b, name)) == flat(child(a, name)) || free {
			return
		}
		kind := violation.ConfigChanged
		if strings.EqualFold(uses, "actions/checkout") {
			kind = violation.CINeutered
		}
		out = append(out, finding{kind, old, line, fmt.Sprintf("Test job changed: input %s of %s changed from %q to %q", name, uses, cut(flat(child(b, name))), cut(flat(child(a, name))))})
	}
	for _, n := range []*yaml.Node{a, b} {
		for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if name := n.Content[i].Value; n == a {
				judge(name, n.Content[i].Line, lineOfKey(b, name))
			} else if child(a, name) == nil {
				judge(name, 0, n.Content[i].Line)
			}
		}
	}
	return out
}

// otherKeys lists differences of keys that no rule names.
func otherKeys(what, known string, was, is *yaml.Node) []finding {
	var out []finding
	for i := 0; is != nil && is.Kind == yaml.MappingNode && i+1 < len(is.Content); i += 2 {
		if k := is.Content[i]; !strings.Contains(known, " "+k.Value+" ") && !equalNodes(child(was, k.Value), is.Content[i+1]) {
			out = append(out, finding{violation.CINeutered, lineOfKey(was, k.Value), k.Line, fmt.Sprintf("Test %s changed: %s is now %s", what, k.Value, cut(flat(is.Content[i+1])))})
		}
	}
	for i := 0; was != nil && was.Kind == yaml.MappingNode && i+1 < len(was.Content); i += 2 {
		if k := was.Content[i]; !strings.Contains(known, " "+k.Value+" ") && child(is, k.Value) == nil {
			out = append(out, finding{violation.ConfigChanged, k.Line, 0, fmt.Sprintf("Test %s changed: %s is gone", what, k.Value)})
		}
	}
	return out
}

func equalNodes(a, b *yaml.Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || a.Value != b.Value || len(a.Content) != len(b.Content) {
		return a == b
	}
	for i := range a.Content {
		if !equalNodes(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// imageOf is a runner label or image without its version.
func imageOf(key string, n *yaml.Node) string {
	if image := child(n, "image"); image != nil {
		n = image
	}
	s := flat(n)
	if key == "runs-on" {
		return versionOf.ReplaceAllString(s, "")
	}
	slash := strings.LastIndexByte(s, '/') + 1
	name, _, _ := strings.Cut(s[slash:], ":")
	name, _, _ = strings.Cut(name, "@")
	return s[:slash] + name
}

var versionOf = regexp.MustCompile(`-(?:latest|[0-9.]+)$`)

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
	if k == nil || expressionOf(child(was, "if")) == expressionOf(v) || slices.Contains(always, expressionOf(v)) {
		return nil
	}
	return []finding{{violation.CINeutered, lineOfKey(was, "if"), k.Line, fmt.Sprintf("Tests run only under a condition: the %s has if: %s", what, cut(scalar(v)))}}
}

// expressionOf is a condition without what does not count.
func expressionOf(n *yaml.Node) string {
	s := strings.TrimSpace(scalar(n))
	return strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimPrefix(s, "${{"), "}}")), "")
}

// tolerant compares continue-on-error.
func tolerant(what string, was, is *yaml.Node) []finding {
	k, v := pair(is, "continue-on-error")
	if k == nil || expressionOf(v) == "false" || expressionOf(v) == "" || expressionOf(child(was, "continue-on-error")) == expressionOf(v) {
		return nil
	}
	return []finding{{violation.CINeutered, 0, k.Line, fmt.Sprintf("Test failures are ignored: the %s has continue-on-error: %s", what, cut(scalar(v)))}}
}

// variables compares what is set in the environment.
func variables(was, is *yaml.Node) []finding {
	var out []finding
	for i := 0; is != nil && is.Kind == yaml.MappingNode && i+1 < len(is.Content); i += 2 {
		k, v := is.Content[i], is.Content[i+1]
		if flat(child(was, k.Value)) != flat(v) && !inertEnv(value{text: k.Value + "=" + scalar(v)}) {
			out = append(out, finding{violation.CINeutered, lineOfKey(was, k.Value), k.Line, fmt.Sprintf("Test run tampered with: %s is set to %q", k.Value, cut(flat(v)))})
		}
	}
	for i := 0; was != nil && was.Kind == yaml.MappingNode && i+1 < len(was.Content); i += 2 {
		if k := was.Content[i]; child(is, k.Value) == nil && !inertEnv(value{text: k.Value + "=" + scalar(was.Content[i+1])}) {
			out = append(out, finding{violation.ConfigChanged, k.Line, 0, fmt.Sprintf("Test run changed: %s is no longer set", k.Value)})
		}
	}
	return out
}
