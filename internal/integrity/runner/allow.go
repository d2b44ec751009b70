package runner

import (
	"regexp"
	"slices"
	"strings"
)

// Allowance is a difference of a setting that is harmless, with examples.
type Allowance struct {
	Name, Difference, Reason string
	Passes, Fails            string // examples, as "setting: before → after"
	holds                    func(d difference) bool
}

// difference is one setting in two versions; a nil side is not there.
type difference struct {
	rule    rule
	was, is *option
	unused  func(name string) bool
}

// Allowances is the closed list for settings.
func Allowances() []Allowance {
	return []Allowance{
		{
			"free", "any", "no test runner reads it, or it says how results are shown and how fast they come",
			"`[tool.black] line-length`: 88 → 100", "`[tool.black]` → `[tool.pytest.ini_options]`",
			func(difference) bool { return true },
		},
		{
			"more", "entries are added, or take in more", "what was collected still is",
			"`testpaths`: tests → tests checks", "`testpaths`: tests → tests/unit",
			func(d difference) bool { return coversAll(d.rule.entries(d.is), d.rule.entries(d.was), d.rule) },
		},
		{
			"fewer", "entries are taken away, or name installed packages and build output", "nothing more is left out",
			"`norecursedirs`: + node_modules", "`norecursedirs`: + integration",
			func(d difference) bool {
				was, is := d.rule.entries(d.was), d.rule.entries(d.is)
				return !(slices.ContainsFunc(was, takesAway) && !inOrder(is, was, is)) && !slices.ContainsFunc(is, func(v value) bool {
					return v.code || !hasText(was, v.text) && !slices.Contains(d.rule.defaults, v.text) && !isForeign(v.text)
				})
			},
		},
		{
			"higher", "the number rises, or is set", "more must be reached",
			"`fail_under`: 90 → 95", "`fail_under`: 90 → 50",
			func(d difference) bool { return isAtLeast(d.was, d.is) },
		},
		{
			"raised", "the number was set, and rises", "more must be reached; a new one would take files out of the whole",
			"`coverageThreshold[\"./src/\"]`: 90 → 95", "`coverageThreshold[\"./src/\"]`: → 90",
			func(d difference) bool { return d.was != nil && isAtLeast(d.was, d.is) },
		},
		{
			"lower", "the number falls, or is taken away", "less is let pass",
			"`retries`: 3 → 1", "`retries`: 0 → 3",
			func(d difference) bool {
				return d.is == nil || isAtLeast(d.is, d.was) && d.was != nil || slices.Equal(d.is.texts(), []string{"0"})
			},
		},
		{
			"on", "it is turned on", "more failures count",
			"`xfail_strict`: false → true", "`--strict-markers`: given → not given",
			func(d difference) bool { return !d.isOn(d.was) || d.isOn(d.is) && !d.is.last().code },
		},
		{
			"off", "it is turned off", "fewer failures are passed over",
			"`passWithNoTests`: true → false", "`testFailureIgnore`: → true",
			func(d difference) bool { return d.isOn(d.was) || !d.isOn(d.is) },
		},
		{
			"gone", "values are taken away", "what picked or replaced tests no longer does",
			"`grep`: smoke → ", "`grep`: → smoke",
			func(d difference) bool { return firstNew(d.was, d.is).line == 0 },
		},
		{
			"known", "values of a closed list come or go", "these only compile sources, print results, add matchers of their own name, or name a folder of sources",
			"`reporters`: + jest-junit", "`reporters`: + ./only-green.js",
			func(d difference) bool {
				is := func(v value) bool { return isKnown(d.rule.arg, d.key(), v) }
				return !slices.ContainsFunc(differing(d.was, d.is), func(v value) bool { return !is(v) })
			},
		},
		{
			"variants", "entries are added, or get another version", "as many variants run, of the same kinds",
			"`matrix.python`: 3.11 3.12 → 3.12 3.13 3.14", "`matrix.python`: 3.11 3.12 → 3.12",
			func(d difference) bool {
				if d.was == nil {
					return !slices.ContainsFunc(d.is.values, func(v value) bool { return !entryKind.MatchString(v.text) })
				}
				return d.is == nil && len(d.was.values) < 2 || d.is != nil && len(d.is.values) >= len(d.was.values) && !slices.ContainsFunc(d.was.values, func(w value) bool {
					return !slices.ContainsFunc(d.is.values, func(v value) bool { return v.text == w.text || withoutVersion(v.text) == withoutVersion(w.text) })
				})
			},
		},
		{
			"unused", "a definition is added whose name no approved file contains", "nothing that was approved asks for it",
			"`RSpec::Matchers.define`: + :have_key_count", "`RSpec::Matchers.define`: + :eq",
			func(d difference) bool {
				m := symbol.FindStringSubmatch(d.is.last().text)
				return d.was == nil && m != nil && d.unused != nil && d.unused(m[1])
			},
		},
		{
			"version", "another version from the registry, or another package from it", "registries do not take a branch's word for what a package holds",
			"`jest`: ^29.7.0 → ^30.0.0", "`jest`: ^29.7.0 → file:./tools/jest",
			func(d difference) bool {
				return !slices.ContainsFunc(differing(d.was, d.is), func(v value) bool { return v.code || !registryVersion.MatchString(v.text) })
			},
		},
		{
			"args", "flags about output, speed or strictness", "the same tests run, and as many failures count",
			"`addopts`: + -vv --tb=short", "`addopts`: + -k smoke",
			func(d difference) bool {
				t := toolNamed(d.rule.arg)
				return len(t.compareArgs(t.parse(argsOf(d.was)), t.parse(argsOf(d.is)))) == 0
			},
		},
		{
			"shell", "commands before and after, as in scripts", "see the list of commands",
			"`commands`: + ls", "`commands`: pytest → - pytest",
			func(d difference) bool { return len(compareScripts("", shellOf(d.was), shellOf(d.is))) == 0 },
		},
	}
}

// harmless reports whether the difference is on the closed list.
func (d difference) harmless() bool {
	names := strings.Split(d.rule.allowance, "|")
	return slices.ContainsFunc(Allowances(), func(a Allowance) bool { return slices.Contains(names, a.Name) && a.holds(d) })
}

func (d difference) key() string {
	if d.is != nil {
		return d.is.key
	}
	return d.was.key
}

func (d difference) isOn(o *option) bool {
	if o == nil || len(o.values) == 0 {
		return slices.Contains(d.rule.defaults, "true")
	}
	return truthy(o.last().text)
}

func truthy(s string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(s), `"'`)) {
	case "", "0", "false", "no", "off", "null", "undefined", "none", "disabled":
		return false
	default:
		return true
	}
}

var (
	foreign         = regexp.MustCompile(`^(?:\*\*/|/|<rootDir>/|\./)?(?:node_modules|bower_components|vendor|dist|build|out|target|coverage|htmlcov|\.git|\.hg|\.svn|\.tox|\.nox|\.venv|venv|\.cache|\.idea|\.next|\.nuxt|\.pytest_cache|\.mypy_cache|__pycache__|\*\.egg-info|\*\.egg|\.eggs|\.\*)(?:/(?:\*\*?)?(?:/\*)?)?$`)
	registryVersion = regexp.MustCompile(`^(?:[\^~<>=v ]*[0-9xX*][\w.*+~<>=|, ^-]*|\*|latest|next)$`)
)

var symbol = regexp.MustCompile(`[\s(]:(\w+)`)
