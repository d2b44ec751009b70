package runner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

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

// patterns are the entries of an include; those of the default if it is unset.
func (r rule) patterns(o *option) []value {
	if o == nil || len(o.values) == 0 {
		var out []value
		for _, d := range r.defaults {
			out = append(out, value{text: d})
		}
		return out
	}
	if r.split != "" {
		var out []value
		for _, v := range o.values {
			for _, w := range strings.Split(v.text, r.split) {
				if w = strings.TrimSpace(w); w != "" {
					out = append(out, value{text: w, line: v.line})
				}
			}
		}
		return out
	}
	if r.braces {
		return expandBraces(o)
	}
	if strings.ContainsAny(strings.Join(o.texts(), ""), `({\^$|`) {
		return o.values // globs with braces and regular expressions hold commas
	}
	return o.words()
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

// covers reports whether a glob matches whatever another does: it is tried on
// texts that stand for it, which have names that no pattern names.
func covers(wide, narrow string) bool {
	if strings.HasPrefix(narrow, strings.TrimSuffix(wide, "/")+"/") && !strings.ContainsAny(wide, "*?[{(") {
		return true // a folder and what is in it
	}
	if strings.ContainsAny(wide, `({[\^$|+`) || strings.ContainsAny(narrow, `({[\^$|+`) {
		return false
	}
	for _, folders := range []string{"", "\u2042/", "\u2042/\u2043/"} {
		sample := strings.ReplaceAll(narrow, "**/", folders)
		sample = strings.NewReplacer("**", "\u2042/\u2043", "*", "\u2042", "?", "\u2042").Replace(sample)
		if ok, err := doublestar.Match(wide, sample); err != nil || !ok {
			return false
		}
	}
	return true
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

// expandBraces makes words of tox's lists of environments: py{38,39}-{a,b}.
func expandBraces(o *option) []value {
	const most = 500
	var out []value
	for _, v := range o.values {
		list := []string{""}
		for text := strings.ReplaceAll(v.text, " ", ""); text != "" && len(list) < most; {
			switch i := strings.IndexAny(text, "{,"); {
			case i < 0:
				list, text = product(list, []string{text}), ""
			case text[i] == ',':
				for _, w := range product(list, []string{text[:i]}) {
					out = append(out, value{text: w, line: v.line})
				}
				list, text = []string{""}, text[i+1:]
			default:
				inner, rest, _ := strings.Cut(text[i+1:], "}")
				list, text = product(product(list, []string{text[:i]}), strings.Split(inner, ",")), rest
			}
		}
		for _, w := range list {
			if w != "" {
				out = append(out, value{text: w, line: v.line})
			}
		}
	}
	return out
}

func product(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}
