package workaround

import (
	"path"
	"strings"
	"unicode"

	"workflow-reviewer/internal/integrity/workaround/code"
)

// words splits a text at what is no letter and at the humps of camelCase, in
// lower case: "FormatTest.java" → format, test, java.
func words(s string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	lower := false
	for _, r := range s {
		if !unicode.IsLetter(r) {
			flush()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			flush()
		}
		lower = unicode.IsLower(r)
		word = append(word, r)
	}
	flush()
	return out
}

// speaksOfTests reports whether a text names tests or a test framework: a file
// name, a function's name, a pattern for these.
func speaksOfTests(s string) bool {
	if len(s) > 300 {
		return false
	}
	for _, w := range words(s) {
		switch w {
		case "test", "tests", "testing", "spec", "specs", "pytest", "unittest", "nose", "jest", "vitest", "mocha", "jasmine", "ava",
			"junit", "jupiter", "surefire", "testng", "xunit", "nunit", "mstest", "rspec", "minitest", "testcase", "testsuite", "testhost", "expected", "assert":
			return true
		}
	}
	return false
}

// framework reports whether a module or class belongs to a test framework.
func framework(name string) bool {
	first := name
	if i := strings.IndexAny(first, "./:"); i > 0 && !strings.HasPrefix(first, "@") {
		first = first[:i]
	}
	switch first {
	case "pytest", "_pytest", "unittest", "unittest2", "nose", "nose2", "doctest", "pluggy", "testtools",
		"chai", "expect", "mocha", "vitest", "jasmine", "jest", "ava", "tap", "RSpec", "Minitest", "MiniTest", "Cucumber", "Xunit", "NUnit", "junit":
		return true
	}
	for _, prefix := range []string{
		"org.junit", "org.testng", "org.assertj", "org.hamcrest", "@jest/", "jest-", "@vitest/", "Test.Unit", "Test::Unit",
		"Microsoft.VisualStudio.TestTools", "node:test", "hypothesis.", "twisted.trial", "django.test",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// forTesting reports whether a file's place says that it is there to help
// tests, or is a part of a test framework's ecosystem.
func forTesting(file string) bool {
	for _, part := range strings.Split(path.Clean(file), "/") {
		for _, w := range words(part) {
			switch w {
			case "test", "tests", "testing", "testutil", "testutils", "testlib", "testhelper", "spec", "pytest", "jest", "vitest", "rspec", "minitest", "junit", "mocha", "unittest", "fixtures", "mock", "mocks":
				return true
			}
		}
	}
	return false
}

// forCommands reports whether a file's place says that it is run, not loaded.
func forCommands(file string) bool {
	dir, base := path.Split(path.Clean(file))
	for _, part := range strings.Split(strings.Trim(dir, "/"), "/") {
		switch part {
		case "bin", "scripts", "script", "tools", "tool", "cmd", "cli", "exe", "examples", "example", "benchmarks", "bench", "hack", "ci", ".github", "tasks", "sbin":
			return true
		}
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch stem {
	case "__main__", "setup", "manage", "cli", "main", "Rakefile", "gulpfile", "Gruntfile":
		return true
	}
	return strings.HasSuffix(stem, ".config")
}

// isText reports whether a node is the string.
func isText(n *code.Node, s string) bool {
	return n.Is(code.Literal) && n.Value == code.Value{Type: code.String, Text: s}
}

// textOf is a string literal's text, "" for anything else.
func textOf(n *code.Node) string {
	if n.Is(code.Literal) && (n.Value.Type == code.String || n.Value.Type == code.Regex) {
		return n.Value.Text
	}
	return ""
}

// textIn is the first string in a node for which test holds, functions in it
// included.
func textIn(n *code.Node, test func(string) bool) string {
	found := ""
	n.Any(func(c *code.Node) bool {
		if t := textOf(c); found == "" && t != "" && test(t) {
			found = t
		}
		return found != ""
	})
	return found
}

// last is the last name of a dotted one.
func last(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
