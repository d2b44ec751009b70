package trick

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// Source is one test file.
type Source struct {
	Path   string
	Source []byte
}

// Place is a line of a test.
type Place struct {
	Path string
	Line int
	Text string
}

// Tests are the values in tests, by the lines on which they stand.
type Tests struct {
	lines  []Place
	values map[string][]int // indices of lines, ascending
}

const (
	// near is how many lines an input and what is expected of it stand apart at most.
	near = 2
	// maxValues bounds what is taken of one line, and maxLine how long it may be.
	maxValues, maxLine = 50, 20_000
)

var (
	literals = lazyregexp.New(
		"\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|-?\\b\\d[\\w.]*",
	)
	// telling are values that nobody writes by chance: four characters that are more than a name,
	// numbers of three digits.
	telling = lazyregexp.New(`^-?[\d_]*[1-9][\d_.]*[1-9][\d_.]*\d|[^\s]{4,}|\S+\s+\S+`)
	// spoken are values that say themselves that they are a test's.
	spoken = lazyregexp.New(`(?i)\btest|hard.?coded|\bexpected|\bdummy`)
)

// Read takes the values of tests.
func Read(sources []Source) *Tests {
	t := &Tests{values: map[string][]int{}}
	for _, s := range sources {
		for i, line := range strings.Split(string(s.Source), "\n") {
			if len(line) > maxLine {
				continue
			}
			n := len(t.lines)
			t.lines = append(t.lines, Place{s.Path, i + 1, strings.TrimSpace(line)})
			for _, v := range literals.FindAllString(line, maxValues) {
				t.values[value(v)] = append(t.values[value(v)], n)
			}
		}
	}
	return t
}

// value is what a literal means, without its quotes.
func value(literal string) string {
	return strings.Trim(strings.TrimLeft(literal, "rbfu@$"), "\"'`")
}

// pair is where tests have the values of an input and an answer together, if one of them is such
// that nobody writes it by chance, or there are several. Values that say that they are a test's
// need no test.
func (t *Tests) pair(input []string, answer string) (Place, bool) {
	all := []string{value(answer)}
	tells, says := telling.MatchString(all[0]), spoken.MatchString(all[0])
	for _, in := range input {
		all = append(all, value(in))
		tells = tells || telling.MatchString(value(in))
		says = says && spoken.MatchString(value(in))
	}
	switch {
	case len(all) < 2 || all[0] == all[1]:
		return Place{}, false
	case says:
		return Place{}, true
	case !tells && len(all) < 3:
		return Place{}, false
	}
	for _, n := range t.values[all[1]] {
		if !slices.ContainsFunc(all, func(v string) bool { return !t.isNear(v, n) }) {
			return t.lines[n], true
		}
	}
	return Place{}, false
}

// isNear reports whether a value stands on or near a line of its file.
func (t *Tests) isNear(v string, n int) bool {
	return slices.ContainsFunc(t.values[v], func(m int) bool {
		return m-n <= near && n-m <= near && t.lines[m].Path == t.lines[n].Path
	})
}
