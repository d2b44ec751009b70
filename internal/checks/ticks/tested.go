package ticks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/integrity/proof"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/syntax/query"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/workflow"
)

// fate is what became of a test.
type fate int

const (
	unknown fate = iota
	passed
	absent // it did not run
	failed
)

// tested says which criteria of a feature that is called done have tests that did not run or did
// not pass, and of which they passed, as far as evidence or results tell.
func tested(s *check.Subject, c workflow.Claim) (open []unmet, said string) {
	if s.Tests == nil && !s.Proof.Ran() {
		return nil, ""
	}
	list, _ := criteria(s)
	var sources []requirements.Source
	for _, file := range c.Tests {
		if text, ok := s.Read(file); ok {
			sources = append(sources, requirements.Source{Path: file, Text: text, Test: true})
		}
	}
	t := teller{s: s, tests: map[string][]query.Match{}}
	became := map[fate][]requirements.Requirement{}
	for i, trace := range requirements.Traces(list, sources) {
		f := t.worst(trace.Tests)
		became[f] = append(became[f], list[i])
	}
	for _, f := range []fate{failed, absent} {
		if of := named(became[f], 0); of != "" {
			did := map[fate]string{failed: "pass", absent: "run"}[f]
			what := fmt.Sprintf("%s, and the tests of %s did not %s", says(c), of, did)
			open = append(open, unmet{c.Path, 1, what})
		}
	}
	if of := named(became[passed], 0); of != "" {
		said = "; the tests of " + of + " ran and passed"
	}
	return open, said
}

// teller tells the fates of tests.
type teller struct {
	s     *check.Subject
	tests map[string][]query.Match // of a file
}

// worst is what became of the tests at the places of one criterion: one that failed counts most,
// then one that passed. They did not run only where that is known of each.
func (t teller) worst(places []string) fate {
	var all []fate
	for _, place := range places {
		at := strings.LastIndexByte(place, ':')
		line, _ := strconv.Atoi(place[at+1:]) // a trace ends with its line
		all = append(all, t.fate(place[:at], t.nameAt(place[:at], line)))
	}
	for _, f := range []fate{failed, passed, unknown, absent} {
		if slices.Contains(all, f) {
			return f
		}
	}
	return unknown
}

// maxAbove is how many lines above a test speak of it.
const maxAbove = 3

// nameAt is the name of the test that a line is in or speaks of, "" if that is not known.
func (t teller) nameAt(file string, line int) (name string) {
	if _, known := t.tests[file]; !known {
		t.tests[file] = nil
		if f := t.s.Source(file); f != nil {
			t.tests[file] = f.Matches("tests")
		}
	}
	for _, m := range t.tests[file] {
		first, last := m.Node("test").StartLine(), m.Node("test").EndLine()
		named := strings.Trim(m.Node("name").Text(), "\"'`")
		if first <= line && line <= last {
			return named
		}
		if name == "" && line < first && first <= line+maxAbove {
			name = named
		}
	}
	return name
}

// fate is what evidence says of a test, else the results.
func (t teller) fate(file, name string) fate {
	switch t.s.Proof.OfTest(file, name, t.s.Artifact.Feature) {
	case proof.Passed:
		return passed
	case proof.Failed:
		return failed
	}
	r := t.s.Tests
	if name == "" || r == nil {
		return unknown
	}
	word := regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(name) + `(?:\W|$)`)
	fails := func(f testresult.Failure) bool { return word.MatchString(f.Name) }
	switch {
	case slices.ContainsFunc(r.Failures, fails):
		return failed
	case slices.ContainsFunc(r.Names, word.MatchString):
		return passed
	case r.Stated || r.Passed > len(r.Names) || r.Broken() > len(r.Failures):
		return unknown // not all tests are named
	}
	return absent
}
