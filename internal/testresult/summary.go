// Package testresult reads what test runners report: JUnit XML in its common dialects and the
// event stream of go test -json. Parsing is pure; a report that is empty, cut off, or of no known
// format is an error and never counts as a pass.
package testresult

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// AllPassing is the literal text that states a pass without a report.
const AllPassing = "all passing"

// MaxFailures limits the failures that a Summary names; the counts go on.
const MaxFailures = 1000

// maxNames limits the tests that a Summary names as passed; the counts go on.
const maxNames = 50_000

const (
	maxMessage = 500 // runes of a failure's message
	maxName    = 300 // runes of a test's name
)

// Summary is the outcome of a test run. A test counts once, under the worst that happened to it.
type Summary struct {
	Passed  int
	Failed  int // an assertion did not hold
	Errors  int // the test, its package or its suite broke before it could hold
	Skipped int
	// Stated marks a summary without counts: somebody stated that all tests pass and gave no
	// report.
	Stated   bool
	Failures []Failure // the first MaxFailures, sorted by name
	Names    []string  // of tests that passed, as many as the reports name and maxNames allows
	Sources  []string  // names of what was parsed, sorted
}

// Failure is one test that failed or broke.
type Failure struct {
	Name    string
	File    string // "" if the report does not say
	Line    int    // 0 if the report does not say
	Message string // cut to 500 characters
}

// Merge adds summaries up. A statement beside real reports is void: the reports count.
func Merge(ss ...Summary) Summary {
	var m Summary
	for _, s := range ss {
		m.Passed += s.Passed
		m.Failed += s.Failed
		m.Errors += s.Errors
		m.Skipped += s.Skipped
		m.Stated = m.Stated || s.Stated
		m.Failures = append(m.Failures, s.Failures...)
		m.Names = append(m.Names, s.Names...)
		m.Sources = append(m.Sources, s.Sources...)
	}
	for _, s := range ss {
		m.Stated = m.Stated && s.Stated
	}
	m.settle()
	return m
}

// Broken is the number of tests that failed or broke.
func (s Summary) Broken() int { return s.Failed + s.Errors }

// Run is the number of tests that ran; skipped ones did not.
func (s Summary) Run() int { return s.Passed + s.Broken() }

// OK reports whether tests ran, or are stated to have run, and all passed.
func (s Summary) OK() bool { return s.Broken() == 0 && (s.Run() > 0 || s.Stated) }

// String is the summary in one line: "45 of 47 passed, 2 failed, 1 skipped".
func (s Summary) String() string {
	switch {
	case s.Stated:
		return "stated as all passing, without a report"
	case s.Run() == 0 && s.Skipped == 0:
		return "no test ran"
	case s.Run() == 0:
		return fmt.Sprintf("no test ran, %d skipped", s.Skipped)
	}
	line := fmt.Sprintf("%d of %d passed", s.Passed, s.Run())
	if n := s.Broken(); n > 0 {
		line += fmt.Sprintf(", %d failed", n)
	}
	if s.Skipped > 0 {
		line += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return line
}

// Digest identifies the outcome: equal for two runs with the same counts and
// the same failing tests, whatever their timings, messages and file names.
func (s Summary) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d %t\n", s.Passed, s.Failed, s.Errors, s.Skipped, s.Stated)
	for _, f := range s.Failures {
		fmt.Fprintf(h, "%q\n", f.Name)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// settle brings the lists into their stated order and size.
func (s *Summary) settle() {
	slices.SortStableFunc(s.Failures, func(a, b Failure) int {
		return cmp.Or(
			strings.Compare(a.Name, b.Name), strings.Compare(a.File, b.File), a.Line-b.Line,
		)
	})
	if len(s.Failures) > MaxFailures {
		s.Failures = slices.Clone(s.Failures[:MaxFailures])
	}
	slices.Sort(s.Sources)
	s.Names = s.Names[:min(len(s.Names), maxNames)]
}

// pass counts a test that passed.
func (s *Summary) pass(name string) {
	s.Passed++
	if len(s.Names) < maxNames {
		s.Names = append(s.Names, name)
	}
}

// cut shortens foreign text to n runes of valid UTF-8, with a visible mark.
func cut(text string, n int) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	count := 0
	for i := range text {
		if count == n {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
