package runner

import (
	"slices"
	"strings"
)

// entries are the values of an option, or the defaults where it has none.
func (r rule) entries(o *option) []value {
	if o == nil || len(o.values) == 0 {
		var out []value
		for _, d := range r.defaults {
			if d != "-" && d != "true" {
				out = append(out, value{text: d})
			}
		}
		return out
	}
	list := o.values
	if !strings.ContainsAny(
		strings.Join(o.texts(), ""),
		`({\^$|`,
	) { // globs with braces and regular expressions hold commas
		list = o.words()
	}
	return slices.DeleteFunc(slices.Clone(list),
		func(v value) bool { return v.text == "[]" || v.text == "{}" })
}

// coversAll reports whether is takes in all that was took in. What takes something away covers
// nothing.
func coversAll(is, was []value, r rule) bool {
	all := len(r.defaults) == 0
	if slices.ContainsFunc(slices.Concat(is, was), takesAway) {
		return false
	}
	if len(was) == 0 && all {
		return slices.ContainsFunc(is, takesAll) || len(is) == 0
	}
	if len(is) == 0 && all {
		return true
	}
	return !slices.ContainsFunc(was, func(w value) bool {
		return !slices.ContainsFunc(is,
			func(v value) bool { return v.text == w.text || covers(v.text, w.text) })
	})
}

// takesAway reports whether an entry takes back what those before it took in.
func takesAway(v value) bool { return strings.HasPrefix(v.text, "!") }

// takesAll reports whether an entry stands for all files below the root.
func takesAll(v value) bool {
	return slices.Contains([]string{".", "./", "<rootDir>", "**", "*", "**/*", "./..."}, v.text)
}

// covers reports whether an entry certainly takes in all that a narrower one does: it stands for
// everything, or is a folder above. Globs are not held against each other.
func covers(wide, narrow string) bool {
	if takesAll(value{text: wide}) {
		return !strings.HasPrefix(narrow, "..") && !strings.HasPrefix(narrow, "/")
	}
	wide, narrow = strings.TrimPrefix(wide, "./"), strings.TrimPrefix(narrow, "./")
	if strings.Trim(wide, "/") == strings.Trim(narrow, "/") ||
		strings.HasPrefix(narrow, strings.TrimSuffix(wide, "/")+"/") &&
			!strings.ContainsAny(wide, "*?[{(") {
		return !strings.Contains(narrow, "..")
	}
	return false
}

// withoutVersion is a variant of a matrix by its kind alone: "ubuntu-" for "ubuntu-24.04".
func withoutVersion(s string) string { return entryVersion.ReplaceAllString(s, "") }

var entryKind = expression("entryKind")

var entryVersion = expression("entryVersion")

// isForeign reports whether a pattern names installed packages, build output or caches, where no
// approved test stands.
func isForeign(pattern string) bool { return foreign.MatchString(pattern) }

// differing are the values that only one of two options has.
func differing(a, b *option) []value {
	var out []value
	for _, side := range [][2]*option{{a, b}, {b, a}} {
		if side[0] == nil {
			continue
		}
		for _, v := range side[0].values {
			if !slices.Contains(side[1].texts(), v.text) {
				out = append(out, v)
			}
		}
	}
	return out
}

// firstNew is the first value that is was not there.
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

func hasText(list []value, text string) bool { return slices.Contains(texts(list), text) }
