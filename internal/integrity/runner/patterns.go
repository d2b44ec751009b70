package runner

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// include reports patterns that were run and no longer are.
func (c *comparison) include(r rule, was, is *option) {
	before, after := r.patterns(was), r.patterns(is)
	if r.none && was == nil {
		return
	}
	var lost []value
	for _, p := range before {
		if !r.covered(p, after) {
			lost = append(lost, p)
		}
	}
	everything := len(before) == 0
	if len(lost) == 0 && (!everything || r.takesAll(after)) {
		return
	}
	text := fmt.Sprintf("%s: %s %s", r.narrows(), nameOf(was, is), became(was, is))
	fresh := firstNew(was, is)
	switch {
	case is == nil:
		c.report(finding{r.kindOf(), valueLine(was), 0, text})
	case was == nil:
		c.report(finding{r.kindOf(), 0, is.line, text})
	case fresh.line > 0:
		c.report(finding{r.kindOf(), was.line, fresh.line, text})
	case len(lost) > 0 && lost[0].line > was.line:
		c.report(finding{r.kindOf(), lost[0].line, 0, text})
	default:
		c.report(finding{r.kindOf(), was.line, is.line, text})
	}
}

// narrows says what it means that fewer patterns count.
func (r rule) narrows() string {
	switch r.kindOf() {
	case violation.CINeutered:
		return "Tests run in CI less often"
	case violation.ThresholdLowered:
		return "Coverage measured for less"
	default:
		return "Test collection narrowed"
	}
}

// takesAll reports whether a list takes everything: it is empty or has an
// entry that does.
func (r rule) takesAll(list []value) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(v value) bool {
		switch v.text {
		case ".", "./", "", "*", "**", "**/*", "./...", "<rootDir>", "<rootDir>/":
			return true
		default:
			return false
		}
	})
}

// covered reports whether all that a pattern matches is matched by one of a
// list, as far as that can be told.
func (r rule) covered(p value, list []value) bool {
	if r.takesAll(list) {
		return true
	}
	return slices.ContainsFunc(list, func(v value) bool {
		return v.text == p.text || !v.code && !p.code && covers(r.glob(v.text), r.glob(p.text))
	})
}

func (r rule) glob(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "./"), "<rootDir>/")
	if r.prefix && !strings.ContainsAny(s, "*?[") {
		return s + "*"
	}
	return strings.TrimSuffix(s, "/")
}

// exclude reports what is newly left out, besides folders without tests.
func (c *comparison) exclude(r rule, was, is *option) {
	if is == nil {
		return
	}
	before := r.patterns(was)
	for _, p := range r.patterns(is) {
		old := slices.ContainsFunc(before, func(v value) bool {
			return v.text == p.text || !v.code && !p.code && covers(v.text, p.text)
		})
		if old || !p.code && isForeign(p.text) {
			continue
		}
		line := p.line
		if was == nil {
			line = is.line
		}
		text := fmt.Sprintf("%s: %s now leaves out %s", r.narrows(), nameOf(nil, is), quoted([]string{p.text}))
		c.report(finding{r.kindOf(), lineOf(was), line, text})
	}
}

// isForeign reports whether a pattern names a folder that holds no tests of
// the project: installed packages, build output, caches.
func isForeign(pattern string) bool {
	p := strings.NewReplacer("<rootDir>", "", "\\.", ".", "\\/", "/", "\\\\", "").Replace(pattern)
	p = strings.Trim(strings.TrimPrefix(strings.TrimSuffix(p, "$"), "^"), "/*()")
	switch strings.ToLower(p) {
	case "node_modules", ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", ".eggs", "*.egg", "*.egg-info", "__pycache__",
		"dist", "build", "coverage", ".next", ".nuxt", ".cache", ".stryker-tmp", ".idea", ".vscode", ".mypy_cache",
		".pytest_cache", ".ruff_cache", "target", "bower_components", ".yarn", ".turbo", "vendor", "site-packages", "conftest.py", "__init__.py":
		return true
	default:
		return false
	}
}
