package runner

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// included is a key in an entry of a matrix's include, with the entry's number.
var included = lazyregexp.New(`^strategy/matrix/include\[(\d+)\](?:/(.*))?$`)

// entries are the entries of a matrix's include.
func (o options) entries() (out []map[string]string) {
	for _, x := range o {
		m := included.FindStringSubmatch(x.key)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > maxOptions { // a key that looks like one
			continue
		}
		for len(out) < n {
			out = append(out, map[string]string{})
		}
		out[n-1][m[2]] = fmt.Sprintf("%q", x.texts())
	}
	return out
}

// rowsAdded reports whether a matrix includes what it did in that order, and else only jobs of their own.
func rowsAdded(before, after options) bool {
	was := before.entries()
	for _, entry := range after.entries() {
		switch {
		case len(was) > 0 && maps.Equal(was[0], entry):
			was = was[1:]
		case !after.jobOfItsOwn(entry):
			return false
		}
	}
	return len(was) == 0
}

// jobOfItsOwn reports whether an entry fits no job that the matrix makes of its lists, so that the service
// cannot add it to any: under one of their keys it has a value that none of these has.
func (o options) jobOfItsOwn(entry map[string]string) bool {
	for key, quoted := range entry {
		list, text := o.find("strategy/matrix/"+key), strings.Trim(quoted, "[]\"")
		if key == "" || list == nil || len(list.values) == 0 || !plainEntry(text) {
			continue
		}
		number, isNumber := numberOf(text)
		if !slices.ContainsFunc(list.values, func(v value) bool {
			other, isOther := numberOf(v.text)
			return v.code || !plainEntry(v.text) || strings.EqualFold(v.text, text) || isNumber && isOther && number == other
		}) {
			return true
		}
	}
	return false
}

// plainEntry reports whether a value is what it is written as: a text, or a number in the common form.
func plainEntry(text string) bool {
	words := []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"} // of YAML
	return written.MatchString(text) && !slices.Contains(words, strings.ToLower(text))
}

var written = expression("written")

// goneEntries reports that a matrix includes fewer entries than it did.
func (c *comparison) goneEntries(kind violation.Kind, before, after options) {
	first := strconv.Itoa(len(after.entries()) + 1)
	for _, o := range before {
		if m := included.FindStringSubmatch(o.key); m != nil && m[1] == first {
			c.report(finding{kind, o.line, 0, "Tests run in fewer jobs: the matrix includes fewer entries"})
			return
		}
	}
}
