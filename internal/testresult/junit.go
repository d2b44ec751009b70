package testresult

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/xmlscan"
)

// suite is <testsuites> or <testsuite>, nested to any depth that xmlscan allows. Others are
// elements that nobody knows: what fails in them counts like the rest.
type suite struct {
	XMLName  xml.Name
	Name     string    `xml:"name,attr"`
	Claimed  string    `xml:"failures,attr"`
	Broken   string    `xml:"errors,attr"`
	Cases    cases     `xml:"testcase"`
	Suites   []suite   `xml:"testsuite"`
	Groups   []suite   `xml:"testsuites"`
	Failures []trouble `xml:"failure"`
	Errors   []trouble `xml:"error"`
	Others   []suite   `xml:",any"`
}

// breaks counts the failures and errors in a suite, whatever stands around them.
func (x suite) breaks() int {
	n := len(x.Failures) + len(x.Errors)
	for _, c := range x.Cases.kept {
		if c.outcome() >= failed {
			n++
		}
	}
	for _, inner := range slices.Concat(x.Suites, x.Groups, x.Others) {
		n += inner.breaks()
	}
	return n
}

// testCase is one test with the outcomes that were said of it, of which the worst counts. Some
// tools tell the outcome by an attribute instead of by an element.
type testCase struct {
	Name     string     `xml:"name,attr"`
	Class    string     `xml:"classname,attr"`
	File     string     `xml:"file,attr"`
	Line     string     `xml:"line,attr"`
	Status   string     `xml:"status,attr"`
	Failures []trouble  `xml:"failure"`
	Errors   []trouble  `xml:"error"`
	Skipped  []struct{} `xml:"skipped"`
	Others   []suite    `xml:",any"`
}

// cases are the test cases of a suite. Of those that passed maxNames are kept, and the others
// counted, so that a large report takes little more than its failures.
type cases struct {
	kept   []testCase
	passed int
}

// UnmarshalXML implements xml.Unmarshaler; it is called for each <testcase>.
func (cs *cases) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var c testCase
	if err := d.DecodeElement(&c, &start); err != nil {
		return err
	}
	if (suite{Others: c.Others}).breaks() > 0 {
		c.Failures = append(c.Failures, trouble{Message: "something in it failed"})
	}
	c.Others = nil
	if c.outcome() == passed && len(cs.kept) >= maxNames {
		cs.passed++
		return nil
	}
	for _, list := range [][]trouble{c.Failures, c.Errors} {
		for i, t := range list {
			list[i] = trouble{Message: cut(cmp.Or(t.Message, t.Text), maxMessage)}
		}
	}
	cs.kept = append(cs.kept, c)
	return nil
}

// outcome is the worst that was said of a test.
type outcome int

const (
	passed outcome = iota
	skipped
	failed
	broken
)

func (c testCase) outcome() outcome {
	is := func(words ...string) bool { return slices.Contains(words, strings.ToLower(c.Status)) }
	switch {
	case len(c.Errors) > 0 || is("error", "errored", "broken"):
		return broken
	case len(c.Failures) > 0 || is("failed", "failure", "fail"):
		return failed
	case len(c.Skipped) > 0 || is("skipped", "notrun", "disabled", "ignored", "pending"):
		return skipped
	}
	return passed
}

// trouble is a <failure> or <error>.
type trouble struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// parseJUnit reads a JUnit report. What counts are the test cases; a suite that claims more
// failures than its cases show is believed.
func parseJUnit(data []byte) (Summary, error) {
	var root suite
	if err := xmlscan.Decode(data, &root); err != nil {
		return Summary{}, err
	}
	if name := root.XMLName.Local; name != "testsuites" && name != "testsuite" {
		return Summary{}, fmt.Errorf(
			"<%s> is no JUnit report: it begins with <testsuites> or <testsuite>", cut(name, 40),
		)
	}
	var s Summary
	s.suite(root, nil)
	return s, nil
}

// suite counts a suite, and returns how many failures and errors it claims or shows, whichever are
// more. What it claims and does not show is added, so that a report without test cases cannot pass.
// above are the titles of the suites around it.
func (s *Summary) suite(x suite, above []string) int {
	titles := slices.Clone(above)
	if x.Name != "" {
		titles = append(titles, x.Name)
	}
	name := cut(cmp.Or(x.Name, "(unnamed suite)"), maxName)
	own := slices.Concat(x.Failures, x.Errors)
	for _, t := range own {
		s.Errors++
		s.fail(Failure{Name: name, Message: cut(t.Message, maxMessage)})
	}
	shown := len(own)
	s.Passed += x.Cases.passed
	for _, c := range x.Cases.kept {
		shown += len(c.Failures) + len(c.Errors)
		s.testCase(c, titles)
	}
	for _, inner := range slices.Concat(x.Suites, x.Groups, x.Others) {
		shown += s.suite(inner, titles)
	}
	claimed := count(x.Claimed) + count(x.Broken)
	if missing := claimed - shown; missing > 0 {
		s.Errors += missing
		s.fail(Failure{Name: name, Message: fmt.Sprintf(
			"the suite reports %d failures or errors, its test cases show %d", claimed, shown,
		)})
	}
	return max(claimed, shown)
}

// testCase counts a test by the worst that was said of it. The class goes before the name unless
// the name begins with it. Node calls the class of each "test", and has a suite for each title
// around it.
func (s *Summary) testCase(c testCase, titles []string) {
	f := Failure{Name: c.Name, File: cut(c.File, maxName), Line: count(c.Line)}
	class := c.Class
	if class == "test" {
		class = cmp.Or(strings.Join(titles, " > "), class)
	}
	if class != "" && !strings.HasPrefix(c.Name, class) {
		f.Name = class + "." + c.Name
	}
	f.Name = cut(f.Name, maxName)
	for _, t := range slices.Concat(c.Failures, c.Errors) {
		f.Message = cmp.Or(f.Message, t.Message)
	}
	switch c.outcome() {
	case broken:
		s.Errors++
		s.fail(f)
	case failed:
		s.Failed++
		s.fail(f)
	case skipped:
		s.Skipped++
	case passed:
		s.pass(f.Name)
	}
}

func (s *Summary) fail(f Failure) { s.Failures = append(s.Failures, f) }

// count reads an attribute that should be a count or line. What is none is 0,
// and what is absurdly large is capped, so that sums cannot overflow.
func count(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, 1_000_000)
}
