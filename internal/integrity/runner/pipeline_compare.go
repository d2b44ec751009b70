package runner

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// inertActions prepare a job, or publish what it made: they may come, go and
// change their inputs. None of them writes into the sources.
var inertActions = regexp.MustCompile(`(?i)^(?:actions/(?:setup-[\w-]+|upload-artifact|labeler|stale|attest[\w-]*|upload-pages-artifact)|astral-sh/(?:setup-uv|ruff-action)|golangci/golangci-lint-action|` +
	`dtolnay/rust-toolchain|actions-rs/toolchain|swatinem/rust-cache|taiki-e/install-action|ruby/setup-ruby|pnpm/action-setup|oven-sh/setup-bun|denoland/setup-deno|gradle/(?:actions/)?(?:setup-gradle|wrapper-validation)(?:-action)?|` +
	`snok/install-poetry|abatilo/actions-poetry|codecov/codecov-action|coverallsapp/github-action|docker/setup-[\w-]+-action|docker/login-action|dorny/test-reporter|mikepenz/action-junit-report|enricomi/publish-unit-test-result-action|` +
	`step-security/harden-runner|github/codeql-action/[\w-]+|crate-ci/typos|psf/black|arduino/setup-protoc|maxim-lobanov/setup-xcode|microsoft/setup-msbuild|nuget/setup-nuget|jlumbroso/free-disk-space)$`)

// pipeline compares pipelines and task files: what ran tests must still run
// them, under no other condition, and count.
func (c *comparison) pipeline(before, after []byte) error {
	f := formatOf(c.path)
	is, err := parsePipeline(after, f)
	if err != nil {
		return err
	}
	was, err := parsePipeline(before, f)
	if err != nil {
		return err
	}
	if !was.gates() {
		c.harmless("nothing in the approved version runs tests of a change")
		return nil
	}
	kind, rules := violation.CINeutered, rulesOf(c.path)
	if f == "tasks" {
		kind = violation.TestScriptNeutered
	}
	c.kind = kind
	steering := was.steering()
	for i, b := range was.units {
		if !steering[b] {
			continue
		}
		a := is.unit(b.name)
		if i == 0 {
			a = is.units[0]
		}
		for _, n := range is.units[1:] { // a job that was renamed
			if a == nil && b.tests() && n.tests() && was.unit(n.name) == nil {
				a = n
			}
		}
		if a == nil {
			c.goneUnit(kind, b)
			continue
		}
		c.scripts(kind, b.commands, a.commands)
		c.options(rules, b.others.out, a.others.out)
		for _, n := range b.needs {
			if b.sumsUp() && !slices.Contains(a.needs, n) && steering[was.unit(n)] {
				c.report(finding{kind, b.line, a.line, "Test results left out: " + b.name + " no longer asks for " + cut(n)})
			}
		}
	}
	return nil
}

func (c *comparison) goneUnit(kind violation.Kind, b *unit) {
	line := b.line
	for _, x := range slices.Backward(b.commands) {
		if x.run != nil {
			line = x.line
		}
	}
	if b.tests() {
		c.report(finding{kind, line, c.counterpart(line), "Tests no longer run: the job is gone that was " + b.name})
	} else {
		c.report(finding{violation.ConfigChanged, line, 0, "Test run changed: a job is gone that tests need: " + b.name})
	}
}

// isReviewer reports whether an action, by its name, is this one: what runs the
// tests' guard counts as what runs the tests.
func isReviewer(uses string) bool {
	name, _, _ := strings.Cut(uses[strings.LastIndexByte(uses, '/')+1:], ":")
	return name == "workflow-reviewer"
}

// isTestAction reports whether an action or workflow runs tests, by its name.
func isTestAction(uses string) bool {
	name, _, _ := strings.Cut(uses, "@")
	lower := strings.ToLower(name)
	switch {
	case lower == "", inertActions.MatchString(lower):
		return false
	case isReviewer(lower), slices.Contains([]string{"actions-rs/cargo", "gradle/gradle-build-action", "houseabsolute/actions-rust-cross", "microsoft/vstest-action"}, lower):
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune("/-_.", r) }), func(part string) bool {
		return slices.Contains([]string{"test", "tests", "testing", "pytest", "jest", "cypress", "playwright", "tox"}, part) || strings.HasPrefix(name, "./") && (part == "check" || part == "ci")
	})
}
