package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// packageJSON compares the test scripts of a package.json, the sections of
// test runners in it, and where the runners themselves come from.
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
	c.npmScripts(was, is)
	c.dependencies(was, is)
	notScripts := func(o option) bool { return strings.HasPrefix(o.key, "scripts/") || dependencyGroup(o.key) != "" }
	c.options(packageRules(), slices.DeleteFunc(slices.Clone(was), notScripts), slices.DeleteFunc(slices.Clone(is), notScripts))
	return nil
}

// npmScripts compares the scripts that run tests, in the shell that npm uses:
// it does not stop at errors.
func (c *comparison) npmScripts(was, is options) {
	now := is.index()
	for i := range was {
		o := &was[i]
		name, ok := strings.CutPrefix(o.key, "scripts/")
		if !ok || now[o.key].last().text == o.last().text && now[o.key] != nil {
			continue
		}
		c.npmScript(name, o, now[o.key])
	}
	then := was.index()
	for i := range is {
		if o := &is[i]; then[o.key] == nil && strings.HasPrefix(o.key, "scripts/") {
			c.npmScript(strings.TrimPrefix(o.key, "scripts/"), nil, o)
		}
	}
}

func (c *comparison) npmScript(name string, was, is *option) {
	before, errBefore := shell{}.read(was.last().text, max(was.last().line, 1))
	after, errAfter := shell{}.read(is.last().text, max(is.last().line, 1))
	known := len(before.runs) > 0
	isTest := testScriptName(name)
	switch {
	case was == nil:
		if isTest || lifecycleScript(name) {
			c.scripts(violation.TestScriptNeutered, script{}, after)
		}
	case is != nil && lifecycleScript(name):
		c.scripts(violation.TestScriptNeutered, before, after)
	case is == nil && (known || isTest):
		c.report(finding{violation.TestScriptNeutered, was.line, 0, fmt.Sprintf("Test script removed: %s", name)})
	case !known && !isTest:
		c.harmless("script %s differs, which runs no tests", name)
	case errBefore != nil || errAfter != nil || !known && len(after.runs) == 0:
		c.report(finding{violation.TestScriptNeutered, was.line, is.last().line, fmt.Sprintf("Test script changed: %s %s", name, became(was, is))})
	default:
		n := len(c.result.Violations)
		c.scripts(violation.TestScriptNeutered, before, after)
		if len(c.result.Violations) == n {
			c.harmless("script %s still runs the same tests", name)
		}
	}
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

// lifecycleScript reports whether a package manager runs a script by itself when
// it installs, which is before tests are run.
func lifecycleScript(name string) bool {
	return slices.Contains([]string{"preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"}, name)
}

func dependencyGroup(key string) string {
	group, _, _ := strings.Cut(key, "/")
	switch group {
	case "dependencies", "devdependencies", "peerdependencies", "optionaldependencies", "overrides", "resolutions", "pnpm":
		return group
	default:
		return ""
	}
}

// testPackages are packages that decide whether tests pass.
var testPackages = []string{
	"jest", "ts-jest", "babel-jest", "expect", "@jest∕globals", "vitest", "@vitest∕expect", "mocha", "chai", "sinon", "ava", "tap", "tape", "jasmine", "karma",
	"nyc", "c8", "assert", "power-assert", "should", "supertest", "@playwright∕test", "cypress", "jsdom",
}

// dependencies reports that a test framework comes from elsewhere than its
// registry. Versions are harmless.
func (c *comparison) dependencies(was, is options) {
	then := was.index()
	for i := range is {
		o := &is[i]
		parts := strings.Split(o.key, "/")
		name, _, _ := strings.Cut(strings.TrimPrefix(parts[len(parts)-1], "**"), "@^")
		if dependencyGroup(o.key) == "" || !slices.Contains(testPackages, name) || !foreignSource(o.last().text) || then[o.key].last().text == o.last().text {
			continue
		}
		c.report(finding{violation.ConfigNarrowed, lineOf(then[o.key]), o.line, fmt.Sprintf("Test framework replaced: %s now comes from %q", o.name, cut(o.last().text))})
	}
}

func foreignSource(version string) bool {
	for _, prefix := range []string{"file:", "link:", "portal:", "patch:", "git", "http:", "https:", "npm:", "./", "../", "github:"} {
		if strings.HasPrefix(version, prefix) {
			return true
		}
	}
	return strings.Contains(version, "/")
}
