package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/integrity/violation"
)

// options compares two versions of a file's settings by rules, of which the
// first whose key matches counts. Settings that no rule matches are not read
// by a test runner.
func (c *comparison) options(rules []rule, before, after options) {
	was, is := before.index(), after.index()
	for i := range after {
		o := &after[i]
		if w := was[o.key]; w == nil || !slices.Equal(w.texts(), o.texts()) {
			c.option(rules, w, o)
		}
	}
	for i := range before {
		if is[before[i].key] == nil {
			c.option(rules, &before[i], nil)
		}
	}
}

func (c *comparison) option(rules []rule, was, is *option) {
	o := is
	if o == nil {
		o = was
	}
	i := slices.IndexFunc(rules, func(r rule) bool {
		ok, _ := doublestar.Match(r.key, o.key) // the rules' globs are well formed
		return ok
	})
	if i < 0 {
		if len(was.texts())+len(is.texts()) > 0 {
			c.harmless("%s differs, which no test runner reads", o.name)
		}
		return
	}
	n := len(c.result.Violations) + c.more
	c.judge(rules[i], was, is)
	if len(c.result.Violations)+c.more == n && len(was.texts())+len(is.texts()) > 0 {
		c.harmless("%s differs without leaving a test out", o.name)
	}
}

func (c *comparison) judge(r rule, was, is *option) {
	if r.known != nil {
		was, is = r.without(was), r.without(is)
	}
	switch r.effect {
	case harmless:
	case include:
		c.include(r, was, is)
	case exclude:
		c.exclude(r, was, is)
	case filter, loads:
		c.gained(r, was, is)
	case strict, loose:
		c.toggle(r, was, is)
	case threshold, ceiling, retries:
		c.number(r, was, is)
	case arguments:
		c.arguments(r.tool, r.kindOf(), argsOf(was), argsOf(is), lineOf(was), lineOf(is))
	case commands:
		c.scripts(r.kindOf(), shellOf(was), shellOf(is))
	default:
		c.anyChange(r, was, is)
	}
}

// without is an option without the values that never matter; nil if there are
// no others.
func (r rule) without(o *option) *option {
	if o == nil {
		return nil
	}
	rest := *o
	rest.values = slices.DeleteFunc(slices.Clone(o.values), func(v value) bool { return r.known(o.key, v) })
	if len(rest.values) == 0 {
		return nil
	}
	return &rest
}

// anyChange reports a difference that is not known to be harmless.
func (c *comparison) anyChange(r rule, was, is *option) {
	if len(was.texts())+len(is.texts()) == 0 {
		return
	}
	from, at := lineOf(was), lineOf(is)
	if v := firstNew(was, is); v.line > 0 {
		at = v.line
	} else if v := firstNew(is, was); v.line > lineOf(was) && is != nil {
		from, at = v.line, 0
	}
	kind := r.kindOf()
	if narrowing.MatchString(strings.Join(is.texts(), " ")) && !narrowing.MatchString(strings.Join(was.texts(), " ")) {
		kind = violation.ConfigNarrowed
	}
	c.report(finding{
		kind, from, at,
		fmt.Sprintf("Test configuration changed: %s %s", nameOf(was, is), became(was, is)),
	})
}

// narrowing are names in an expression that leave tests out.
var narrowing = regexp.MustCompile(`(?i)\b\w*(?:ignore|exclude|skip|grep)\w* :`)

// became says in words what became of a setting.
func became(was, is *option) string {
	switch {
	case was == nil:
		return "was set to " + quoted(is.texts())
	case is == nil:
		return "was removed, it was " + quoted(was.texts())
	default:
		return "went from " + quoted(was.texts()) + " to " + quoted(is.texts())
	}
}

// gained reports values that were not there before. Removing a filter widens;
// removing what is loaded is reported, too.
func (c *comparison) gained(r rule, was, is *option) {
	text := "Tests deselected: %s %s"
	if r.effect == loads {
		text = "Tests run in a changed environment: %s %s"
	}
	if v := firstNew(was, is); v.line > 0 {
		line := v.line
		if was == nil {
			line = is.line
		}
		c.report(finding{r.kindOf(), lineOf(was), line, fmt.Sprintf(text, nameOf(was, is), became(was, is))})
		return
	}
	if r.effect == loads && len(was.texts()) > len(is.texts()) {
		c.report(finding{violation.ConfigChanged, lineOf(was), lineOf(is), fmt.Sprintf(text, nameOf(was, is), became(was, is))})
	}
}

// firstNew is the first value that is has and was has not; a zero value if
// there is none.
func firstNew(was, is *option) value {
	if is == nil {
		return value{}
	}
	old := was.texts()
	for _, v := range is.values {
		if !slices.Contains(old, v.text) {
			return v
		}
	}
	return value{}
}

func (c *comparison) toggle(r rule, was, is *option) {
	on := func(o *option) (bool, bool) {
		v := o.last()
		if o == nil || len(o.values) == 0 {
			return slices.Contains(r.defaults, "true"), true
		}
		return truthy(v.text), !v.code
	}
	before, _ := on(was)
	after, known := on(is)
	text := "Test run made lenient: %s %s"
	switch {
	case !known && is != nil && r.effect == strict && !before:
	case !known && is != nil:
		c.report(finding{violation.ConfigChanged, lineOf(was), lineOf(is), fmt.Sprintf(text, nameOf(was, is), became(was, is))})
	case r.effect == strict && before && !after, r.effect == loose && !before && after:
		c.report(finding{r.kindOf(), lineOf(was), valueLine(is), fmt.Sprintf(text, nameOf(was, is), became(was, is))})
	}
}

func truthy(s string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(s), `"'`)) {
	case "", "0", "false", "no", "off", "null", "undefined", "none", "disabled":
		return false
	default:
		return true
	}
}

// nameOf is a setting's name for a sentence: of a deep one, its end.
func nameOf(was, is *option) string {
	o := is
	if o == nil {
		o = was
	}
	if strings.Count(o.key, "/") < 4 {
		return o.name
	}
	parts := strings.Split(o.name, ".")
	return strings.Join(parts[len(parts)-2:], ".")
}

// lineOf is the line of an option's key, 0 of none.
func lineOf(o *option) int {
	if o == nil {
		return 0
	}
	return o.line
}

// valueLine is the line of an option's value, or of its key.
func valueLine(o *option) int {
	if v := o.last(); v.line > 0 {
		return v.line
	}
	return lineOf(o)
}
