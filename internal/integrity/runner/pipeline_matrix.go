package runner

import (
	"regexp"
	"strconv"

	"workflow-reviewer/internal/integrity/violation"
)

// included is a key in an entry of a matrix's include, with the entry's number.
var included = regexp.MustCompile(`^strategy/matrix/include\[(\d+)\](?:/|$)`)

// entries is how many entries a matrix includes.
func (o options) entries() (most int) {
	for _, x := range o {
		if m := included.FindStringSubmatch(x.key); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				most = max(most, n)
			}
		}
	}
	return most
}

// goneEntries reports that a matrix includes fewer entries than it did.
func (c *comparison) goneEntries(kind violation.Kind, before, after options) {
	left := after.entries()
	for _, o := range before {
		if m := included.FindStringSubmatch(o.key); m != nil && m[1] == strconv.Itoa(left+1) {
			c.report(finding{kind, o.line, 0, "Tests run in fewer jobs: the matrix includes fewer entries"})
			return
		}
	}
}
