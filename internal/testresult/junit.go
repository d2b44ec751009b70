package testresult

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"workflow-reviewer/internal/xmlscan"
)

// parseJUnit reads <testsuites> or <testsuite>, nested to any depth that xmlscan allows. What
// counts are the test cases; a suite that claims more failures than its cases show is believed.
func parseJUnit(data []byte) (Summary, error) {
	v := &junit{}
	if err := xmlscan.Scan(data, v); err != nil {
		return Summary{}, err
	}
	return v.sum, nil
}

// junit collects a report. Suites are those that are open, the innermost last.
type junit struct {
	sum    Summary
	suites []suite
	test   *testCase        // the case that is open
	text   *strings.Builder // the outcome's text that is open
}

// suite counts the trouble that a suite claims and that its content shows.
type suite struct {
	name           string
	claimed, shown int
}

// testCase is one test with the outcomes that were said of it, of which the worst counts.
type testCase struct {
	Failure
	failed, broken, skipped bool
}

// Start opens a suite or a test case, and notes failures, errors and skips of the open test case. A
// document of another root is an error.
func (v *junit) Start(e xmlscan.Element) error {
	if e.Depth == 0 && e.Name != "testsuites" && e.Name != "testsuite" {
		return fmt.Errorf("<%s> is no JUnit report: it begins with <testsuites> or <testsuite>", cut(e.Name, 40))
	}
	switch e.Name {
	case "testsuites", "testsuite":
		v.suites = append(v.suites, suite{
			name:    e.Attr("name"),
			claimed: count(e.Attr("failures")) + count(e.Attr("errors")),
		})
	case "testcase":
		v.test = v.newTestCase(e)
	case "failure", "error":
		v.trouble(e)
	case "skipped":
		if v.test != nil {
			v.test.skipped = true
		}
	}
	return nil
}

// newTestCase reads a test case's name, place and status. The class goes before the name unless the
// name begins with it. Some tools tell the outcome by an attribute instead of by an element.
func (v *junit) newTestCase(e xmlscan.Element) *testCase {
	name := e.Attr("name")
	if class := v.class(e); class != "" && !strings.HasPrefix(name, class) {
		name = class + "." + name
	}
	t := &testCase{Failure: Failure{
		Name: cut(name, maxName),
		File: cut(e.Attr("file"), maxName),
		Line: count(e.Attr("line")),
	}}
	switch strings.ToLower(e.Attr("status")) {
	case "failed", "failure", "fail":
		t.failed = true
	case "error", "errored", "broken":
		t.broken = true
	case "skipped", "notrun", "disabled", "ignored", "pending":
		t.skipped = true
	}
	return t
}

// class is what a test case stands in. Node calls the class of each "test", and has a suite for each
// title around it.
func (v *junit) class(e xmlscan.Element) string {
	class := e.Attr("classname")
	if class != "test" {
		return class
	}
	var titles []string
	for _, s := range v.suites {
		if s.name != "" {
			titles = append(titles, s.name)
		}
	}
	return cmp.Or(strings.Join(titles, " > "), class)
}

// trouble records a <failure> or <error>, of a case or of a suite itself.
func (v *junit) trouble(e xmlscan.Element) {
	if len(v.suites) > 0 {
		v.suites[len(v.suites)-1].shown++
	}
	message := e.Attr("message")
	if v.test == nil {
		v.sum.Errors++
		v.fail(Failure{Name: v.suiteName(), Message: cut(message, maxMessage)})
		return
	}
	if e.Name == "error" {
		v.test.broken = true
	} else {
		v.test.failed = true
	}
	if v.test.Message == "" {
		v.test.Message = cut(message, maxMessage)
		v.text = &strings.Builder{}
	}
}

// Text keeps an outcome's text, for the case that it has no message.
func (v *junit) Text(text string) error {
	if v.text != nil && v.text.Len() < 4*maxMessage {
		v.text.WriteString(text[:min(len(text), 4*maxMessage)])
	}
	return nil
}

// End closes what Start opened. The text of a failure is its message where its attribute gave none.
func (v *junit) End(name string, _ int) error {
	switch name {
	case "failure", "error":
		if v.test != nil && v.text != nil && v.test.Message == "" {
			v.test.Message = cut(v.text.String(), maxMessage)
		}
		v.text = nil
	case "testcase":
		v.endTest()
	case "testsuite", "testsuites":
		v.endSuite()
	}
	return nil
}

// endTest counts a test case by the worst that was said of it.
func (v *junit) endTest() {
	t := v.test
	v.test = nil
	switch {
	case t == nil:
	case t.broken:
		v.sum.Errors++
		v.fail(t.Failure)
	case t.failed:
		v.sum.Failed++
		v.fail(t.Failure)
	case t.skipped:
		v.sum.Skipped++
	default:
		v.sum.pass(t.Name)
	}
}

// endSuite adds what a suite claims to have failed and does not show, so that a report without test
// cases cannot pass. What a suite claims or shows counts as shown in the suite around it.
func (v *junit) endSuite() {
	s := v.suites[len(v.suites)-1]
	if missing := s.claimed - s.shown; missing > 0 {
		v.sum.Errors += missing
		v.fail(Failure{
			Name:    v.suiteName(),
			Message: fmt.Sprintf("the suite reports %d failures or errors, its test cases show %d", s.claimed, s.shown),
		})
	}
	v.suites = v.suites[:len(v.suites)-1]
	if n := len(v.suites); n > 0 {
		v.suites[n-1].shown += max(s.claimed, s.shown)
	}
}

// suiteName is the name of the innermost open suite for messages.
func (v *junit) suiteName() string {
	if n := len(v.suites); n > 0 && v.suites[n-1].name != "" {
		return cut(v.suites[n-1].name, maxName)
	}
	return "(unnamed suite)"
}

func (v *junit) fail(f Failure) { v.sum.Failures = append(v.sum.Failures, f) }

// count reads an attribute that should be a count or line. What is none is 0,
// and what is absurdly large is capped, so that sums cannot overflow.
func count(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, 1_000_000)
}
