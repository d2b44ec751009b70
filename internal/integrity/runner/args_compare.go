package runner

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

func (t *tool) compareArgs(before, after []arg) []finding {
	var out []finding
	for _, a := range after {
		if i := slices.IndexFunc(before, func(b arg) bool { return b.name == a.name }); a.name != "" &&
			!slices.ContainsFunc(before, a.same) {
			was := arg{}
			if i >= 0 {
				was = before[i]
			}
			if !t.mayCome(was, a, i >= 0) {
				out = append(out, t.describe(was.line, a, "is now given"))
			}
		}
	}
	for _, b := range before {
		if f := t.flags[b.name]; b.name != "" && f.allowance != "free" && f.allowance != "positive" &&
			!slices.ContainsFunc(after, func(a arg) bool { return a.name == b.name }) && !(b.name == "-p" && quietPlugin(b.value)) &&
			!knownValues["excluding"].MatchString(b.name) {
			x := t.describe(0, b, "is no longer given")
			x.was, x.is = b.line, 0
			out = append(out, x)
		}
	}
	return append(out, t.plain(before, after)...)
}

func (a arg) same(b arg) bool { return a.name == b.name && a.value == b.value }

func (t *tool) mayCome(was, a arg, had bool) bool {
	before, wasNumber := numberOf(was.value)
	after, isNumber := numberOf(a.value)
	switch f := t.flags[a.name]; f.allowance {
	case "free", "strict":
		return f.value || a.value == "" || a.name == "--cov" || truthy(a.value) && !strings.HasPrefix(a.name, "-D")
	case "positive":
		return isNumber && after > 0
	case "higher":
		return !had || wasNumber && isNumber && after >= before
	}
	switch {
	case a.name == "-p" && t.name == "pytest":
		return quietPlugin(a.value)
	case a.name == "--ignore" || a.name == "--ignore-glob" || a.name == "--testPathIgnorePatterns" || a.name == "--exclude":
		return isForeign(a.value)
	case retrying.MatchString(a.name):
		return isNumber && (after == 0 || had && wasNumber && after <= before)
	case a.name == "--reporter" || a.name == "--test-reporter" || a.name == "--reporters" || a.name == "-R":
		return isKnown("reporters", "", value{text: a.value})
	default:
		return false
	}
}

func quietPlugin(name string) bool {
	return slices.Contains([]string{"no:cacheprovider", "no:warnings", "no:logging", "xdist", "pytest_cov", "anyio", "pytest_timeout"},
		name)
}

func (t *tool) plain(before, after []arg) []finding {
	was, is := plainOf(before), plainOf(after)
	for _, v := range is {
		if !t.goals && !hasText(was, v.text) && strings.ContainsAny(v.text, "@=") {
			return []finding{{violation.ConfigChanged, 0, v.line, fmt.Sprintf("Test command changed: %s is now given %s", t.name,
				cut(v.text))}}
		}
	}
	if !t.goals && len(is) == 0 {
		return nil // all
	}
	if !t.goals && !slices.ContainsFunc(was, func(v value) bool { return !expansion.MatchString(v.text) }) &&
		// what is given may be nothing
		slices.ContainsFunc(is, func(v value) bool { return !hasText(was, v.text) }) {
		if slices.ContainsFunc(is, takesAll) {
			return nil
		}
		return []finding{{"", 0, is[0].line, fmt.Sprintf("Tests left out: %s now runs only %s", t.name, cut(is[0].text))}}
	}
	var out []finding
	for _, v := range is {
		if t.goals && !hasText(was, v.text) && !quietGoal(v.text) {
			text := fmt.Sprintf("Test command changed: %s is now given %s", t.name, cut(v.text))
			out = append(out, finding{violation.ConfigChanged, 0, v.line, text})
		}
	}
	for _, p := range was {
		if hasText(is, p.text) || t.goals && (strings.Contains(p.text, "=") && quietGoal(p.text) || t.laterPhase(is, p.text)) ||
			!t.goals && slices.ContainsFunc(is, func(v value) bool { return covers(trimDots(v.text), trimDots(p.text)) }) {
			continue
		}
		at := 0
		for _, v := range is {
			if !hasText(was, v.text) {
				at = v.line
			}
		}
		return []finding{{"", p.line, at, fmt.Sprintf("Tests left out: %s no longer runs %s", t.name, cut(p.text))}}
	}
	return out
}

var expansion = lazyregexp.New(`^(?:\$[@*{(\w].*|\{+[\w:]+\}+)$`)

func plainOf(args []arg) []value {
	var out []value
	for _, a := range args {
		if a.name == "" {
			out = append(out, value{text: a.value, line: a.line})
		}
	}
	return out
}
