package testresult

import (
	"errors"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// counted is a number with what it counts, as runners print them in the line
// that sums up: pytest, jest, vitest, mocha, cargo, RSpec, dotnet, PHPUnit.
var counted = lazyregexp.New(
	`(?i)\b(\d{1,9})\s+(passed|passing|failed|failing|failures?|errors?|skipped|pending|ignored|` +
		`deselected|` +
		`todo|xfailed|xpassed)\b|\b(passed|failed|failures?|errors?|skipped):\s*(\d{1,9})\b`,
)

var (
	goPackage = lazyregexp.New(
		`(?m)^(ok|FAIL)[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\)|\[(?:build|setup) failed\])`,
	)
	unittest  = lazyregexp.New(`(?m)^Ran (\d{1,9}) tests? in `)
	brokenRun = lazyregexp.New(`(?m)^(?:FAILED|FAIL)\b`)
)

// ParseOutput reads what a test runner printed for people: the counts of the last line that sums
// up, or the lines of Go's packages. Of what is contradictory the failure counts. Without such a
// line it is an error.
func ParseOutput(text string) (Summary, error) {
	if strings.EqualFold(strings.TrimSpace(text), AllPassing) {
		return Parse("test_results", []byte(text))
	}
	s := Summary{Sources: []string{"test_results"}}
	found := false
	for l := range strings.Lines(text) {
		if c, ok := countLine(l); ok {
			found = true
			s.Failed, s.Errors = max(s.Failed, c.Failed), max(s.Errors, c.Errors)
			s.Skipped = c.Skipped
			if c.Passed > 0 {
				s.Passed = c.Passed
			}
		}
	}
	for _, m := range goPackage.FindAllStringSubmatch(text, -1) {
		found = true
		if m[1] == "ok" {
			s.Passed++
		} else {
			s.Failed++
		}
	}
	if m := unittest.FindStringSubmatch(text); m != nil && s.Passed+s.Failed+s.Errors == 0 {
		found = true
		s.Passed, _ = strconv.Atoi(m[1]) // at most nine digits
	}
	if !found {
		return Summary{}, errors.New("no line says how many tests passed or failed")
	}
	if s.Failed+s.Errors == 0 && brokenRun.MatchString(text) {
		s.Failed = 1
	}
	if s.Passed+s.Failed+s.Errors == 0 {
		return Summary{}, errors.New("no test ran")
	}
	s.settle()
	return s, nil
}

// countLine reads a line that sums up. Words of one kind on a line add up.
func countLine(l string) (s Summary, ok bool) {
	for _, m := range counted.FindAllStringSubmatch(l, -1) {
		word, number := strings.ToLower(m[2]+m[3]), m[1]+m[4]
		n, _ := strconv.Atoi(number) // at most nine digits
		switch word[:4] {
		case "pass", "xpas":
			s.Passed += n
		case "fail":
			s.Failed += n
		case "erro":
			s.Errors += n
		default:
			s.Skipped += n
		}
	}
	return s, s.Passed+s.Failed+s.Errors > 0
}
