package ticks

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/testresult"
	"workflow-reviewer/internal/testtitle"
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
	t := teller{s: s}
	for _, source := range sources {
		if f := s.Source(source.Path); f != nil && f.Tree != nil {
			for _, test := range testtitle.InTree(f.Tree) {
				t.tests, t.of = append(t.tests, test), append(t.of, source.Path)
			}
		}
	}
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
	tests []testtitle.Test // of the feature
	of    []string         // the file of each
}

// worst is what became of the tests at the places of one criterion: one that failed counts most,
// then one that passed. They did not run only where that is known of each.
func (t teller) worst(places []string) fate {
	var all []fate
	for _, place := range places {
		at := strings.LastIndexByte(place, ':')
		line, _ := strconv.Atoi(place[at+1:]) // a trace ends with its line
		all = append(all, t.fate(place[:at], t.at(place[:at], line)))
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

// none is the index of no test.
const none = -1

// at is the index of the test that a line is in or speaks of, none if that is not known.
func (t teller) at(file string, line int) int {
	below := none
	for i, test := range t.tests {
		switch {
		case t.of[i] != file:
		case test.First <= line && line <= test.Last:
			return i
		case below == none && line < test.First && test.First <= line+maxAbove:
			below = i
		}
	}
	return below
}

// fate is what evidence says of a test, else the results. A name that may be another test's does
// not say that this one passed.
func (t teller) fate(file string, test int) fate {
	fits := func(name string) bool { return slices.Contains(testtitle.Find(t.tests, name), test) }
	switch t.s.Proof.OfTest(file, fits, t.s.Artifact.Feature) {
	case proof.Passed:
		return passed
	case proof.Failed:
		return failed
	}
	r := t.s.Tests
	if test == none || r == nil {
		return unknown
	}
	isThis := func(name string) bool {
		return slices.Equal(testtitle.Find(t.tests, name), []int{test}) &&
			(!testtitle.ByModule(file) || testtitle.Begins(name, file) > 0)
	}
	switch {
	case slices.ContainsFunc(r.Failures, func(f testresult.Failure) bool { return fits(f.Name) }):
		return failed
	case slices.ContainsFunc(r.Names, isThis):
		return passed
	case slices.ContainsFunc(r.Names, fits),
		r.Stated,
		r.Passed > len(r.Names),
		r.Broken() > len(r.Failures):
		return unknown // it may be one of these, or of those that are not named
	}
	return absent
}

// says is how a document calls its feature done.
func says(c workflow.Claim) string { return path.Base(c.Path) + " " + c.Done }

// named are the ids of criteria, besides which others are left out.
func named(list []requirements.Requirement, omitted int) string {
	var ids []string
	for _, r := range list[:min(len(list), maxCriteria)] {
		ids = append(ids, r.ID)
	}
	if more := len(list) - len(ids) + omitted; more > 0 {
		ids = append(ids, fmt.Sprintf("%d more", more))
	}
	return strings.Join(ids, ", ")
}

// maxCriteria is how many criteria are named.
const maxCriteria = 6
