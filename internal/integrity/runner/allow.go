package runner

import (
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// difference is one setting in two versions; a nil side is not there.
type difference struct {
	rule    rule
	was, is *option
}

// harmless reports whether the difference is on the closed list.
func (d difference) harmless() bool {
	return slices.ContainsFunc(strings.Split(d.rule.allowance, "|"), d.holds)
}

// holds reports whether an allowance of the closed list covers the difference. An unknown name
// covers nothing.
func (d difference) holds(allowance string) bool {
	switch allowance {
	case "free":
		return true
	case "more":
		return coversAll(d.rule.entries(d.is), d.rule.entries(d.was), d.rule)
	case "fewer":
		was, is := d.rule.entries(d.was), d.rule.entries(d.is)
		return !slices.ContainsFunc(slices.Concat(is, was), takesAway) &&
			!slices.ContainsFunc(is, func(v value) bool {
				return !hasText(was, v.text) && !slices.Contains(d.rule.defaults, v.text) &&
					!isForeign(v.text)
			})
	case "higher":
		return isAtLeast(d.was, d.is)
	case "raised":
		return d.was != nil && isAtLeast(d.was, d.is)
	case "lower":
		return d.is == nil || isAtLeast(d.is, d.was) && d.was != nil ||
			slices.Equal(d.is.texts(), []string{"0"})
	case "on":
		return !d.isOn(d.was) || d.isOn(d.is)
	case "off":
		return d.isOn(d.was) && !strings.Contains(d.was.last().text, "$") || !d.isOn(d.is)
	case "gone":
		return firstNew(d.was, d.is).line == 0
	case "known":
		gone := d.rule.arg == "image" && d.is == nil // tests may talk to it
		return !gone &&
			!slices.ContainsFunc(differing(d.was, d.is),
				func(v value) bool { return !isKnown(d.rule.arg, d.option().key, v) })
	case "variants":
		return d.asManyVariants()
	case "version":
		return !slices.ContainsFunc(differing(d.was, d.is),
			func(v value) bool { return !registryVersion.MatchString(v.text) })
	default:
		return false
	}
}

// asManyVariants reports whether as many variants run as before, of the same kinds.
func (d difference) asManyVariants() bool {
	if d.was == nil {
		return !slices.ContainsFunc(d.is.values,
			func(v value) bool { return !entryKind.MatchString(v.text) })
	}
	distinct := func(o *option) int {
		return len(slices.Compact(slices.Sorted(slices.Values(o.texts()))))
	}
	return d.is != nil && distinct(d.is) >= distinct(d.was) &&
		!slices.ContainsFunc(d.was.values, func(w value) bool {
			return !slices.ContainsFunc(d.is.values,
				func(v value) bool { return withoutVersion(v.text) == withoutVersion(w.text) })
		})
}

// option is the new one, or the one that is gone.
func (d difference) option() *option {
	if d.is != nil {
		return d.is
	}
	return d.was
}

// isOn reports whether a setting is on, by its default where it is not given.
func (d difference) isOn(o *option) bool {
	if o == nil || len(o.values) == 0 {
		return slices.Contains(d.rule.defaults, "true")
	}
	return truthy(o.last().text)
}

// truthy reports whether a word switches something on.
func truthy(s string) bool {
	return !slices.Contains(
		[]string{"", "0", "false", "no", "off", "null", "undefined", "none", "disabled"},
		strings.ToLower(strings.Trim(strings.TrimSpace(s), `"'`)),
	)
}

// isAtLeast reports whether a number is set and no less than another, if that
// is set. A negative one counts what may be missing, and is no less than none.
func isAtLeast(was, is *option) bool {
	before, hadNumber := numberOf(was.last().text)
	after, ok := numberOf(is.last().text)
	switch {
	case was == nil || len(was.values) == 0:
		return true
	case is == nil || len(is.values) == 0:
		return hadNumber && before == 0
	default:
		return ok && hadNumber && after >= before && (after >= 0) == (before >= 0)
	}
}

// numberOf reads a number, which build files in Kotlin write as "0.9".toBigDecimal().
func numberOf(s string) (float64, bool) {
	s = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), "%"), ".toBigDecimal()")
	f, err := strconv.ParseFloat(strings.Trim(s, `"' `), 64)
	return f, err == nil
}

var (
	foreign         = expression("foreign")
	registryVersion = lazyregexp.New(`^(?:[\^~<>=v ]*[0-9xX*][\w.*+~<>=|, ^-]*|\*|latest|next)$`)
)
