package runner

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// included is a key in an entry of a matrix's include, with the entry's number.
var included = regexp.MustCompile(`^strategy/matrix/include\[(\d+)\](?:/(.*))?$`)

// withoutNewJobs are the options of after without those entries of a matrix's
// include that are jobs of their own, if the approved entries stand there in
// their order; the others get the numbers that they had. Such an entry has a
// value that no job of the matrix has under its key, so that the service cannot
// add it to any of them. What it cannot show is left as it is.
func withoutNewJobs(before, after options) options {
	was, is := before.included(), after.included()
	number, next := map[int]int{}, 1
	for i := 1; i <= len(is); i++ {
		switch {
		case next <= len(was) && maps.Equal(was[next], is[i]):
			number[i], next = next, next+1
		case !after.jobOfItsOwn(is[i]):
			return after
		}
	}
	if next <= len(was) {
		return after
	}
	out := make(options, 0, len(after))
	for _, o := range after {
		if m := included.FindStringSubmatch(o.key); m != nil {
			i, _ := strconv.Atoi(m[1])
			if number[i] == 0 {
				continue
			}
			entry := "include[" + m[1] + "]"
			o.key = strings.Replace(o.key, entry, fmt.Sprintf("include[%d]", number[i]), 1)
			o.name = strings.Replace(o.name, entry, fmt.Sprintf("include[%d]", number[i]), 1)
		}
		out = append(out, o)
	}
	return out
}

// goneEntries reports that a matrix includes fewer entries than it did.
func (c *comparison) goneEntries(kind violation.Kind, before, after options) {
	left := len(after.included())
	if len(before.included()) <= left {
		return
	}
	i := slices.IndexFunc(before, func(o option) bool {
		m := included.FindStringSubmatch(o.key)
		return m != nil && m[1] == strconv.Itoa(left+1)
	})
	if i >= 0 {
		c.report(finding{kind, before[i].line, 0, "Tests run in fewer jobs: the matrix includes fewer entries"})
	}
}

// included are the entries of a matrix's include by their numbers, from 1.
func (o options) included() map[int]map[string]string {
	out := map[int]map[string]string{}
	for _, x := range o {
		if m := included.FindStringSubmatch(x.key); m != nil {
			i, _ := strconv.Atoi(m[1])
			if out[i] == nil {
				out[i] = map[string]string{}
			}
			out[i][m[2]] = fmt.Sprintf("%q", x.texts())
		}
	}
	return out
}

// jobOfItsOwn reports whether an entry fits no job that the matrix makes of its
// lists: under one of their keys it has a value that none of these has.
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

// plainEntry reports whether a value is what it is written as: a text, or a
// number in the common form.
func plainEntry(text string) bool {
	words := []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"} // of YAML
	return written.MatchString(text) && !slices.Contains(words, strings.ToLower(text))
}

var written = regexp.MustCompile(`^(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)*(?:-[A-Za-z][\w.-]*)?|[A-Za-z~<>=^][\w.~<>=, ^-]*)$`)
