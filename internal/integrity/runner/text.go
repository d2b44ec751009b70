package runner

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// testRun is a text that runs tests, by the names of runners and of what is called a test. It finds
// rather too many.
var testRun = expression("testRun")

// textLines are the lines of a text in normal form: a continued one is one, and empty ones and
// comments are left out. A comment that ends in a backslash stays, since shells and make do not
// agree on what follows it; so does all that stands in a text with a document in it.
func textLines(src string, first int) []value {
	var out []value
	open, document := false, strings.Contains(src, "<<")
	for i, l := range lines([]byte(src)) {
		l = strings.TrimRight(l, " \t")
		bare := strings.TrimLeft(l, " \t")
		comment := bare == "#" || strings.HasPrefix(bare, "# ")
		switch continued := strings.HasSuffix(bare, `\`); {
		case document:
			out = append(out, value{l, first + i})
		case open:
			last := &out[len(out)-1]
			last.text = strings.TrimRight(strings.TrimSuffix(last.text, `\`), " \t") + " " + bare
			open = continued
		case bare == "", comment && !continued:
		default:
			out = append(out, value{l, first + i})
			open = continued && !comment
		}
	}
	return out
}

// ofFile are the lines of a file that are compared: all that are not empty, less those that a
// closed list knows.
func (c *comparison) ofFile(src []byte) []value {
	var out []value
	known := knownValues[kindOfFile(c.path).rules]
	for i, l := range lines(src) {
		l = strings.TrimRight(l, " \t\r")
		if l != "" && (known == nil || !known.MatchString(strings.TrimSpace(l))) {
			out = append(out, value{l, i + 1})
		}
	}
	return out
}

// bytes compares a file of which every line counts.
func (c *comparison) bytes(before, after []byte) {
	was, is := c.ofFile(before), c.ofFile(after)
	if hasTargets(c.path) {
		held := c.around.Read.heldTargets(c.path, before, after)
		was, is = held[0], held[1]
	}
	c.first(violation.ConfigChanged, was, is,
		"What runs the tests changed, in a file of which all counts")
}

// sequence compares lines in order.
func (c *comparison) sequence(kind violation.Kind, was, is []value) {
	pre, post := around(was, is)
	was, is = was[pre:len(was)-post], is[pre:len(is)-post]
	for i := range max(len(was), len(is)) {
		c.line(kind, at(was, i), at(is, i))
	}
}

// at is the value at a place, zero behind the end.
func at(list []value, i int) value {
	if i < len(list) {
		return list[i]
	}
	return value{}
}

// around counts the equal elements before and after what differs.
func around(was, is []value) (pre, post int) {
	least := min(len(was), len(is))
	for pre < least && was[pre].text == is[pre].text {
		pre++
	}
	for post < least-pre && was[len(was)-1-post].text == is[len(is)-1-post].text {
		post++
	}
	return pre, post
}

// line reports one line that differs: of tests that are run no more, or may be run in another way.
func (c *comparison) line(kind violation.Kind, was, is value) {
	text := cut(strings.TrimSpace(was.text))
	switch ran := testRun.MatchString(was.text); {
	case ran && !testRun.MatchString(is.text):
		text = "Tests no longer run: " + text
	case ran:
		text = "Test command changed: " + text
	case is.line == 0:
		kind, text = violation.ConfigChanged,
			"Test run changed: a line is gone that may matter to tests"
	default:
		kind, text = violation.ConfigChanged,
			"Test run changed: what may matter to tests is now "+cut(strings.TrimSpace(is.text))
	}
	c.report(kind, was.line, is.line, text)
}

// testGoal is a target or script that is one of tests by its name.
var testGoal = expression("testGoal")
