package runner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// wanted is a package, and the condition after it under which it is installed, where a file asks
// for it.
type wanted struct{ section, name, condition string }

// packages reports packages of the tests that a file asks for no longer, and new ones that the
// runner loads by itself. Tests do not fail without a package: pytest skips what is asynchronous,
// `dotnet test` finds no tests, and both pass. Go does not build.
func (c *comparison) packages(before, after []byte) {
	if strings.HasSuffix(c.path, ".sum") {
		return
	}
	was, is := c.wantedBy(before), c.wantedBy(after)
	skips := c.around.Unused != nil && // approved tests can go on without a package
		!(c.unused("importorskip") && c.unused("ImportError") && c.unused("ModuleNotFoundError"))
	for _, w := range byLine(was) {
		if _, ok := is[w]; !ok &&
			(knownValues["testpackages"].MatchString(w.name) || skips && c.imported(w.name)) {
			c.report(
				violation.ConfigNarrowed,
				was[w],
				0,
				"A package that tests run with is gone: "+cut(w.name+w.condition),
			)
		}
	}
	for _, w := range byLine(is) {
		if _, ok := was[w]; !ok && pluginPackage.MatchString(w.name) &&
			!knownValues["plugins"].MatchString(w.name+w.condition) {
			text := "A package was added that the test runner loads by itself: " +
				cut(w.name+w.condition)
			c.report(violation.ConfigNarrowed, 0, is[w], text)
		}
	}
}

// byLine orders packages by the line that wants them.
func byLine(m map[wanted]int) []wanted {
	return slices.SortedFunc(maps.Keys(m), func(a, b wanted) int {
		return cmp.Or(m[a]-m[b], strings.Compare(a.name+a.section, b.name+b.section))
	})
}

var (
	// packageName is what may be the name of a package, with the condition after it under which it
	// is installed.
	packageName = lazyregexp.New(`([A-Za-z][\w.-]*)([^"'\n,;]*;[^\n]*)?`)
	// pluginPackage is told by its name that a runner loads it as soon as it is there.
	pluginPackage = lazyregexp.New(`^(?:pytest-|minitest-)`)
	digest        = lazyregexp.New(`\bsha\d+[:=-]\S+`)
	labelled      = lazyregexp.New(`\[[^\]]*\]`)
)

// imported reports whether approved tests import a package by its name.
func (c *comparison) imported(name string) bool {
	module := strings.ReplaceAll(name, "-", "_")
	return slices.ContainsFunc(
		[]string{"import %", "from %", `importorskip("%"`, "importorskip('%'"},
		func(form string) bool {
			return !c.unused(strings.Replace(form, "%", module, 1))
		},
	)
}

// wantedBy lists what may be packages that a file asks for, with their lines; of a lock file only
// those of the tests, as all its lines may differ. What cannot be read was reported by the
// comparison of its settings.
func (c *comparison) wantedBy(src []byte) map[wanted]int {
	out := map[wanted]int{}
	f := formatOf(c.path)
	add := func(section, text string, line int) {
		for _, m := range packageName.FindAllStringSubmatch(digest.ReplaceAllString(text, ""), -1) {
			name := strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))
			_, condition, _ := strings.Cut(m[2], ";")
			if f != "lock" || knownValues["testpackages"].MatchString(name) {
				out[wanted{section, name, strings.TrimSpace(strings.TrimRight(condition, `"' `))}] = line
			}
		}
	}
	switch f {
	case "", "opaque", "package", "go", "github":
	case "bytes", "text", "lock":
		for i, line := range lines(src) {
			line, _, _ = strings.Cut(" "+line, " #")
			add("", line, i+1)
		}
	default:
		all, err := readOptions(f, src)
		if err != nil {
			return nil
		}
		for _, o := range all {
			section := labelled.ReplaceAllString(o.key, "")
			parts := strings.Split(section, "/")
			for i, part := range parts {
				add(strings.Join(parts[:i], "/"), part, o.line)
			}
			for _, v := range o.values {
				add(section, v.text, v.line)
			}
		}
	}
	return out
}
