package runner

import (
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// argFinding is a difference of two command lines that matters.
type argFinding struct {
	kind    violation.Kind // "" for that of the place where the command stands
	was, is int            // lines
	text    string
}

// compareArgs lists the differences of two calls of a tool that matter.
func (t *tool) compareArgs(before, after []arg) []argFinding {
	var out []argFinding
	for _, a := range after {
		if a.name == "" || slices.ContainsFunc(before, a.same) {
			continue
		}
		i := slices.IndexFunc(before, func(b arg) bool { return b.name == a.name })
		var was *arg
		if i >= 0 {
			was = &before[i]
		}
		out = append(out, t.gained(was, a)...)
	}
	for _, b := range before {
		if b.name != "" && !slices.ContainsFunc(after, func(a arg) bool { return a.name == b.name }) {
			out = append(out, t.lost(b)...)
		}
	}
	return append(out, t.plain(before, after)...)
}

func (a arg) same(b arg) bool { return a.name == b.name && a.value == b.value }

// gained judges a flag that is new or has another value.
func (t *tool) gained(was *arg, a arg) []argFinding {
	f := t.effectOf(a.name)
	line := 0
	if was != nil {
		line = was.line
	}
	found := func(kind violation.Kind, text string) []argFinding {
		return []argFinding{{kind, line, a.line, fmt.Sprintf(text, t.name, a)}}
	}
	switch f {
	case harmless, strict:
		return nil
	case threshold:
		if was == nil {
			return nil
		}
		before, ok := numberOf(was.value)
		if after, isNumber := numberOf(a.value); ok && isNumber && after >= before {
			return nil
		}
		return found(violation.ThresholdLowered, "Threshold lowered: %s is now given %s")
	case retries:
		if n, ok := numberOf(a.value); ok && (n == 0 || was != nil && func() bool { m, ok := numberOf(was.value); return ok && n <= m }()) {
			return nil
		}
		return found(violation.RetriesAdded, "Failing tests are run again: %s is now given %s")
	case exclude:
		if isForeign(a.value) {
			return nil
		}
		return found("", "Tests deselected: %s is now given %s")
	case filter:
		return found("", "Tests deselected: %s is now given %s")
	case loose:
		if a.value != "" && !truthy(a.value) {
			return nil
		}
		return found("", "Test failures are ignored: %s is now given %s")
	case loads:
		if a.name == "-p" && quietPlugin(a.value) {
			return nil
		}
		return found("", "Tests run in a changed environment: %s is now given %s")
	default:
		return found(violation.ConfigChanged, "Test command changed: %s is now given %s")
	}
}

// lost judges a flag that is no longer given.
func (t *tool) lost(b arg) []argFinding {
	if b.name == "-p" && quietPlugin(b.value) {
		return nil
	}
	switch t.effectOf(b.name) {
	case strict:
		return []argFinding{{"", b.line, 0, fmt.Sprintf("Test run made lenient: %s is no longer given %s", t.name, b)}}
	case threshold:
		return []argFinding{{violation.ThresholdLowered, b.line, 0, fmt.Sprintf("Threshold removed: %s is no longer given %s", t.name, b)}}
	case loads, changed:
		return []argFinding{{violation.ConfigChanged, b.line, 0, fmt.Sprintf("Test command changed: %s is no longer given %s", t.name, b)}}
	default:
		return nil
	}
}

// effectOf is what a flag does; -D and -P properties of build tools are judged
// by their names.
func (t *tool) effectOf(name string) effect {
	if f, ok := t.flags[name]; ok {
		return f.effect
	}
	if strings.HasPrefix(name, "-D") || strings.HasPrefix(name, "-P") {
		return propertyEffect(name[2:])
	}
	return changed
}

// plain judges arguments that are no flags: paths and patterns of tests, or
// goals.
func (t *tool) plain(before, after []arg) []argFinding {
	was, is := plainOf(before), plainOf(after)
	r := rule{effect: include}
	if !t.goals && (len(was) == 0 && len(is) == 0 || len(is) == 0) {
		return nil
	}
	if !t.goals && len(was) == 0 {
		if r.takesAll(is) {
			return nil
		}
		return []argFinding{{"", 0, is[0].line, fmt.Sprintf("Tests left out: %s now runs only %s", t.name, is[0].text)}}
	}
	for _, v := range is {
		if t.goals && strings.Contains(v.text, "=") && !quietVariable(v.text) && !slices.ContainsFunc(was, func(w value) bool { return w.text == v.text }) {
			return []argFinding{{violation.ConfigChanged, 0, v.line, fmt.Sprintf("Test command changed: %s is now given %s", t.name, v.text)}}
		}
	}
	for _, p := range was {
		if strings.HasPrefix(p.text, "___") { // filled in by the CI system
			continue
		}
		same := slices.ContainsFunc(is, func(v value) bool { return v.text == p.text })
		if same || !t.goals && r.covered(value{text: trimDots(p.text)}, trimAll(is)) {
			continue
		}
		at := 0
		for _, v := range is {
			if !slices.ContainsFunc(was, func(w value) bool { return w.text == v.text }) {
				at = v.line
			}
		}
		return []argFinding{{"", p.line, at, fmt.Sprintf("Tests left out: %s no longer runs %s", t.name, p.text)}}
	}
	return nil
}

func plainOf(args []arg) []value {
	var out []value
	for _, a := range args {
		if a.name == "" {
			out = append(out, value{text: a.value, line: a.line})
		}
	}
	return out
}

// quietVariable reports whether a variable for make only tells the go command
// not to use its cache, to look for races, or to say more.
func quietVariable(text string) bool {
	name, flags, _ := strings.Cut(text, "=")
	return name == "V" || name == "VERBOSE" || name == "GOFLAGS" && !slices.ContainsFunc(strings.Fields(strings.Trim(flags, `"'`)), func(f string) bool {
		f, _, _ = strings.Cut(f, "=")
		return !slices.Contains([]string{"-count", "-race", "-v", "-p", "-mod", "-trimpath", "-buildvcs", "-shuffle", "-timeout"}, f)
	})
}

// trimDots makes Go's "./a/..." a folder.
func trimDots(s string) string {
	if s == "./..." || s == "..." {
		return "."
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "./"), "/...")
}

func trimAll(list []value) []value {
	out := slices.Clone(list)
	for i := range out {
		out[i].text = trimDots(out[i].text)
	}
	return out
}

// propertyEffect guesses what a property of a build does by its name.
func propertyEffect(name string) effect {
	lower := strings.ToLower(name)
	switch {
	case strings.Contains(lower, "failureignore"), strings.Contains(lower, "failure.ignore"), strings.Contains(lower, "ignorefail"):
		return loose
	case strings.Contains(lower, "skip"):
		return loose
	case lower == "test", lower == "it.test", lower == "groups", lower == "excludedgroups", strings.HasPrefix(lower, "surefire.include"),
		strings.HasPrefix(lower, "surefire.exclude"), strings.HasSuffix(lower, ".includes"), strings.HasSuffix(lower, ".excludes"):
		return filter
	case strings.Contains(lower, "rerunfailing"):
		return retries
	case strings.HasPrefix(lower, "haltonfailure"), strings.Contains(lower, "failifnotests"), strings.Contains(lower, "failifnospecifiedtests"):
		return strict
	default:
		return harmless
	}
}

// quietPlugin reports whether loading or blocking a plugin of pytest does not
// change what tests come to.
func quietPlugin(name string) bool {
	return slices.Contains([]string{"no:cacheprovider", "no:warnings", "no:logging", "xdist", "pytest_cov", "anyio", "pytest_timeout"}, name)
}

// idle reports whether the arguments tell a build tool to leave its tests out.
func (t *tool) idle(args []arg) bool {
	return slices.ContainsFunc(args, func(a arg) bool {
		skips := (strings.HasPrefix(a.name, "-D") || strings.HasPrefix(a.name, "-P")) && strings.Contains(strings.ToLower(a.name), "skip")
		return skips && (a.value == "" || truthy(a.value)) || t.name == "gradle" && a.name == "--exclude-task" && a.value == "test"
	})
}
